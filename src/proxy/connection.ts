import type { Client, Dispatcher } from 'undici'
import { MAX_FIELD_LINES } from '../forward/downstream.ts'
import type { Link } from './connections.ts'
import type { Dialed, UpstreamSettings } from './dial.ts'
import { type ResponseWatch, watchResponses } from './internals/response-parser.ts'
import type { ResponseReader } from './internals/response-reader.ts'
import { RESPONSE_HEAD_LIMIT_BYTES, ResponseFault } from './internals/response-start.ts'
import { loadClient } from './internals/undici-client.ts'

/** undici asked for a second socket: the first one closed before the request was written to it. */
export class NeverSentError extends Error {}

export interface ConnectionEvents {
  /** The next request may be sent. */
  onFree(connection: Connection): void
  onClosed(connection: Connection): void
}

/**
 * One connection to the service: a connected socket, and an undici Client that speaks HTTP/1.1 on it and must not open
 * another.
 *
 * The exchange enforces the timeouts, since undici's have gaps (they stop while a body is written or reading is
 * paused); only the idle timeout is undici's, since it understands Keep-Alive.
 */
export class Connection implements Link, ResponseWatch {
  /** Those whose response was complete in this turn of the event loop. */
  static #settled: Connection[] = []
  readonly origin: string
  readonly reader: ResponseReader
  /** Requests that were written, the current one included. */
  requests = 0
  readonly blame: Dialed['blame']
  readonly #socket: Dialed['socket']
  readonly #client: Client
  readonly #onFree: ConnectionEvents['onFree']
  #state: 'idle' | 'busy' = 'idle'
  #isExpired = false
  /** Requests since the connection last rested, how long it has to rest, and when the last one began and ended. */
  #streak = 0
  #restMs = 0
  #beganAtMs = 0
  #endedAtMs = 0

  constructor(
    { socket, reader, blame }: Dialed,
    { origin, connectionAgeMs }: UpstreamSettings,
    { onFree, onClosed }: ConnectionEvents,
  ) {
    this.origin = origin
    this.#onFree = onFree
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
        // undici ignores a callback made within the call.
        queueMicrotask(() =>
          only === undefined ? callback(new NeverSentError(), null) : callback(null, only),
        )
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
      onClosed(this)
    })
    // undici does not read until the first request, so a FIN would go unnoticed.
    socket.resume()
    socket.setTimeout(IDLE_MS, () => socket.destroy())
  }

  /** Sends one request; the next may follow `onFree`, after `settle`. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.requests === 0) this.#socket.setTimeout(0)
    this.#client.dispatch(options, handler)
  }

  /** A request is being written. */
  expectResponse(nowMs: number): void {
    if (this.requests === 0) watchResponses(this.#socket, MAX_FIELD_LINES, this)
    this.requests += 1
    this.#state = 'busy'
    this.#beganAtMs = nowMs
    if (this.#beganAtMs - this.#endedAtMs >= this.#restMs + DELAYED_ACK_MS) this.#streak = this.#restMs = 0
    this.reader.expect()
  }

  /**
   * The current request has ended. undici closes the connection in the same turn if it must not be reused; we close it
   * too if octets arrived after the response.
   *
   * A service may send a second response right behind the first. So the connection is free only after this turn of the
   * event loop, and undici waits for one more before it writes: in between, the socket is polled.
   *
   * If that one came later, it was taken for the next response, and every later one is another request's. So a connection
   * that is used without a pause rests now and then: a response that is still due comes meanwhile. It does within twice the
   * longest time that a request took, since those that got an earlier response took at least half of their own time, and
   * as much as our kernel delays its acknowledgement: a service that uses Nagle's algorithm waits for that.
   */
  settle(): void {
    this.reader.expectNothing()
    this.#endedAtMs = performance.now()
    this.#restMs = Math.max(this.#restMs, 2 * (this.#endedAtMs - this.#beganAtMs))
    this.#streak += 1
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
    if (this.#streak < MOST_WITHOUT_REST) return this.#onFree(this)
    if (this.#restMs > LONGEST_REST_MS) return this.destroy()
    this.#streak = 0
    // After the rest the socket is polled once more, in case this process was late.
    setTimeout(() => setImmediate(() => this.#free()), this.#restMs + DELAYED_ACK_MS)
  }

  /** It is closed once its request has ended. One that was assigned to it and not written goes to another. */
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

  onTooManyLines(): ResponseFault {
    return new ResponseFault('upstream-head-too-large', 'HEAD_LINES')
  }

  onSmallPiece(): void {
    this.reader.countPiece()
  }
}

const MOST_WITHOUT_REST = 256
const LONGEST_REST_MS = 1_000
const DELAYED_ACK_MS = 50
/** Shorter than the idle timeout of common servers, so that we close the connection, not the service. */
const IDLE_MS = 4_000
/** Longest idle timeout that the service can ask for in a Keep-Alive field. */
const MAX_IDLE_MS = 60_000
