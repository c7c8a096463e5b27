import { parseQuery } from '../schema/query.ts'
import { API_ROOT, type SandboxState } from '../seed/sandbox-state.ts'
import type { Company } from '../state/company.ts'
import { findCompany, mainCompany, type Service } from '../state/service.ts'
import type { Arrival } from '../wire/arrival.ts'
import { readCallBody, warnOf } from './read-body.ts'
import { NOT_STORED, notFound, refused, refusedFor } from './reply.ts'
import type { Route } from './route.ts'
import { findRoute, methodsOf } from './routes.ts'

/** Answers a REST call. An invalid call changes nothing. */
export function answerRest(arrival: Arrival, body: Buffer, state: SandboxState): Response {
  const { service, clock, deliveries } = state
  const { root, target } = arrival
  const path = arrival.path.slice(API_ROOT.length)
  const found = findRoute(arrival.method, path)
  if (found === undefined) return refuseRoute(methodsOf(path))
  const { route, segments } = found
  const company = authorise(route, arrival.query, service)
  if (company instanceof Response) return company
  const query = parseQuery(route.query ?? {}, arrival.query)
  if ('faults' in query) return refusedFor(query.faults)
  const read = readCallBody(route, arrival.fields, body)
  if (read instanceof Response) return read
  if ('faults' in read) return refusedFor(read.faults)
  const { values, others } = read.value
  const named = { service, company, segments }
  const subject = route.find?.(named)
  if (subject instanceof Response) return subject
  const context = { nowMs: clock.nowMs(), root, deliveries, target }
  const answer = route.answer({ ...named, ...context, query: query.value, body: values, others, subject })
  if (answer instanceof Response) return answer
  const { status = 200 } = route
  if (answer === undefined) return new Response(null, { status, headers: NOT_STORED })
  return Response.json(answer, { status, headers: { ...NOT_STORED, ...warnOf(others) } })
}

function refuseRoute(methods: readonly string[]): Response {
  if (methods.length === 0) return notFound('path', 'endpoint of this path (each ends in a slash)')
  const allow = methods.join(', ')
  return refused(405, { method: [`This path takes ${allow}.`] }, { Allow: allow })
}

function authorise({ credential }: Route, query: URLSearchParams, service: Service): Company | Response {
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
