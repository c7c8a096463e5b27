import { json } from './answer.ts'
import type { CallOptions } from './request.ts'
import { listOf, record, text, textId } from './schema.ts'
import type { Send } from './send.ts'

/** A public server of the service (spec 2.6). */
export interface Server {
  readonly id: string
  /** Location code. */
  readonly region: string
  readonly description: string
  /** The IP addresses assigned to the server, as one string. */
  readonly ips: string
}

/** Spec 4.6. */
export interface Servers {
  /** Needs no key and sends none. */
  list(options?: CallOptions): Promise<readonly Server[]>
}

export function createServers(send: Send): Servers {
  return {
    list: ({ signal } = {}) =>
      send({ method: 'GET', path: '/servers/', credential: 'none', signal }, json(listOf(server))),
  }
}

const server = record<Server>(['id'], { id: textId, region: text, description: text, ips: text })
