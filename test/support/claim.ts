import { createHash } from 'node:crypto'
import { WIDGET_KEY } from './start-proxy.ts'

/** What a claim says was sent; left out, what the plainest request has. */
export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly cookies?: string
  /** Origin and the two fields of a preflight, a line each. */
  readonly fields?: string
  readonly key?: string
  readonly body?: string
}

export const NONCE = 'nonce-nonce-nonce-nonc'

/** The value of Continuation-Point-Check, made as `check` makes it, but by other code. */
export function toClaim(sent: Sent = {}): string {
  const { method = 'GET', path = '/service_cookie_transfer/', query = '', cookies = '' } = sent
  const { fields = '\n\n', key = WIDGET_KEY, body = '' } = sent
  const parts = [method, path, query, cookies, fields, key, body]
  return [NONCE, ...parts.map(digest)].join('.')
}

/** The short form for a line that is passed back. */
export function digestLine(text: string): string {
  return digest(text).slice(0, 11)
}

function digest(text: string): string {
  return createHash('sha256').update(`${NONCE}\n${text}`, 'latin1').digest('base64url')
}
