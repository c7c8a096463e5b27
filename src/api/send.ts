import type { Secret } from '../config/secret.ts'
import { type Expected, judge } from './answer.ts'
import type { Budget } from './budget.ts'
import { ApiError, type Failure, withoutKey } from './errors.ts'
import { buildUrl, type CallOptions, type Endpoint, encodeBody, redactPath, type Sent } from './request.ts'
import { retryDelayMs } from './retry.ts'
import { type Clock, type Fetch, makeTrip, type TripLimits } from './transport.ts'

/**
 * Sends one call: resolves to its value, or rejects with an `ApiError`, or for a wrong argument with a TypeError or RangeError
 * before anything is sent. Resources reach the network only through this.
 */
export type Send = <T>(
  endpoint: Endpoint,
  expected: Expected<T>,
  call?: CallOptions,
  sent?: Sent,
) => Promise<T>

/** What all calls of one client share. */
export interface Sender extends TripLimits {
  /** REST root without a trailing slash. */
  readonly root: string
  readonly apiKey: Secret | undefined
  readonly fetch: Fetch
  /** How often a call may be repeated, where that is safe. */
  readonly retries: number
  readonly pacing: 'wait' | 'fail'
  readonly budget: Budget
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

/** The steps of a call: its key, the budget, the trip, the judgement, perhaps a retry. */
export function createSend(sender: Sender): Send {
  return async (endpoint, expected, call, sent = {}) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const fail = (failure: Failure, key?: Secret) =>
      new ApiError(method, redactPath(path, sent), withoutKey(failure, key))
    const key = sent.credential === 'none' ? undefined : (sent.credential ?? sender.apiKey)
    const signals = [sender.signal, call?.signal].flatMap((signal) => signal ?? [])
    const url = buildUrl(sender.root, path, sent, key)
    const trip = { method, url, body: encodeBody(endpoint, sent), signals }
    if (key === undefined && sent.credential !== 'none') throw fail({ kind: 'no-key' })
    for (let retriesBefore = 0; ; retriesBefore += 1) {
      const turn = await takeTurn(sender, signals)
      if (typeof turn !== 'number') throw fail(turn)
      const answer = await makeTrip(sender.fetch, trip, sender)
      const nowMs = sender.clock.nowMs()
      sender.budget.answered?.(turn, nowMs)
      const judged = 'kind' in answer ? answer : judge(answer, expected, nowMs)
      if ('value' in judged) return judged.value
      const delayMs = retryDelayMs(method, judged, retriesBefore, Math.random)
      if (delayMs === undefined || retriesBefore >= sender.retries) throw fail(judged, key)
      await sleep(sender.clock, delayMs, signals)
    }
  }
}

/**
 * Returns when the turn was taken. Every attempt counts against the budget, retries included, as they do at the service.
 * A turn is taken only when it has come, so that a caller who aborts while waiting costs the others nothing.
 */
async function takeTurn(
  { budget, clock, pacing }: Sender,
  signals: readonly AbortSignal[],
): Promise<Failure | number> {
  while (!signals.some(({ aborted }) => aborted)) {
    const nowMs = clock.nowMs()
    const waitMs = budget.waitMs(nowMs)
    if (waitMs <= 0) {
      budget.take(nowMs)
      return nowMs
    }
    if (pacing === 'fail') return { kind: 'pacing', retryAfterMs: waitMs }
    await sleep(clock, waitMs, signals)
  }
  return { kind: 'aborted' }
}

/** The caller checks the signals afterwards. */
function sleep(clock: Clock, ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return clock.sleep(ms, signals.length === 0 ? undefined : AbortSignal.any([...signals]))
}
