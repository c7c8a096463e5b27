import type { Client, Dispatcher } from 'undici'
import { MAX_FIELD_LINES } from '../forward/downstream.ts'
import type { Addresses } from './addresses.ts'
import type { Dial, Link } from './connections.ts'
import { compileDial, type Dialed, type UpstreamSettings } from './dial.ts'
import { boundLines } from './internals/response-parser.ts'
import type { ResponseReader } from './internals/response-reader.ts'
import { RESPONSE_HEAD_LIMIT_BYTES } from './internals/response-start.ts'
import { loadClient } from './internals/undici-client.ts'
import type { Leases } from './leases.ts'

/** Compiles an address of the service into a function that opens connections for leases. */
export function compileConnect(
  settings: UpstreamSettings,
  addresses: Addresses,
  leases: () => Leases<Connection>,
): Dial<Connection> {
  const dial = compileDial(settings, addresses)
  return (onOpen, onFailure) =>
    dial((dialed) => onOpen(new Connection(dialed, settings, leases())), onFailure)
}

/**
 * One connection to the service: a connected socket, and an undici Client with HTTP/1.1 on it that must open no other.
 *
 * The exchange enforces the timeouts, since undici's have gaps (they stop while a body is written or reading is
 * paused); only the idle timeout is undici's, since it understands Keep-Alive.
 */
export class Connection implements Link {
  /** The connections whose response was complete in this turn of the event loop. */
  static #settled: Connection[] = []
  readonly origin: string
  readonly reader: ResponseReader
  /** Requests that were written, the current one included. */
  requests = 0
  readonly blame: Dialed['blame']
  readonly #socket: Dialed['socket']
  readonly #client: Client
  readonly #leases: Leases<Connection>
  #state: 'idle' | 'busy' = 'idle'
  #isExpired = false

  constructor(
    { socket, reader, blame }: Dialed,
    { origin, connectionAgeMs }: UpstreamSettings,
    leases: Leases<Connection>,
  ) {
    this.origin = origin
    this.#leases = leases
    this.reader = reader
    this.blame = blame
    // Connections that were opened together shouldn't all be replaced at the same time.
    const age = setTimeout(() => this.#expire(), connectionAgeMs * (1 - Math.random() / 4))
    this.#socket = socket
    let offered: typeof socket | undefined = socket
    this.#client = new (loadClient())(origin, {
      connect: (_options, callback) => {
        const only = offered
        offered = undefined
        // There is none once the first has closed before the request was written to it.
        const answer = () =>
          only ? callback(null, only) : callback(new Error('There is no second socket'), null)
        // undici ignores a callback made within the call.
        queueMicrotask(answer)
      },
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: RESPONSE_HEAD_LIMIT_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
    })
    socket.once('close', () => {
      clearTimeout(age)
      void this.#client.destroy()
      leases.closed(this)
    })
    // undici does not read until the first request, so a FIN would go unnoticed.
    socket.resume()
    socket.setTimeout(IDLE_MS, () => socket.destroy())
  }

  /** Sends one request; the next may follow once the connection is free, after `settle`. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.requests === 0) this.#socket.setTimeout(0)
    this.#client.dispatch(options, handler)
  }

  /** A request is being written. */
  expectResponse(): void {
    if (this.requests === 0) boundLines(this.#socket, MAX_FIELD_LINES)
    this.requests += 1
    this.#state = 'busy'
    this.reader.expect()
  }

  /**
   * The current request has ended. undici closes it in the same turn if it must not be reused; we do if more octets arrived.
   *
   * A service may send a second response right behind the first. So the connection is free only after this turn of the
   * event loop, and undici waits for one more before it writes: in between, the socket is polled.
   */
  settle(): void {
    this.reader.expectNothing()
    if (Connection.#settled.push(this) === 1) setImmediate(Connection.#freeSettled)
  }

  static #freeSettled(): void {
    const settled = Connection.#settled
    Connection.#settled = []
    for (const connection of settled) connection.#free()
  }

  #free(): void {
    const { destroyed, readableEnded, readableLength, writable } = this.#socket
    if (destroyed) return
    if (readableEnded || readableLength > 0 || !writable || this.#isExpired) return this.destroy()
    this.#state = 'idle'
    this.#leases.free(this)
  }

  /** An expired connection is closed once its request has ended. A request that was not written yet goes to another. */
  #expire(): void {
    this.#isExpired = true
    if (this.#state === 'idle') this.destroy()
  }

  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

/** The idle timeout: shorter than that of common servers, so that we close the connection, not the service. */
const IDLE_MS = 4_000
/** Longest idle timeout that the service can ask for in a Keep-Alive field. */
const MAX_IDLE_MS = 60_000
