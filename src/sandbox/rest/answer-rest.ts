import { valuesOf } from '../../http/fields.ts'
import { parseQuery } from '../schema/query.ts'
import type { Members, ValuesOf } from '../schema/schema.ts'
import type { Company } from '../state/service.ts'
import { findCompany, mainCompany, type Service } from '../state/service.ts'
import { closeUnopened } from '../state/sessions.ts'
import type { ServiceRequest } from '../wire/arrival.ts'
import { parseBody } from '../wire/body.ts'
import { notFound, type Reply, refused, toFieldErrors } from './reply.ts'
import { type Credential, compileRouter, type Route } from './route.ts'
import { routes } from './routes.ts'

/**
 * Answers a REST call. An invalid call changes nothing.
 *
 * @param apiRoot the path of the API's root, without a last slash
 */
export function answerRest(request: ServiceRequest, apiRoot: string, service: Service, nowMs: number): Reply {
  const { method, path, target, fields } = request.arrival
  const parameters = new URLSearchParams(target.slice(path.length))
  const found = findRoute(method, path.slice(apiRoot.length))
  if ('methods' in found) return refuseRoute(found.methods)
  const { route, segments } = found
  const company = authorise(route.credential ?? 'rest-key', parameters, service)
  if ('status' in company) return company
  closeUnopened(service, nowMs)
  const query = parseQuery(route.query ?? {}, parameters)
  if ('faults' in query) return refused(400, toFieldErrors(query.faults))
  const body = readBody(route, request)
  if ('status' in body) return body
  const named = { service, company, segments }
  const subject = route.find?.(named)
  if (isReply(subject)) return subject
  const root = `http://${valuesOf(fields, 'host')[0] ?? ''}`
  return route.answer({ ...named, query: query.value, body: body.value, subject, nowMs, root, target })
}

function isReply(found: unknown): found is Reply {
  return typeof found === 'object' && found !== null && 'status' in found
}

function refuseRoute(methods: readonly string[]): Reply {
  if (methods.length === 0) return notFound('path', 'endpoint of this path (each ends in a slash)')
  const reply = refused(405, { method: [`This path takes ${methods.join(', ')}.`] })
  return { ...reply, headers: { Allow: methods.join(', ') } }
}

function authorise(credential: Credential, query: URLSearchParams, service: Service): Company | Reply {
  if (credential === 'none') return mainCompany(service)
  const key = query.get('api_key') ?? query.get('API_KEY')
  if (key === null) return refused(401, { api_key: ['It is required.'] })
  const company = findCompany(
    service,
    ({ rest_key, widget_key }) =>
      key === rest_key || (credential === 'rest-or-widget-key' && key === widget_key),
  )
  if (company === undefined) return refused(401, { api_key: ['The service knows no such key.'] })
  if (credential === 'reseller-key' && company.resellerKey === undefined) {
    return refused(403, { api_key: ['It is not the key of a reseller.'] })
  }
  return company
}

function readBody(
  { body: members }: Route,
  { arrival, body }: ServiceRequest,
): { readonly value: ValuesOf<Members> } | Reply {
  if (members === undefined) return { value: {} }
  const [contentType] = valuesOf(arrival.fields, 'content-type')
  if (body.length > 0 && contentType !== undefined && !/^application\/json\s*(?:;|$)/i.test(contentType)) {
    return refused(415, { body: ['It must have the Content-Type application/json.'] })
  }
  const parsed = parseBody(members, body)
  return 'faults' in parsed ? refused(400, toFieldErrors(parsed.faults)) : parsed
}

/** Whether some method has an endpoint at this path below the API's root. */
export function isEndpoint(path: string): boolean {
  const found = findRoute('GET', path)
  return 'route' in found || found.methods.length > 0
}

const findRoute = compileRouter(routes)
