import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** One event for one webhook. */
export interface Parcel {
  readonly webhookId: number
  readonly url: string
  readonly verifiesTls: boolean
  /** The JSON body. */
  readonly body: unknown
}

/** The outcome of a delivery: the receiver's status, or an error code without one. */
export interface Delivery {
  readonly webhookId: number
  readonly outcome: 'delivered' | 'refused' | 'failed'
  readonly status?: number
  readonly code?: string
}

export interface Deliveries {
  /** Sends without waiting. */
  send(parcel: Parcel): void
  /** The last thousand deliveries since the start or the last reset, the oldest first, once none is in progress. */
  settled(): Promise<readonly Delivery[]>
  reset(): void
  /** Aborts deliveries in progress. */
  close(): void
}

/**
 * Delivers events over http and https. The form of a delivery is not shown (spec 6.6). **Ours:** one POST of JSON within ten
 * seconds, without signature, redirects or retries.
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
