import { valuesOf } from '../../http/fields.ts'
import type { NoResponse, Probe } from '../../probe/probe.ts'
import type { Observation, Question, Reply } from '../read/live-fact.ts'

type Asker<Asked> = (asked: Asked) => Promise<Reply>

/** @param mostMs how long the answer may be waited for */
type Send<Asked> = (asked: Asked, mostMs: number) => Promise<Reply>

/** A question to one of the addresses of a point. */
export interface Asked {
  readonly question: Question
  readonly address: string
}

/** Limits the number of questions to a point, and the time for them, and waits out rate limits. */
export function boundedAsker(send: Send<Asked>, pause: Probe['pause']): Asker<Asked> {
  let count = 0
  const patient = withPatience<Asked>(async (asked, mostMs) => {
    if (count >= MOST_REQUESTS) return GAVE_UP
    count += 1
    return send(asked, mostMs)
  }, PATIENCE_MS)
  return waitOutLimit(repeatClosed(patient), pause)
}

/** Waits up to a time in all for answers that don't come, or late, after some seconds; then nothing more is sent. */
export function withPatience<Asked>(send: Send<Asked>, patienceMs: number): Asker<Asked> {
  let leftMs = patienceMs
  return async (asked) => {
    if (leftMs <= 0) return GAVE_UP
    const sinceMs = performance.now()
    const reply = await send(asked, leftMs + FREE_MS)
    const freeMs = reply.kind === 'none' ? 0 : FREE_MS
    leftMs -= Math.max(0, performance.now() - sinceMs - freeMs)
    return reply
  }
}

/** RFC 9110 section 9.2.2: idempotent requests may be repeated after the connection was closed. */
function repeatClosed(send: Asker<Asked>): Asker<Asked> {
  return async (asked) => {
    const reply = await send(asked)
    const isClosed = reply.kind === 'none' && reply.cause === 'closed'
    return isClosed && IDEMPOTENT.has(asked.question.method) ? send(asked) : reply
  }
}

/** Of 70 requests to a point; connecting to its addresses takes the others. */
const MOST_REQUESTS = 60
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])
const GAVE_UP: NoResponse = { kind: 'none', cause: 'gave-up', code: 'gave-up' }
/** With what serve takes to give a service up, and what its connection takes, a point that never answers costs 45 s. */
const PATIENCE_MS = 33_000
const FREE_MS = 2_000

/** Repeats requests after the wait that a rate limit asks for. If it then refuses what it answered before, nothing more is sent. */
export function waitOutLimit<Request>(send: Asker<Request>, pause: Probe['pause']): Asker<Request> {
  let isLimited = false
  let answered: Request | undefined
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
      answered ??= request
      return reply
    }
    // A server that answers nothing but 503 is broken, not busy.
    if (answered === undefined) isLimited = reply.kind === 'response' && reply.status === 429
    else isLimited = waitedMs >= MOST_WAITED_MS || retryAfterMs(await send(answered)) !== undefined
    return isLimited ? RATE_LIMITED : reply
  }
}

/** How long a rate limit asks the client to wait, up to a maximum; `undefined` if the reply doesn't come from one. */
export function retryAfterMs(reply: Reply): number | undefined {
  if (reply.kind === 'none' || ![429, 503].includes(reply.status)) return undefined
  const [after] = valuesOf(reply.fields, 'retry-after')
  if (after === undefined) return undefined
  // RFC 9110 section 10.2.3: seconds or a date. For a date the maximum is used.
  return /^\d+$/.test(after) ? Math.min(Number(after) * 1000, MOST_WAIT_MS) : MOST_WAIT_MS
}

/** Asks a point. `direct`: the service's own answer to the question, where it is needed for comparison. */
export type Observe = (question: Question, direct?: Observation['direct']) => Promise<Observation>

/** Asks again what something else answered, until answers vary or some repetitions did not. `seen`: what came the first time. */
export function askAgain(
  observe: Observe,
  isForeign: (observation: Observation) => boolean,
  pause: Probe['pause'],
): (question: Question, direct?: Observation['direct'], seen?: Observation) => Promise<Observation> {
  let left = MOST_REPETITIONS
  return async (question, direct, seen) => {
    const first = seen ?? (await observe(question, direct))
    const attempts = [first]
    // A limit that says when to come back was waited for.
    const mayDiffer = (each: Observation) => isForeign(each) && retryAfterMs(each.reply) === undefined
    while (left > 0 && attempts.length < MOST_ATTEMPTS && attempts.every(mayDiffer)) {
      left -= 1
      // The next of several servers may answer at once, a limit on the rate only after a while.
      const isBusy = attempts.some(({ reply }) => reply.kind === 'response' && BUSY.includes(reply.status))
      if (attempts.length > 1 && isBusy) await pause(PAUSE_MS)
      attempts.push(await observe(question, direct))
    }
    const best = attempts.find((each) => !isForeign(each)) ?? first
    if (best !== first) left = 0
    return attempts.length === 1 ? best : { ...best, attempts: attempts.filter((each) => each !== best) }
  }
}

const RATE_LIMITED: NoResponse = { kind: 'none', cause: 'rate-limited', code: 'rate-limited' }
const MOST_WAITS = 2
const MOST_WAIT_MS = 5000
// In total for one point, or for the service.
const MOST_WAITED_MS = 30_000
const BUSY: readonly number[] = [429, 502, 503, 504]
const MOST_ATTEMPTS = 3
const MOST_REPETITIONS = 8
const PAUSE_MS = 1000
