import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { POINT_HOST, WIDGET_KEY } from './start-proxy.ts'

/** What a claim says was sent; left out, what the plainest request has. */
export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly cookies?: string
  /** Origin and the two fields of a preflight, a line each. */
  readonly fields?: string
  readonly body?: string
  readonly widgetKey?: string
  readonly pointUrl?: string
}

export const NONCE = 'nonce-nonce-nonce-nonc'

/** The value of Continuation-Point-Check, made as `check` makes it, but by other code. */
export function toClaim(sent: Sent = {}): string {
  const { method = 'GET', path = '/service_cookie_transfer/', query = '', cookies = '' } = sent
  const parts = [method, path, query, cookies, sent.fields ?? '\n\n', sent.body ?? '']
  const signed = [NONCE, ...parts.map((part) => base64url(createHash('sha256').update(part, 'latin1')))].join(
    '.',
  )
  return `${signed}.${sign(signed, sent)}`
}

/** HMAC-SHA-256 under the key of a point. */
export function sign(text: string, { widgetKey = WIDGET_KEY, pointUrl = POINT_URL }: Sent = {}): string {
  const key = hkdfSync('sha256', widgetKey, '', `continuation-point check ${pointUrl}`, 32)
  return base64url(createHmac('sha256', Buffer.from(key)).update(text, 'latin1'))
}

/** The short form for a line that is passed back. */
export function signLine(text: string, config: Sent = {}): string {
  return sign(`${NONCE}\n${text}`, config).slice(0, 11)
}

function base64url(hash: { digest(encoding: 'base64url'): string }): string {
  return hash.digest('base64url')
}

const POINT_URL = `http://${POINT_HOST}/service_cookie_transfer/`
