import { TrieRouter } from 'hono/router/trie-router'
import { agentRoutes } from './agents.ts'
import { clientRoutes } from './clients.ts'
import { companyOptionsRoutes } from './company-options.ts'
import { type Route, route } from './route.ts'
import { historyRoute, screenshotRoutes, sessionRoutes } from './sessions.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every endpoint of the REST API, in the order of spec section 4. */
export const routes: readonly Route[] = [
  ...agentRoutes,
  ...sessionRoutes,
  ...companyOptionsRoutes,
  ...screenshotRoutes,
  ...clientRoutes,
  route('GET /servers/', 'List the public servers', 'The servers', {
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
