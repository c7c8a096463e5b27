import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Fields } from '../http/fields.ts'

/** A request exactly as it arrived, before any library normalised it. */
export interface Arrival {
  readonly method: string
  /** The request-target, raw. */
  readonly target: string
  /** The raw target up to its query. */
  readonly path: string
  readonly fields: Fields
  readonly body: ArrivedBody
}

export interface ArrivedBody {
  readonly octets: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Why there is no arrival: the body is over the limit, or the sender left. */
export type ArrivalFault = 'too-large' | 'aborted'

/**
 * Observes one request and reads its body to the end; of the body only length and digest are kept.
 * Reading stops once the body exceeds `bodyLimitOctets`.
 */
export async function observeArrival(
  incoming: IncomingMessage,
  bodyLimitOctets: number,
): Promise<Arrival | ArrivalFault> {
  const body = await observeBody(incoming, bodyLimitOctets)
  if (typeof body === 'string') return body
  const target = incoming.url ?? ''
  const [path = ''] = target.split('?', 1)
  return { method: incoming.method ?? '', target, path, fields: incoming.rawHeaders, body }
}

/** Events rather than `for await`: leaving that loop early destroys the socket that the answer has to go out on. */
function observeBody(incoming: IncomingMessage, limitOctets: number): Promise<ArrivedBody | ArrivalFault> {
  return new Promise((resolve) => {
    const hash = createHash('sha256')
    let octets = 0
    const onData = (chunk: Buffer) => {
      octets += chunk.length
      hash.update(chunk)
      if (octets <= limitOctets) return
      incoming.pause().off('data', onData)
      resolve('too-large')
    }
    incoming
      .on('data', onData)
      .once('end', () => resolve({ octets, sha256: hash.digest('hex') }))
      .once('error', () => resolve('aborted'))
      .once('close', () => resolve('aborted'))
  })
}
