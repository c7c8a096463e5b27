import type { Socket } from 'node:net'
import { ParserWatch } from '../proxy/internals/request-parser.ts'

/** How much of requests there may be before they are complete. */
export interface RequestLimits {
  /** Lines of one head, or of one trailer section. */
  readonly lines: number
  /** Octets of one head on the wire. */
  readonly octets: number
  /** Octets of all heads of the listener that are not complete. */
  readonly allOctets: number
}

/** What is too large: a head or trailer section, or all unfinished heads together. */
export type RequestLimit = keyof RequestLimits

/**
 * Bounds the heads and trailers of all requests of a listener while they arrive. If all unfinished heads together take too
 * much, the ones that began first are cut: an honest head is complete within a read or two.
 */
export class RequestBounds {
  readonly limits: RequestLimits
  readonly #onExceeded: (socket: Socket, limit: RequestLimit) => void
  readonly #unfinished = new Set<BoundedConnection>()
  #octets = 0

  /** @param onExceeded is called for a connection that is parsed no further */
  constructor(limits: RequestLimits, onExceeded: (socket: Socket, limit: RequestLimit) => void) {
    this.limits = limits
    this.#onExceeded = onExceeded
  }

  /** Watches a new connection, once an HTTP server uses it. */
  watch(socket: Socket): void {
    new BoundedConnection(socket, this).start()
  }

  /** More octets of a head have arrived. */
  hold(connection: BoundedConnection, octets: number): void {
    if (connection.octets === 0) this.#unfinished.add(connection)
    connection.octets += octets
    this.#octets += octets
    if (connection.octets > this.limits.octets) this.cut(connection, 'octets')
    for (const oldest of this.#unfinished) {
      if (this.#octets <= this.limits.allOctets) return
      this.cut(oldest, 'allOctets')
    }
  }

  /** The head is complete, or its connection closed. */
  release(connection: BoundedConnection): void {
    if (!this.#unfinished.delete(connection)) return
    this.#octets -= connection.octets
    connection.octets = 0
  }

  cut(connection: BoundedConnection, limit: RequestLimit): void {
    this.release(connection)
    connection.stop()
    this.#onExceeded(connection.socket, limit)
  }
}

class BoundedConnection extends ParserWatch {
  /** Of its unfinished head. What came in the same read as the end of the request before is not counted. */
  octets = 0
  readonly #bounds: RequestBounds
  #isCloseAwaited = false

  constructor(socket: Socket, bounds: RequestBounds) {
    super(socket)
    this.#bounds = bounds
  }

  get mostLines(): number {
    return this.#bounds.limits.lines
  }

  onMore(part: 'head' | 'content', octets: number): void {
    if (part === 'content') return
    this.#bounds.hold(this, octets)
    if (this.#isCloseAwaited) return
    this.#isCloseAwaited = true
    this.socket.once('close', () => this.#bounds.release(this))
  }

  onMoved(): void {
    if (this.octets > 0) this.#bounds.release(this)
  }

  onTooManyLines(): void {
    this.#bounds.cut(this, 'lines')
  }
}
