import { valuesOf } from '../../http/fields.ts'
import type { NoAnswer, Probe, Reply } from '../probe/probe.ts'
import type { Question } from './question.ts'

export type Asker = (question: Question) => Promise<Reply>

/**
 * Asks no more than the most that is polite, and stops asking where nobody answers: a point that lets several
 * questions run into their deadline would let all of them. Where a rate limit turns a question away, it waits.
 */
export function patientAsker(send: Asker, pause: Probe['pause']): Asker {
  let isLimited = false
  let waitedMs = 0
  let asked = 0
  let unanswered = 0
  return async (question) => {
    if (asked >= MOST_REQUESTS || unanswered >= MOST_UNANSWERED) {
      return { kind: 'none', cause: 'gave-up', code: 'gave-up' }
    }
    if (isLimited) return RATE_LIMITED
    asked += 1
    let reply = await send(question)
    // RFC 9110 section 9.2.2: what is idempotent may be repeated where the connection was closed.
    if (reply.kind === 'none' && reply.cause === 'closed' && IDEMPOTENT.has(question.method)) {
      asked += 1
      reply = await send(question)
    }
    // A service that turns away the first question of all is not there to be asked.
    if (question.purpose !== 'verification') {
      for (let wait = 0; wait < MOST_WAITS && waitedMs < MOST_WAITED_MS; wait += 1) {
        const pauseMs = retryAfterMs(reply)
        if (pauseMs === undefined) break
        await pause(pauseMs)
        waitedMs += pauseMs
        asked += 1
        reply = await send(question)
      }
      isLimited = retryAfterMs(reply) !== undefined
      if (isLimited) return RATE_LIMITED
    }
    if (reply.kind === 'none' && reply.cause === 'timeout') unanswered += 1
    return reply
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

const RATE_LIMITED: NoAnswer = { kind: 'none', cause: 'rate-limited', code: 'rate-limited' }
const MOST_WAITS = 2
const MOST_WAIT_MS = 5000
// For one point.
const MOST_WAITED_MS = 30_000

/** Of 60 for a point; the first look at its addresses takes some. */
const MOST_REQUESTS = 50
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
const MOST_UNANSWERED = 3
