import { listOf } from './answer.ts'
import type { CallOptions } from './request.ts'
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
  const servers = listOf<Server>({ id: 'string' })
  return { list: (call) => send('GET /servers/', servers, call, { credential: 'none' }) }
}
