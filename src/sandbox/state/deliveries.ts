import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Webhook } from './company.ts'

export type Deliveries = ReturnType<typeof openDeliveries>

/**
 * Delivers events over http and https. The form of a delivery is not shown (spec 6.6). **Ours:** one POST of JSON within ten
 * seconds, without signature, redirects or retries.
 *
 * @param closing aborts deliveries in progress
 */
export function openDeliveries(closing: AbortSignal) {
  const underway: ReturnType<typeof post>[] = []
  return {
    /** Sends JSON without waiting. */
    send(webhook: Webhook, body: unknown): void {
      underway.push(post(webhook, body, closing))
    },
    /** All deliveries, the oldest first, once none is in progress. */
    settled: () => Promise.all(underway),
  }
}

/** @returns the outcome: the receiver's status, or an error code without one */
function post(
  { id: webhookId, url, ssl_verification: rejectUnauthorized }: Webhook,
  body: unknown,
  signal: AbortSignal,
): Promise<object> {
  const octets = Buffer.from(JSON.stringify(body))
  const headers = { 'Content-Type': 'application/json', 'Content-Length': octets.length }
  const options = { method: 'POST', agent: false, signal, headers } as const
  return new Promise<object>((resolve) => {
    const sending = url.toLowerCase().startsWith('https:')
      ? requestHttps(url, { ...options, rejectUnauthorized })
      : requestHttp(url, options)
    const late = Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' })
    const timer = setTimeout(() => sending.destroy(late), DEADLINE_MS)
    const settle = ({ statusCode: status = 0 }: IncomingMessage) =>
      resolve({ webhookId, outcome: status >= 200 && status < 300 ? 'delivered' : 'refused', status })
    sending
      .on('close', () => clearTimeout(timer))
      .on('response', (answer) => settle(answer.resume()))
      .on('upgrade', (answer, socket) => {
        socket.destroy()
        settle(answer)
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        resolve({ webhookId, outcome: 'failed', code: error.code ?? 'ERR_UNKNOWN' })
      })
      .end(octets)
    // Node takes no user info that is not UTF-8.
  }).catch(() => ({ webhookId, outcome: 'failed', code: 'ERR_INVALID_URL' }))
}

const DEADLINE_MS = 10_000
