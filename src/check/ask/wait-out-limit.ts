import { valuesOf } from '../../http/fields.ts'
import type { NoResponse, Probe, Reply } from '../../probe/probe.ts'

/**
 * Sends again, after the wait that it names, what a limit on the rate of requests turned away. Where the limit holds,
 * nothing more is sent.
 */
export function waitOutLimit<Request>(
  send: (request: Request) => Promise<Reply>,
  pause: Probe['pause'],
): (request: Request) => Promise<Reply> {
  let isLimited = false
  let hasAnswered = false
  let waitedMs = 0
  return async (request) => {
    if (isLimited) return RATE_LIMITED
    let reply = await send(request)
    for (let wait = 0; wait < MOST_WAITS && waitedMs < MOST_WAITED_MS; wait += 1) {
      const pauseMs = retryAfterMs(reply)
      if (pauseMs === undefined) break
      await pause(pauseMs)
      waitedMs += pauseMs
      reply = await send(request)
    }
    if (retryAfterMs(reply) === undefined) {
      hasAnswered = true
      return reply
    }
    // Who never answers anything but 503 is not busy, but broken.
    isLimited = hasAnswered || (reply.kind === 'response' && reply.status === 429)
    return isLimited ? RATE_LIMITED : reply
  }
}

/** How long a rate limit wants a client to wait, within reason; `undefined` where the reply is of no limit. */
function retryAfterMs(reply: Reply): number | undefined {
  if (reply.kind === 'none' || ![429, 503].includes(reply.status)) return undefined
  const [after] = valuesOf(reply.fields, 'retry-after')
  if (after === undefined) return undefined
  // RFC 9110 section 10.2.3: seconds or a date; of a date the most is taken.
  return /^\d+$/.test(after) ? Math.min(Number(after) * 1000, MOST_WAIT_MS) : MOST_WAIT_MS
}

const RATE_LIMITED: NoResponse = { kind: 'none', cause: 'rate-limited', code: 'rate-limited' }
const MOST_WAITS = 2
const MOST_WAIT_MS = 5000
// For one point, or for the service.
const MOST_WAITED_MS = 30_000
