import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { FAILURES, type FailureKind } from '../forward/failure.ts'
import type { Begin } from './app.ts'
import { DeadlineClock } from './deadline.ts'
import { Exchange, type ExchangeSettings, type Traffic } from './exchange.ts'
import type { ExchangeRecord } from './exchange-record.ts'

/** The exchanges of one process: what is common to them, and what may be asked of them from outside. */
export interface ContinuationProxy {
  readonly traffic: Traffic
  /** Connect's `(incoming, outgoing, next)`, for node:http and what is built on it. */
  readonly begin: Begin
  /** The listener for a server of our own. */
  listener(listenerScheme: 'https' | undefined): (incoming: IncomingMessage, outgoing: ServerResponse) => void
  /**
   * Octets of a connection stopped making sense. The exchange whose request is incomplete fails; one that is under
   * way with a complete request ends first. `refuse` is called when the answer is not an exchange's to give.
   */
  interrupt(
    socket: IncomingMessage['socket'],
    kind: FailureKind,
    code: string | undefined,
    refuse: () => void,
  ): void
  /** Records a request that never became an exchange, and gives it an id. */
  recordRefusal(
    socket: IncomingMessage['socket'],
    kind: FailureKind,
    method: string,
    code: string | undefined,
  ): string
  /** New exchanges use the new settings; those under way end with the old ones, whose connections close after them. */
  replace(settings: ExchangeSettings): void
  /** Lets exchanges end, then closes the connections to the service. */
  close(): Promise<void>
  /** Closes the connections to the service now. */
  destroy(): Promise<void>
}

/**
 * Opens a proxy over compiled settings. `record` is called once for each request, when it is over; `carry` with the
 * octets of each piece of a body that passes.
 */
export function openProxy(
  initial: ExchangeSettings,
  record: (record: ExchangeRecord) => void,
  carry: (octets: number) => void = () => {},
): ContinuationProxy {
  let settings = initial
  const traffic: Traffic = { inFlight: 0, state: 'open', awaitContinue: new WeakSet() }
  const clock = new DeadlineClock()
  const current = new WeakMap<IncomingMessage['socket'], Exchange>()
  /** Responses of the programs that this is mounted in, while they are not left to the site. */
  const begun = new WeakSet<ServerResponse>()
  const isNewest = (exchange: Exchange) => current.get(exchange.socket) === exchange

  const beginOn =
    (listenerScheme: 'https' | undefined): Begin =>
    (incoming, outgoing, next) => {
      if ('stream' in outgoing) return refuseSecondVersion(incoming, outgoing, next)
      const exchange = new Exchange(
        { settings, listenerScheme, traffic, clock, record, carry, isNewest },
        incoming,
        outgoing,
      )
      current.set(incoming.socket, exchange)
      exchange.begin(next)
    }

  const recordRefusal: ContinuationProxy['recordRefusal'] = (socket, kind, method, code) => {
    const id = randomUUID()
    record({
      id,
      method,
      point: undefined,
      peerAddress: settings.peerOf(socket).address,
      status: FAILURES[kind].status,
      outcome: kind,
      code,
      durationMs: 0,
      upstreamMs: undefined,
      requestOctets: 0,
      responseOctets: 0,
    })
    return id
  }

  /** Node's HTTP/2 server gives messages of other classes, with a stream, which no exchange can be held over. */
  const refuseSecondVersion: Begin = ({ socket, method = '' }, outgoing, next) => {
    if (next !== undefined) return next()
    recordRefusal(socket, 'bad-version', method, undefined)
    outgoing.writeHead(FAILURES['bad-version'].status).end()
  }

  return {
    traffic,
    begin: (incoming, outgoing, next) => {
      // Mounted twice over, it forwards once.
      if (begun.has(outgoing)) return
      begun.add(outgoing)
      const leave = () => {
        begun.delete(outgoing)
        next?.()
      }
      const listenerScheme = 'encrypted' in incoming.socket ? 'https' : undefined
      beginOn(listenerScheme)(incoming, outgoing, next === undefined ? undefined : leave)
    },
    listener: (listenerScheme) => beginOn(listenerScheme),
    interrupt: (socket, kind, code, refuse) => {
      const exchange = current.get(socket)
      if (exchange === undefined) refuse()
      else exchange.interrupt(kind, code, refuse)
    },
    recordRefusal,
    replace: (next) => {
      const { upstream } = settings
      settings = next
      void upstream.close()
    },
    close: () => settings.upstream.close(),
    destroy: () => settings.upstream.destroy(),
  }
}
