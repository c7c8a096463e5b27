import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { type Fields, valuesOf } from '../../http/fields.ts'

export type App = Hono<{ Bindings: HttpBindings }>
export type AppContext = Context<{ Bindings: HttpBindings }>

/** A request exactly as it arrived, not normalised by any library. */
export interface Arrival {
  readonly method: string
  /** The request-target, raw. */
  readonly target: string
  /** The raw target up to its query. */
  readonly path: string
  readonly query: URLSearchParams
  /** The origin at which it arrived, by its Host. */
  readonly root: string
  readonly fields: Fields
  /** Enough of a body to tell whether it arrived unchanged; the digest is hexadecimal. */
  readonly body: { readonly octets: number; readonly sha256: string }
}

/** Records a request after its body was read. */
export function observeArrival(incoming: IncomingMessage, body: Buffer): Arrival {
  const target = incoming.url ?? ''
  const [path = ''] = target.split('?', 1)
  return {
    method: incoming.method ?? '',
    target,
    path,
    query: new URLSearchParams(target.slice(path.length)),
    root: `http://${incoming.headers.host ?? ''}`,
    fields: incoming.rawHeaders,
    body: { octets: body.length, sha256: createHash('sha256').update(body).digest('hex') },
  }
}

/**
 * The fields that let a page read an answer across origins (Fetch standard, section "CORS protocol"), and whether the request
 * is a preflight, which they answer. Vary is on every answer, since each may differ for another Origin; the others only for an
 * origin that may read it.
 */
export function judgeCors({ method, fields }: Arrival, mayRead: (origin: string) => boolean) {
  const [origin, ...more] = valuesOf(fields, 'origin')
  if (origin === undefined || more.length > 0 || !mayRead(origin)) {
    return { isPreflight: false, headers: { Vary: 'Origin' } }
  }
  const isPreflight = method === 'OPTIONS' && valuesOf(fields, 'access-control-request-method').length > 0
  const asked = valuesOf(fields, 'access-control-request-headers').join(', ')
  const headers = {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    ...(isPreflight && { 'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }),
    ...(isPreflight && asked !== '' && { 'Access-Control-Allow-Headers': asked }),
  }
  return { isPreflight, headers }
}
