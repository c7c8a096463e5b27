import { TrieRouter } from 'hono/router/trie-router'
import { type OptionValues, optionMembers, parseOptions, renderOptions } from '../options/option-values.ts'
import { limitedOptions } from '../state/service.ts'
import { agentRoutes } from './agents.ts'
import { clientRoutes } from './clients.ts'
import { refusedFor } from './reply.ts'
import { type Call, type Route, route } from './route.ts'
import { historyRoute, screenshotRoutes, sessionRoutes } from './sessions.ts'
import { webhookRoutes } from './webhooks.ts'

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
  route('GET /servers/', {
    credential: 'none',
    answer: ({ service }) => service.servers,
  }),
  historyRoute,
  ...webhookRoutes,
]

// Hono's router also works for raw paths, whose segments may contain percent signs.
const router = new TrieRouter<Route>()
for (const each of routes) router.add(each.method, each.path.replaceAll(/\{(\w+)\}/g, ':$1'), each)

/** The route of a raw path below the API's root, with its named segments. */
export function findRoute(method: string, path: string) {
  const [[found] = []] = router.match(method, path)
  return found && { route: found[0], segments: found[1] as Readonly<Record<string, string>> }
}

/** The methods that a path takes: none for an unknown one. */
export function methodsOf(path: string): readonly string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => findRoute(method, path) !== undefined)
}

/** Stores these options with those of the body over them. */
function keep({ service, company, body, others }: Call, base: OptionValues) {
  const options = parseOptions(body)
  if ('faults' in options) return refusedFor(options.faults)
  company.options = { ...base, ...options.value, ...others }
  return renderOptions(company.options, service.optionNames)
}
