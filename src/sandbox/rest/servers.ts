import { ok } from './reply.ts'
import { defineRoute, type Route } from './route.ts'

/** The public servers (spec 4.6). */
export const serverRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/servers/',
    summary: 'List the public servers',
    credential: 'none',
    query: {},
    responses: { 200: 'The servers' },
    answer: ({ service }) => ok(service.servers),
  }),
]
