import { json } from './answer.ts'
import type { CallOptions } from './request.ts'
import { type Fields, listOf, record, text, textId } from './schema.ts'
import type { Send } from './send.ts'

const fields = {
  id: textId,
  /** Location code. */
  region: text,
  description: text,
  /** The IP addresses assigned to the server, as one string. */
  ips: text,
}

/** A public server of the service (spec 2.6). */
export type Server = Fields<typeof fields>

/** Spec 4.6. */
export interface Servers {
  /** Needs no key and sends none. */
  list(options?: CallOptions): Promise<readonly Server[]>
}

export function createServers(send: Send): Servers {
  return { list: (call) => send('GET /servers/', json(listOf(server)), call, { credential: 'none' }) }
}

const server = record<Server>(['id'], fields)
