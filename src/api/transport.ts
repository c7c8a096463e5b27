import { setTimeout as sleepFor } from 'node:timers/promises'

/** The part of the global `fetch` that is used here, so that one's own can take its place. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  /** Always: the key stands in the query, and a redirect would take it elsewhere. */
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/** Time, as pacing and retries see it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

/** One request with its address. */
export interface Trip {
  readonly method: string
  readonly url: string
  /** JSON text. */
  readonly body: string | undefined
  /** Either of them ends the trip. */
  readonly signals: readonly AbortSignal[]
}

export interface TripLimits {
  /** For the whole trip, from connecting to the last octet of the body. */
  readonly timeoutMs: number
  /** Octets of a body, after its content coding was undone. */
  readonly limitBytes: number
}

/** An answer whose head arrived whole. */
export interface RawAnswer {
  readonly status: number
  /** The value of a field, `undefined` without one. */
  readonly field: (name: string) => string | undefined
  readonly body: { readonly text: string } | BodyFault
}

/** Why there is no text: longer than allowed, ended before its end, or no UTF-8. */
export interface BodyFault {
  readonly fault: 'too-large' | 'connection' | 'malformed'
}

/** A trip from which nothing came back. */
export interface BrokenTrip {
  readonly broken: 'connection' | 'timeout' | 'aborted'
  /** The network's word for it, `ECONNREFUSED`, when it has one. */
  readonly code?: string | undefined
}

/** Sends one request, once, and reads its answer. It never rejects, and it follows no redirect. */
export async function makeTrip(
  fetch: Fetch,
  trip: Trip,
  { timeoutMs, limitBytes }: TripLimits,
): Promise<RawAnswer | BrokenTrip> {
  if (trip.signals.some(({ aborted }) => aborted)) return { broken: 'aborted' }
  const abort = new AbortController()
  let end: (broken: BrokenTrip) => void = () => {}
  const ended = new Promise<BrokenTrip>((resolve) => {
    end = resolve
  })
  const timer = setTimeout(() => end({ broken: 'timeout' }), timeoutMs)
  const stop = () => end({ broken: 'aborted' })
  for (const signal of trip.signals) signal.addEventListener('abort', stop)
  try {
    return await Promise.race([readAnswer(fetch, trip, limitBytes, abort.signal), ended])
  } finally {
    clearTimeout(timer)
    for (const signal of trip.signals) signal.removeEventListener('abort', stop)
    abort.abort()
  }
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    sleepFor(ms, undefined, signal && { signal }).catch(() => {
      // The caller looks at the signal.
    }),
}

/** The fetch of the platform, looked up at each call: a program may replace it later than it loads this. */
export const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

async function readAnswer(
  fetch: Fetch,
  { method, url, body }: Trip,
  limitBytes: number,
  signal: AbortSignal,
): Promise<RawAnswer | BrokenTrip> {
  try {
    const answer = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal,
    })
    const { status, headers } = answer
    const mostBytes = status >= 200 && status < 300 ? limitBytes : Math.min(limitBytes, mostErrorBytes)
    return {
      status,
      field: (name) => headers.get(name) ?? undefined,
      body: await readBody(answer.body, mostBytes),
    }
  } catch (error) {
    return { broken: 'connection', code: toCode(error) }
  }
}

async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  limitBytes: number,
): Promise<{ readonly text: string } | BodyFault> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      if (bytes > limitBytes) return { fault: 'too-large' }
      chunks.push(chunk)
    }
  } catch {
    return { fault: 'connection' }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) }
  } catch {
    return { fault: 'malformed' }
  }
}

/** The code alone: the messages of the network quote addresses, and the key with them. */
function toCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{2,60}$/.test(code) ? code : undefined
}

/** What an error body may hold to be read for its field errors. */
const mostErrorBytes = 65_536
