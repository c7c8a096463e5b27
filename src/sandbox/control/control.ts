import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { isEndpoint } from '../rest/answer-rest.ts'
import { toFieldErrors } from '../rest/reply.ts'
import { filledText, type Members, type ValuesOf } from '../schema/schema.ts'
import { formatTimestamp } from '../schema/timestamp.ts'
import { API_ROOT, resetState, type SandboxState } from '../seed/sandbox-state.ts'
import { clockMembers } from '../state/clock.ts'
import { failureMembers } from '../state/forced-failures.ts'
import { findAgentByToken } from '../state/service.ts'
import { parseBody, readBody, refuseBody } from '../wire/body.ts'

type App = Hono<{ Bindings: HttpBindings }>

/** The stand-in's own controls, for tests. They need no key, but `refuseControl` comes first. */
export function controlApp(state: SandboxState): App {
  const app: App = new Hono()
  app.post('/_sandbox/reset', (c) => {
    resetState(state)
    return c.body(null, 204)
  })
  app.get('/_sandbox/requests', (c) => c.json({ requests: state.requests.list() }))
  app.get('/_sandbox/failures', (c) => c.json({ failures: state.failures.list() }))
  app.delete('/_sandbox/failures', (c) => {
    state.failures.clear()
    return c.body(null, 204)
  })
  app.post('/_sandbox/failures', (c) =>
    withBody(c, failureMembers, (failure) => {
      const { path } = failure
      if (!mayMatch(path))
        return c.json(
          { errors: { path: [`will never match: endpoints end in a slash, as ${path}/ does`] } },
          400,
        )
      state.failures.add(failure)
      return c.json({ failures: state.failures.list() }, 201)
    }),
  )
  app.get('/_sandbox/clock', (c) => c.json(describeClock(state)))
  app.post('/_sandbox/clock', (c) =>
    withBody(c, clockMembers, (change) => {
      state.clock.set(change)
      return c.json(describeClock(state))
    }),
  )
  app.get('/_sandbox/deliveries', async (c) => c.json({ deliveries: await state.deliveries.settled() }))
  app.post('/_sandbox/agent-token', (c) =>
    withBody(c, { agent_token: filledText }, (body) => c.json(describeToken(state, body.agent_token))),
  )
  app.get('/_sandbox/openapi.json', async (c) => c.json((await import('./openapi.ts')).renderOpenApi()))
  app.notFound((c) => c.json({ errors: { path: ['The stand-in has no such control.'] } }, 404))
  return app
}

/** Whether a call can have this path: not if only its last slash is missing. */
function mayMatch(path: string): boolean {
  const below = path.startsWith(`${API_ROOT}/`) ? path.slice(API_ROOT.length) : path
  return path.endsWith('*') || isEndpoint(below) || !isEndpoint(`${below}/`)
}

async function withBody<const M extends Members>(
  c: Context<{ Bindings: HttpBindings }>,
  members: M,
  answer: (values: ValuesOf<M>) => Response,
): Promise<Response> {
  const body = await readBody(c.env.incoming, BODY_LIMIT_OCTETS)
  if (typeof body === 'string') return refuseBody(body, BODY_LIMIT_OCTETS)
  const parsed = parseBody(members, body)
  if ('faults' in parsed) return c.json({ errors: toFieldErrors(parsed.faults) }, 400)
  return answer(parsed.value)
}

function describeClock({ clock }: SandboxState) {
  return { now: formatTimestamp(clock.nowMs()), frozen: clock.isFrozen() }
}

/** Whether this is an agent's active token, so that an embed link with it would work. */
function describeToken({ service, clock }: SandboxState, text: string) {
  const agents = [...service.companies.values()].flatMap(
    (company) => findAgentByToken(company, text, clock.nowMs()) ?? [],
  )
  const [agent] = agents
  if (agent?.token === undefined) return { active: false }
  return { active: true, agent_id: agent.agent_id, expires_at: formatTimestamp(agent.token.expiresAtMs) }
}

const BODY_LIMIT_OCTETS = 64 * 1024
