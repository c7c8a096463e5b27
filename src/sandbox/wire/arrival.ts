import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Fields } from '../../http/fields.ts'

/** A request exactly as it arrived, not normalised by any library. */
export interface Arrival {
  readonly method: string
  /** The request-target, raw. */
  readonly target: string
  /** The raw target up to its query. */
  readonly path: string
  readonly fields: Fields
  readonly body: ArrivedBody
}

/** Enough of a body to tell whether it arrived unchanged. */
export interface ArrivedBody {
  readonly octets: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface ServiceRequest {
  readonly arrival: Arrival
  readonly body: Buffer
  /** The sender's IP address. */
  readonly address: string
}

/** Records a request after its body was read. */
export function observeArrival(incoming: IncomingMessage, body: Buffer): Arrival {
  const target = incoming.url ?? ''
  const [path = ''] = target.split('?', 1)
  return {
    method: incoming.method ?? '',
    target,
    path,
    fields: incoming.rawHeaders,
    body: { octets: body.length, sha256: createHash('sha256').update(body).digest('hex') },
  }
}
