import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** One event on its way to one webhook. */
export interface Parcel {
  readonly webhookId: number
  readonly url: string
  readonly verifiesTls: boolean
  /** The JSON body. */
  readonly body: unknown
}

/** How a delivery went: the receiver's status, or the code of what went wrong before it gave one. */
export interface Delivery {
  readonly webhookId: number
  readonly outcome: 'delivered' | 'refused' | 'failed'
  readonly status?: number
  readonly code?: string
}

export interface Deliveries {
  /** Sends without waiting. */
  send(parcel: Parcel): void
  /** The last thousand deliveries since the start or the last reset, the oldest first, once none is under way. */
  settled(): Promise<readonly Delivery[]>
  reset(): void
  /** Breaks off what is under way. */
  close(): void
}

/**
 * Delivers events over http and https. What a delivery looks like is not shown (spec 6.6). **Ours:** one POST of JSON,
 * ten seconds for it, no signature, no redirect followed, no second try.
 */
export function openDeliveries(): Deliveries {
  const closing = new AbortController()
  let underway: Promise<Delivery>[] = []
  return {
    send(parcel) {
      underway.push(post(parcel, AbortSignal.any([closing.signal, AbortSignal.timeout(DEADLINE_MS)])))
      if (underway.length > MOST_DELIVERIES) underway.shift()
    },
    settled: () => Promise.all(underway),
    reset() {
      underway = []
    },
    close: () => closing.abort(),
  }
}

function post({ webhookId, url, verifiesTls, body }: Parcel, signal: AbortSignal): Promise<Delivery> {
  const octets = Buffer.from(JSON.stringify(body))
  const options = {
    method: 'POST',
    agent: false,
    signal,
    headers: { 'Content-Type': 'application/json', 'Content-Length': octets.length },
  } as const
  return new Promise((resolve) => {
    const sending = url.toLowerCase().startsWith('https:')
      ? requestHttps(url, { ...options, rejectUnauthorized: verifiesTls })
      : requestHttp(url, options)
    sending
      .on('response', (answer) => {
        answer.resume()
        const status = answer.statusCode ?? 0
        resolve({ webhookId, outcome: status >= 200 && status < 300 ? 'delivered' : 'refused', status })
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        resolve({ webhookId, outcome: 'failed', code: error.code ?? 'ERR_UNKNOWN' })
      })
      .end(octets)
  })
}

const MOST_DELIVERIES = 1000
const DEADLINE_MS = 10_000
