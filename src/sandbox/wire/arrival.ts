import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { Fields } from '../../http/fields.ts'

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
