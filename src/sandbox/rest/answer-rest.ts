import { TrieRouter } from 'hono/router/trie-router'
import type { Arrival } from '../state/arrival.ts'
import type { Company } from '../state/company.ts'
import { type OptionValues, optionMembers, parseOptions, renderOptions } from '../state/option-values.ts'
import { API_ROOT, type SandboxState } from '../state/sandbox-state.ts'
import { findCompany, limitedOptions, mainCompany, type Service } from '../state/service.ts'
import { agentRoutes } from './agents.ts'
import { clientRoutes } from './clients.ts'
import { parseQuery, readCallBody, warningsOf } from './read-call.ts'
import { NOT_STORED, notFound, refused, refusedFor } from './reply.ts'
import { type Call, type Route, route } from './route.ts'
import { historyRoute, screenshotRoutes, sessionRoutes } from './sessions.ts'
import { webhookRoutes } from './webhooks.ts'

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
  const warnings = [...warningsOf(others)]
  const context = { nowMs: clock.nowMs(), root, deliveries, target, warnings }
  const answer = route.answer({ ...named, ...context, query: query.value, body: values, others, subject })
  if (answer instanceof Response) return answer
  const { status = 200 } = route
  if (answer === undefined) return new Response(null, { status, headers: NOT_STORED })
  const headers = new Headers(NOT_STORED)
  for (const text of warnings) headers.append('Warning', `299 - "${text}"`)
  return Response.json(answer, { status, headers })
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
  if (credential === 'reseller-key' && company.resellerKey === undefined)
    return refused(403, { api_key: ['It is not the key of a reseller.'] })
  return company
}

/** The company's default session options (spec 4.3). */
const companyOptionsRoutes: readonly Route[] = [
  route('GET /company/options/', {
    credential: 'rest-or-widget-key',
    answer: ({ service, company }) => renderOptions(limitedOptions(service, company), service.optionNames),
  }),
  route('POST /company/options/', {
    body: optionMembers,
    takesOptions: true,
    answer: (call) => keep(call, {}),
  }),
  route('PATCH /company/options/', {
    body: optionMembers,
    takesOptions: true,
    answer: (call) => keep(call, call.company.options),
  }),
  route('DELETE /company/options/', {
    answer({ company }) {
      company.options = {}
    },
  }),
]

/** Every endpoint of the REST API, in the order of spec section 4. */
export const routes: readonly Route[] = [
  ...agentRoutes,
  ...sessionRoutes,
  ...companyOptionsRoutes,
  ...screenshotRoutes,
  ...clientRoutes,
  route('GET /servers/', { credential: 'none', answer: ({ service }) => service.servers }),
  historyRoute,
  ...webhookRoutes,
]

// Hono's router also works for raw paths, whose segments may contain percent signs.
const router = new TrieRouter<Route>()
for (const each of routes) router.add(each.method, each.path.replaceAll(/\{(\w+)\}/g, ':$1'), each)

/** The route of a raw path below the API's root, with its named segments. */
function findRoute(method: string, path: string) {
  const [[found] = []] = router.match(method, path)
  return found && { route: found[0], segments: found[1] as Readonly<Record<string, string>> }
}

/** The methods that a path takes: none for an unknown one. */
function methodsOf(path: string): readonly string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => findRoute(method, path) !== undefined)
}

/** Stores these options with those of the body over them. */
function keep({ service, company, body, others }: Call, base: OptionValues) {
  const options = parseOptions(body)
  if ('faults' in options) return refusedFor(options.faults)
  const kept = { ...base, ...options.value, ...others }
  if (Object.keys(kept).length > MOST_OPTIONS) return refused(400, { body: ['It has too many options.'] })
  company.options = kept
  return renderOptions(company.options, service.optionNames)
}

const MOST_OPTIONS = 1000
