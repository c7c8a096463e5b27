import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { routes } from '../../../src/sandbox/rest/routes.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { callsOf } from '../support/call.ts'

const sandbox = await startSandbox()
afterAll(() => sandbox.close())
const description = (await callsOf(sandbox.url)('GET /_sandbox/openapi.json')).json

describe('the description', () => {
  it('is OpenAPI 3.1 and has every endpoint', () => {
    expect(description.openapi).toBe('3.1.0')
    const described = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('says what a body requires, and which parameters a path has', () => {
    const { post } = description.paths['/webhooks/']
    expect(post.requestBody.content['application/json'].schema).toMatchObject({
      properties: { url: { type: 'string', format: 'uri' }, enabled: { type: 'boolean' } },
      required: ['url', 'category', 'enabled', 'ssl_verification'],
      additionalProperties: false,
    })
    expect(Object.keys(post.responses)).toEqual(['201', '400', '401', '413', '415', '429'])
    const { get } = description.paths['/agents/{AGENT_ID}/']
    expect(get.parameters).toEqual([
      { name: 'AGENT_ID', in: 'path', required: true, schema: { type: 'string' } },
    ])
  })

  it('requires a key wherever the API does, and has each response that it refers to', () => {
    for (const { method, path, credential } of routes) {
      const { security, responses } = description.paths[path][method.toLowerCase()]
      expect(security).toEqual(credential === 'none' ? [] : [{ apiKey: [] }])
      for (const status of Object.keys(responses).filter((each) => each >= '400')) {
        expect(responses[status]).toEqual({ $ref: `#/components/responses/${status}` })
        expect(description.components.responses).toHaveProperty(status)
      }
    }
  })
})

describe('the schemas of the description', () => {
  interface Parameter {
    readonly name: string
    readonly schema: object
  }
  const parametersOf = (path: string) => {
    const parameters: readonly Parameter[] = description.paths[path].get.parameters
    return Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  }

  it('name the type of query values, however they are spelt', () => {
    expect(parametersOf('/history/')).toMatchObject({
      active_session: { type: 'boolean' },
      min_duration: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
      min_date: { type: 'string', format: 'date-time' },
      page: { type: 'integer', minimum: 1 },
    })
    expect(parametersOf('/sessions/')).toMatchObject({ month: { type: 'integer', minimum: 1, maximum: 12 } })
  })

  it.each([
    ['/agents/', { username: 'Ada', agent_email: 'ada@example.com', password: 'secret' }, 200],
    ['/agents/', { username: '  ', agent_email: 'bo@example.com', password: 'secret' }, 400],
    ['/agents/', { username: 'Cy', agent_email: 'cy@example.com', password: 'secret', role: 'boss' }, 400],
    ['/agents/', { username: 'Dee', agent_email: 'dee@example.com' }, 400],
    ['/sessions/', { url: 'https://www.example.com/', tags: ['a'], ui_off: true }, 200],
    ['/sessions/', { url: 'ftp://www.example.com/' }, 400],
    ['/sessions/', { url: 'https://www.example.com/', tags: 'a' }, 400],
    ['/sessions/', { url: 'https://www.example.com/', hide_ui: true }, 400],
    ['/sessions/', { url: 'https://www.example.com/', widget_key: 0 }, 200],
    ['/sessions/', { url: 'https://www.example.com/', widget_key: 1 }, 400],
  ])('agree with the API: POST %s %j is %i', async (path, body, status) => {
    const { schema } = description.paths[path].post.requestBody.content['application/json']
    const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    expect(accepts(body)).toBe(status === 200)
    expect((await callsOf(sandbox.url)(`POST ${path}`, { body })).status).toBe(status)
  })
})
