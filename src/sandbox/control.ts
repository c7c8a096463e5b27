import { type Fields, valuesOf } from '../http/fields.ts'
import { refused, refusedFor } from './rest/reply.ts'
import { type App, type AppContext, parseBody, readBody } from './state/arrival.ts'
import { clockMembers, failureMembers } from './state/controlled.ts'
import { resetState, type SandboxState } from './state/sandbox-state.ts'
import { formatTimestamp, type Members, type ValuesOf } from './state/schema.ts'

/** Adds the stand-in's own controls, for tests. */
export function addControls(app: App, state: SandboxState): void {
  app.use('/_sandbox/*', async (c, next) => refuseForeignPage(c.env.incoming.rawHeaders) ?? next())
  app.post('/_sandbox/reset', (c) => {
    resetState(state)
    return c.body(null, 204)
  })
  app.get('/_sandbox/requests', (c) => c.json({ requests: state.requests.list() }))
  app.get('/_sandbox/failures', (c) => c.json({ failures: state.failures.list() }))
  app.post('/_sandbox/failures', (c) =>
    withBody(c, failureMembers, (failure) => {
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

/**
 * The controls need no key, and a page in a developer's browser can send a simple request without a preflight; but it can't
 * hide its origin (Fetch Metadata, section 2.4; Fetch, section 3.2). Programs send neither field.
 */
function refuseForeignPage(fields: Fields): Response | undefined {
  const own = `http://${valuesOf(fields, 'host')[0] ?? ''}`.toLowerCase()
  const isOwn =
    valuesOf(fields, 'sec-fetch-site').every((site) => site === 'same-origin' || site === 'none') &&
    valuesOf(fields, 'origin').every((origin) => origin === own)
  return isOwn
    ? undefined
    : refused(403, { origin: ['The controls refuse requests from pages of other origins.'] })
}

async function withBody<const M extends Members>(
  c: AppContext,
  members: M,
  answer: (values: ValuesOf<M>) => Response,
): Promise<Response> {
  const body = await readBody(c.env.incoming)
  if (body instanceof Response) return body
  const parsed = parseBody(members, body)
  if ('faults' in parsed) return refusedFor(parsed.faults)
  return answer(parsed.value)
}

function describeClock({ clock }: SandboxState) {
  return { now: formatTimestamp(clock.nowMs()), frozen: clock.isFrozen() }
}
