import { toFieldErrors } from '../rest/reply.ts'
import { methodsOf } from '../rest/routes.ts'
import { formatTimestamp, type Members, type ValuesOf } from '../schema/schema.ts'
import { API_ROOT, resetState, type SandboxState } from '../seed/sandbox-state.ts'
import { clockMembers } from '../state/clock.ts'
import { failureMembers } from '../state/forced-failures.ts'
import { type App, type AppContext, parseBody, readBody } from '../wire/arrival.ts'

/** Adds the stand-in's own controls, for tests. They need no key, but `refuseControl` comes first. */
export function addControls(app: App, state: SandboxState): void {
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
      if (!mayMatch(path)) {
        const errors = { path: [`will never match: endpoints end in a slash, as ${path}/ does`] }
        return c.json({ errors }, 400)
      }
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
  app.all('/_sandbox/*', (c) => c.json({ errors: { path: ['The stand-in has no such control.'] } }, 404))
}

/** Whether a call can have this path: not if only its last slash is missing. */
function mayMatch(path: string): boolean {
  const below = path.startsWith(`${API_ROOT}/`) ? path.slice(API_ROOT.length) : path
  return path.endsWith('*') || methodsOf(below).length > 0 || methodsOf(`${below}/`).length === 0
}

async function withBody<const M extends Members>(
  c: AppContext,
  members: M,
  answer: (values: ValuesOf<M>) => Response,
): Promise<Response> {
  const body = await readBody(c.env.incoming, BODY_LIMIT_OCTETS)
  if (body instanceof Response) return body
  const parsed = parseBody(members, body)
  if ('faults' in parsed) return c.json({ errors: toFieldErrors(parsed.faults) }, 400)
  return answer(parsed.value)
}

function describeClock({ clock }: SandboxState) {
  return { now: formatTimestamp(clock.nowMs()), frozen: clock.isFrozen() }
}

const BODY_LIMIT_OCTETS = 64 * 1024
