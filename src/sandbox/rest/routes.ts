import { accessTokenRoutes, agentRoutes } from './agents.ts'
import { clientRoutes } from './clients.ts'
import { companyOptionsRoutes } from './company-options.ts'
import { historyRoutes } from './history.ts'
import { ok } from './reply.ts'
import { type Route, route } from './route.ts'
import { screenshotRoutes, sessionRoutes } from './sessions.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every endpoint of the REST API, in the order of spec section 4. */
export const routes: readonly Route[] = [
  ...agentRoutes,
  ...accessTokenRoutes,
  ...sessionRoutes,
  ...companyOptionsRoutes,
  ...screenshotRoutes,
  ...clientRoutes,
  route('GET /servers/', 'List the public servers', {
    credential: 'none',
    responses: { 200: 'The servers' },
    answer: ({ service }) => ok(service.servers),
  }),
  ...historyRoutes,
  ...webhookRoutes,
]
