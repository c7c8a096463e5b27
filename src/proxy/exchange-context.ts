import type { Peer } from '../forward/downstream.ts'
import type { ClientConnection } from './client-connection.ts'
import type { DeadlineClock } from './deadline.ts'
import type { ExchangeRecord } from './exchange-record.ts'
import type { ExchangeSettings } from './settings.ts'
import type { Traffic } from './traffic.ts'

/** What an exchange needs besides its request and response. */
export interface ExchangeContext {
  readonly settings: ExchangeSettings
  /** The connection that the request came on; `leave` is called when the exchange ends. */
  readonly connection: Pick<ClientConnection, 'closes' | 'leave'>
  readonly peer: Peer
  readonly traffic: Traffic
  readonly clock: DeadlineClock
  /** Called once for each request, when it ends. */
  record(record: ExchangeRecord): void
  /** Called with the size of each piece of a body, in either direction. */
  onPiece(octets: number): void
}
