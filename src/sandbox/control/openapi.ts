import { toJsonSchema as convert } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { Route } from '../rest/route.ts'
import { routes } from '../rest/routes.ts'
import { type Members, objectOf } from '../schema/schema.ts'

/** Describes the stand-in's REST API as OpenAPI 3.1, from the routes that answer it. */
export function renderOpenApi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stand-in of the co-browsing REST API',
      version: '2.0',
      description: 'A stand-in for tests. What the service does beyond its documentation is not imitated.',
    },
    servers: [{ url: '/v2' }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'query', name: 'api_key' } },
      responses: Object.fromEntries(
        REFUSALS.map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: ERROR_SCHEMA } } },
        ]),
      ),
    },
  }
}

function describeOperation(route: Route) {
  const { path, query = {}, body, summary, status = 200, credential } = route
  const segments = [...path.matchAll(/\{(\w+)\}/g)]
  return {
    summary,
    security: credential === 'none' ? [] : [{ apiKey: [] }],
    parameters: [
      ...segments.map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query).map(([name, schema]) => {
        return { name, in: 'query', required: false, schema: toJsonSchema(schema) }
      }),
    ],
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    responses: {
      [status]: { description: 'The call succeeded' },
      ...Object.fromEntries(
        REFUSALS.filter(([, , isPossible]) => isPossible(route)).map(([status]) => [
          status,
          { $ref: `#/components/responses/${status}` },
        ]),
      ),
    },
  }
}

function describeBody(members: Members) {
  const schema = toJsonSchema(objectOf(members))
  return { required: 'required' in schema, content: { 'application/json': { schema } } }
}

/** For what a client sends. Checks in code are not in it. */
function toJsonSchema(schema: v.GenericSchema): Readonly<Record<string, unknown>> {
  const { $schema: _, ...converted } = convert(schema, { typeMode: 'input', errorMode: 'ignore' })
  return converted
}

const REFUSALS: readonly (readonly [
  status: number,
  meaning: string,
  isPossible: (route: Route) => boolean,
])[] = [
  [400, 'A field is missing or wrong', ({ body, query }) => body !== undefined || query !== undefined],
  [401, 'No key, or one that the service does not know', ({ credential }) => credential !== 'none'],
  [403, 'The key is not that of a reseller', ({ credential }) => credential === 'reseller-key'],
  [404, 'An id in the path or the body is unknown', ({ path }) => path.includes('{')],
  [413, 'The body is too large', ({ body }) => body !== undefined],
  [415, 'The body is not JSON', ({ body }) => body !== undefined],
  [429, 'More than 100 calls in a minute from one address; Retry-After says when to try again', () => true],
]

const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
  required: ['errors'],
}
