import { setTimeout as sleepFor } from 'node:timers/promises'
import { whyUnverified } from '../http/unverified.ts'
import { codeOf, type Failure } from './errors.ts'

/** The part of the global `fetch` that is used here, so that another one can replace it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>

export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
  /** Always: the key is in the query, and a redirect would send it elsewhere. */
  readonly redirect: 'manual'
  readonly signal: AbortSignal
}

export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/** The clock of pacing and retries. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Resolves after so many milliseconds, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

/** One request with its address. */
export interface Trip {
  readonly method: string
  readonly url: string
  /** JSON text. */
  readonly body: string | undefined
  /** Each of them aborts the trip. */
  readonly signals: readonly AbortSignal[]
  /** For the whole trip, from connecting to the last byte of the body. */
  readonly timeoutMs: number
  /** Of a body. */
  readonly limitBytes: number
}

/** An answer whose head arrived completely. */
export interface RawAnswer {
  readonly status: number
  readonly headers: FetchAnswer['headers']
  /** Its text; or why there is none: it is too long, incomplete, or not UTF-8. */
  readonly body: { readonly text: string } | Pick<Failure, 'kind' | 'detail'>
}

/** Sends one request once and reads the answer. It never rejects and follows no redirect. */
export async function makeTrip(fetch: Fetch, trip: Trip): Promise<RawAnswer | Failure> {
  if (trip.signals.some(({ aborted }) => aborted)) return { kind: 'aborted' }
  // The key is in the URL, and whichever fetch it is may get its connections from Node.
  if (trip.url.startsWith('https:') && whyUnverified() !== undefined) return { kind: 'unverified' }
  const abort = new AbortController()
  let end: (failure: Failure) => void = () => {}
  const ended = new Promise<Failure>((resolve) => {
    end = resolve
  })
  const timer = setTimeout(() => end({ kind: 'timeout' }), trip.timeoutMs)
  const stop = () => end({ kind: 'aborted' })
  for (const signal of trip.signals) signal.addEventListener('abort', stop)
  try {
    return await Promise.race([readAnswer(fetch, trip, abort.signal), ended])
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
      // The caller checks the signal.
    }),
}

/** The global fetch, looked up at each call, since a program may replace it after loading this. */
export const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init)

async function readAnswer(
  fetch: Fetch,
  { method, url, body: sent, limitBytes }: Trip,
  signal: AbortSignal,
): Promise<RawAnswer | Failure> {
  // Where a service closes the connection, Node's fetch may throw what nobody can catch while it decodes (undici, issue 5360).
  const accept = { accept: 'application/json', 'accept-encoding': 'identity' }
  const content =
    sent === undefined
      ? { headers: accept }
      : { headers: { ...accept, 'content-type': 'application/json' }, body: sent }
  try {
    const answer = await fetch(url, { method, ...content, redirect: 'manual', signal })
    const { status, headers } = answer
    const mostBytes = status >= 200 && status < 300 ? limitBytes : Math.min(limitBytes, MOST_ERROR_BYTES)
    const coding = headers.get('content-encoding') ?? 'identity'
    const body = /^identity$/i.test(coding)
      ? await readBody(answer.body, mostBytes)
      : ({ kind: 'malformed', detail: 'it is compressed, which was not asked for' } as const)
    return { status, headers, body }
  } catch (error) {
    return { kind: 'connection', detail: codeOf(error instanceof Error ? (error.cause ?? error) : undefined) }
  }
}

async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  limitBytes: number,
): Promise<RawAnswer['body']> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      if (bytes > limitBytes) return { kind: 'too-large', detail: `more than ${limitBytes} bytes` }
      chunks.push(chunk)
    }
  } catch {
    return { kind: 'connection' }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) }
  } catch {
    return { kind: 'malformed' }
  }
}

/** Error bodies are read up to this size. */
const MOST_ERROR_BYTES = 65_536
