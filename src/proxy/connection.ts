import { Client, type Dispatcher } from 'undici'
import type { Link } from './connections.ts'
import type { Dialed } from './dial.ts'
import { ANSWER_HEAD_LIMIT_BYTES, type AnswerReader } from './internals/answer-reader.ts'

/** The connection closed before the request was written to it. */
export class NeverSentError extends Error {}

/**
 * One connection to the service, for its whole life: a socket that stands, and an undici Client that speaks HTTP/1.1
 * on it and is not allowed another.
 *
 * Time limits are the exchange's, since undici's own have gaps (they rest while a body is written and while a reader
 * pauses); only the idle time is undici's, since it understands Keep-Alive.
 */
export class Connection implements Link {
  readonly reader: AnswerReader
  /** Requests that were written, the current one included. */
  requests = 0
  readonly #socket: Dialed['socket']
  readonly #client: Client

  constructor({ socket, reader }: Dialed, origin: string, onClosed: (connection: Connection) => void) {
    this.reader = reader
    this.#socket = socket
    let offered: typeof socket | undefined = socket
    this.#client = new Client(origin, {
      connect: (_options, callback) => {
        const only = offered
        offered = undefined
        // undici overlooks an answer that comes within the call.
        queueMicrotask(() =>
          only === undefined ? callback(new NeverSentError(), null) : callback(null, only),
        )
      },
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: ANSWER_HEAD_LIMIT_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
    })
    socket.once('close', () => {
      void this.#client.destroy()
      onClosed(this)
    })
    // Until the first request nobody else reads, so an end would go unnoticed.
    socket.resume()
    socket.setTimeout(IDLE_MS, () => socket.destroy())
  }

  /** Sends one request; the next may follow once `settle` says so. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    if (this.requests === 0) this.#socket.setTimeout(0)
    this.#client.dispatch(options, handler)
  }

  /** A request begins to be written. */
  expectAnswer(): void {
    this.requests += 1
    this.reader.expect()
  }

  /**
   * The current request is over. undici closes the connection in the same turn if it must not be used again; octets
   * that arrived behind the answer are reason enough too.
   */
  settle(onReusable: () => void): void {
    this.reader.rest()
    queueMicrotask(() => {
      const { destroyed, readableEnded, readableLength, writable } = this.#socket
      if (destroyed) return
      if (readableEnded || readableLength > 0 || !writable) this.#socket.destroy()
      else onReusable()
    })
  }

  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

/** Shorter than the idle time of common servers, so that we, not they, close a connection. */
const IDLE_MS = 4_000
/** Longest idle time that a Keep-Alive field of the service can ask for. */
const MAX_IDLE_MS = 60_000
