import { valuesOf } from '../../http/fields.ts'
import type { NoResponse, Probe, Reply } from '../../probe/probe.ts'
import type { Question } from '../read/question.ts'

export type Asker = (question: Question) => Promise<Reply>

/**
 * Asks no more than the most that is polite, and stops asking where nobody answers: a point that lets several
 * questions run into their deadline would let all of them. Where a rate limit turns a question away, it waits.
 */
export function patientAsker(send: Asker, pause: Probe['pause']): Asker {
  let asked = 0
  let unanswered = 0
  const count: Asker = (question) => {
    asked += 1
    return send(question)
  }
  const ask = waitOutLimit(repeatClosed(count), pause)
  return async (question) => {
    if (asked >= MOST_REQUESTS || unanswered >= MOST_UNANSWERED) {
      return { kind: 'none', cause: 'gave-up', code: 'gave-up' }
    }
    const reply = await ask(question)
    if (reply.kind === 'none' && reply.cause === 'timeout') unanswered += 1
    return reply
  }
}

/** RFC 9110 section 9.2.2: what is idempotent may be repeated where the connection was closed. */
function repeatClosed(send: Asker): Asker {
  return async (question) => {
    const reply = await send(question)
    const isClosed = reply.kind === 'none' && reply.cause === 'closed'
    return isClosed && IDEMPOTENT.has(question.method) ? send(question) : reply
  }
}

/** Of 60 for a point; the first look at its addresses takes some. */
const MOST_REQUESTS = 50
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
const MOST_UNANSWERED = 3

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
