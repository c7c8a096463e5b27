import type { Secret } from '../config/secret.ts'
import { isLoopbackHost } from '../http/host.ts'
import { type Expected, judge } from './answer.ts'
import { type Budget, openBudget } from './budget.ts'
import { ApiError, type Failure, withoutKeys } from './errors.ts'
import {
  buildUrl,
  type CallOptions,
  type Endpoint,
  encodeBody,
  parseKey,
  redactPath,
  requireWhole,
  type Sent,
} from './request.ts'
import { retryDelayMs } from './retry.ts'
import { type Clock, type Fetch, globalFetch, makeTrip, systemClock } from './transport.ts'

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

export interface ClientSettings {
  /** The root of the REST API, `https://cobrowse.example.net/v2`. Plain http only on loopback: the key is in the URL. */
  readonly baseUrl: string
  /** The account's REST key. Without one (or empty) only the list of servers and `options.get` with a widget key work. */
  readonly apiKey?: Secret | string | undefined
  /** Default: the global one, on loopback undici's. It has to honour `redirect: 'manual'`. */
  readonly fetch?: Fetch | undefined
  /** Milliseconds for one attempt, from connecting to the last byte of the answer. Default: 30 000. */
  readonly timeoutMs?: number | undefined
  /**
   * How often a GET is repeated after a broken connection, 429, 502, 503 or 504; any other call after 429
   * alone, which says that it was not carried out. Default: 2.
   */
  readonly retries?: number | undefined
  /** Whether a call beyond 100 in a minute waits for its turn or fails. Default: `wait`. */
  readonly pacing?: 'wait' | 'fail' | undefined
  /** Share it among clients at the same IP address, since the service counts by address. Default: a budget of its own. */
  readonly budget?: Budget | undefined
  /** The largest answer in bytes. Default: 2 MiB, for a page of the history 8 MiB. */
  readonly limitBytes?: number | undefined
  /** Aborts every call of this client. */
  readonly signal?: AbortSignal | undefined
  /** For tests. */
  readonly clock?: Clock | undefined
}

/**
 * The steps of a call: its key, the budget, the trip, the judgement, perhaps a retry.
 *
 * @param root REST root without a trailing slash
 */
export function createSend(root: string, settings: ClientSettings): Send {
  const {
    fetch = chooseFetch(root),
    timeoutMs = 30_000,
    retries = 2,
    pacing = 'wait',
    budget = openBudget(),
    clock = systemClock,
  } = settings
  requireWhole({ timeoutMs, limitBytes: settings.limitBytes ?? 1 }, 1)
  requireWhole({ retries }, 0)
  const apiKey = parseKey(settings.apiKey, 'apiKey')
  /**
   * Returns when the turn was taken. Every attempt counts against the budget, retries included, as they do at the service.
   * A turn is taken only when it has come, so that a caller who aborts while waiting costs the others nothing.
   */
  const takeTurn = async (signals: readonly AbortSignal[]): Promise<Failure | number> => {
    while (!signals.some(({ aborted }) => aborted)) {
      const nowMs = clock.nowMs()
      const waitMs = budget.waitMs(nowMs)
      if (waitMs <= 0) {
        budget.take(nowMs)
        return nowMs
      }
      if (pacing === 'fail') return { kind: 'pacing', retryAfterMs: waitMs }
      await sleep(waitMs, signals)
    }
    return { kind: 'aborted' }
  }
  /** The caller checks the signals afterwards. */
  const sleep = (ms: number, signals: readonly AbortSignal[]): Promise<void> =>
    clock.sleep(ms, signals.length === 0 ? undefined : AbortSignal.any([...signals]))
  return async (endpoint, expected, call, sent = {}) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const fail = (failure: Failure, key?: Secret) =>
      new ApiError(method, redactPath(path, sent), withoutKeys(failure, [key, apiKey]))
    const key = sent.credential === 'none' ? undefined : (sent.credential ?? apiKey)
    const signals = [settings.signal, call?.signal].flatMap((signal) => signal ?? [])
    const url = buildUrl(root, path, sent, key)
    const limitBytes = settings.limitBytes ?? sent.limitBytes ?? MOST_BYTES
    const trip = { method, url, body: encodeBody(endpoint, sent), signals, timeoutMs, limitBytes }
    if (key === undefined && sent.credential !== 'none') throw fail({ kind: 'no-key' })
    for (let retriesBefore = 0; ; retriesBefore += 1) {
      const turn = await takeTurn(signals)
      if (typeof turn !== 'number') throw fail(turn)
      const answer = await makeTrip(fetch, trip)
      const nowMs = clock.nowMs()
      budget.answered?.(turn, nowMs)
      const judged = 'kind' in answer ? answer : judge(answer, expected, nowMs)
      if ('value' in judged) return judged.value
      const delayMs = retryDelayMs(method, judged, retriesBefore, Math.random)
      if (delayMs === undefined || retriesBefore >= retries) throw fail(judged, key)
      await sleep(delayMs, signals)
    }
  }
}

/** The global fetch; for this machine undici's: Node's may look `localhost` up in DNS, or ask a proxy (NODE_USE_ENV_PROXY). */
function chooseFetch(root: string): Fetch {
  if (!isLoopbackHost(new URL(root).hostname)) return globalFetch
  const opened = import('./transport-undici.ts').then(({ createLoopbackFetch }) => createLoopbackFetch())
  return async (url, init) => (await opened)(url, init)
}

/** Of an answer, if neither the settings nor the endpoint have another limit. */
const MOST_BYTES = 2_097_152
