import type { Socket } from 'node:net'
import { ParserWatch } from '../proxy/internals/request-parser.ts'
import { PerSocket } from '../proxy/per-socket.ts'
import { SmallPieces } from '../proxy/small-pieces.ts'
import { SocketReading } from '../proxy/socket-reading.ts'

/** How much of requests there may be before they are complete. */
export interface RequestLimits {
  /** Lines of one head, or of one trailer section. */
  readonly lines: number
  /** Octets of one head on the wire. */
  readonly octets: number
  /** What all heads and trailers of the listener that are not complete take. */
  readonly allBytes: number
}

/** What is too much: a head or trailer section, all unfinished heads together, or small pieces of all requests. */
export type RequestLimit = keyof RequestLimits | 'pieces'

/**
 * Bounds the heads and trailers of all requests of a listener while they arrive. If all unfinished heads together take too
 * much, the oldest of those are cut that hold half as much as the average: an honest head is complete within a read or two.
 */
export class RequestBounds {
  readonly limits: RequestLimits
  readonly smallPieces = new SmallPieces(PIECES_PER_MS)
  readonly #onExceeded: (socket: Socket, limit: RequestLimit) => void
  readonly #connections = new PerSocket<BoundedConnection>()
  readonly #unfinished = new Set<BoundedConnection>()
  #bytes = 0

  /** @param onExceeded is called for a connection that is parsed no further */
  constructor(limits: RequestLimits, onExceeded: (socket: Socket, limit: RequestLimit) => void) {
    this.limits = limits
    this.#onExceeded = onExceeded
  }

  /** Watches a new connection, once an HTTP server uses it. */
  watch(socket: Socket): void {
    const connection = new BoundedConnection(socket, this)
    this.#connections.set(socket, connection)
    connection.start()
  }

  /**
   * Whether Node may keep much for this connection: of each head that came in several reads, its parser keeps the fields
   * until others take their places, so 31 fields of 60 KB one after the other.
   */
  keepsMuch(socket: Socket): boolean {
    return (this.#connections.of(socket)?.keptOctets ?? 0) > this.limits.octets
  }

  /** Node parses no further on this connection. */
  stop(socket: Socket): void {
    const connection = this.#connections.of(socket)
    if (connection === undefined) return
    this.release(connection)
    connection.stop()
  }

  /** So much is held of a connection's request. */
  hold(connection: BoundedConnection, octets: number): void {
    const bytes = octets + connection.lines * LINE_BYTES
    if (bytes === 0) return this.release(connection)
    this.#unfinished.add(connection)
    this.#bytes += bytes - connection.heldBytes
    connection.heldBytes = bytes
    for (const oldest of this.#unfinished) {
      if (this.#bytes <= this.limits.allBytes) return
      if (2 * oldest.heldBytes * this.#unfinished.size >= this.#bytes) this.cut(oldest, 'allBytes')
      else {
        // Now the newest: the others come first.
        this.#unfinished.delete(oldest)
        this.#unfinished.add(oldest)
      }
    }
  }

  /** Its request is complete, or it closed. */
  release(connection: BoundedConnection): void {
    if (!this.#unfinished.delete(connection)) return
    this.#bytes -= connection.heldBytes
    connection.heldBytes = 0
  }

  cut(connection: BoundedConnection, limit: RequestLimit): void {
    this.stop(connection.socket)
    this.#onExceeded(connection.socket, limit)
  }
}

class BoundedConnection extends ParserWatch {
  /** What its unfinished head or trailers take. */
  heldBytes = 0
  /** Octets of all heads so far that came in several reads. */
  keptOctets = 0
  readonly #bounds: RequestBounds
  /** Octets that belong to it for sure, and those of a read that held more than it. */
  #octets = 0
  #sharedOctets = 0
  #isCloseAwaited = false
  #reading: SocketReading | undefined

  constructor(socket: Socket, bounds: RequestBounds) {
    super(socket)
    this.#bounds = bounds
  }

  get mostLines(): number {
    return this.#bounds.limits.lines
  }

  onHeld(part: 'none' | 'head' | 'content', octets: number, count: 'exact' | 'at-most'): void {
    const { limits } = this.#bounds
    if (part === 'head') this.keptOctets += octets
    if (count === 'exact') this.#octets += octets
    else {
      this.#octets = 0
      this.#sharedOctets = octets
      // A new head, or a body that goes on: others are older.
      this.#bounds.release(this)
    }
    if (part !== 'content' && this.#octets > limits.octets) return this.#bounds.cut(this, 'octets')
    // Of content, what frames a body is held by nobody, and Node takes no more than this of trailers.
    if (part !== 'none') this.#bounds.hold(this, Math.min(this.#octets + this.#sharedOctets, limits.octets))
    if (this.#isCloseAwaited) return
    this.#isCloseAwaited = true
    this.socket.once('close', () => this.#bounds.release(this))
  }

  onComplete(): void {
    this.#octets = this.#sharedOctets = 0
    this.#bounds.release(this)
  }

  onTooMany(what: 'lines' | 'pieces'): void {
    this.#bounds.cut(this, what)
  }

  mayTakePieces(): boolean {
    return this.#bounds.smallPieces.mayTake()
  }

  onPieces(count: number): void {
    this.#reading ??= new SocketReading(this.socket)
    this.#bounds.smallPieces.take(this.#reading, count)
  }
}

/** At 1.5 µs each, or more. */
const PIECES_PER_MS = 100
/** What a line takes on the heap besides its octets: two strings, and their places in a list. */
const LINE_BYTES = 72
