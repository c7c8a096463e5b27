import type { Failure } from './errors.ts'

/**
 * Milliseconds until the next retry; `undefined` for no retry.
 *
 * Only a GET is repeated: anything else may have taken effect before the connection broke. A request that got 429 was not
 * carried out, so any is. Only temporary failures are worth a retry: a broken connection, 429, 502, 503, 504. Retry-After
 * is obeyed up to a minute; without it the pause doubles, with jitter so that many clients don't return at the same moment.
 *
 * @param retriesBefore how many there were
 * @param random 0 to 1, like Math.random
 */
export function retryDelayMs(
  method: string,
  failure: Failure,
  retriesBefore: number,
  random: () => number,
): number | undefined {
  if ((method !== 'GET' && failure.kind !== 'rate-limit') || !isPassing(failure)) return undefined
  const { retryAfterMs } = failure
  if (retryAfterMs !== undefined) return retryAfterMs > LONGEST_MS ? undefined : retryAfterMs
  const ceilingMs = Math.min(FIRST_PAUSE_MS * 2 ** retriesBefore, LONGEST_MS)
  return Math.round(ceilingMs / 2 + (random() * ceilingMs) / 2)
}

/**
 * Reads Retry-After, RFC 9110 section 10.2.3: seconds, or a date.
 *
 * @returns milliseconds from now, never negative; `undefined` for anything else
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const atMs = /^[A-Z][a-z]{2,8},/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

function isPassing({ kind, status }: Failure): boolean {
  return kind === 'connection' || kind === 'rate-limit' || (status !== undefined && PASSING.includes(status))
}

const PASSING = [502, 503, 504]

const FIRST_PAUSE_MS = 500

const LONGEST_MS = 60_000
