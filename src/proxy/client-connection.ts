import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FailureKind } from '../forward/failure.ts'
import { onTurn } from './internals/reserved-response.ts'
import { SocketReading } from './socket-reading.ts'

/** A request that a point owns, from its arrival to its turn. */
export interface Arrival {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Begins the exchange. `undefined` when there is nobody left to answer. */
  begin(): Running | undefined
}

/** The exchange that is under way on a connection. */
export interface Running {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The octets of its body stopped making sense. */
  interrupt(kind: FailureKind, code: string | undefined): void
}

/**
 * The requests of one client connection. They run one after another, in the order in which they came (RFC 9112 section
 * 9.3.2): only one of them holds a place in `concurrentRequests`, and one is not sent to the service before every
 * answer ahead of it is out.
 *
 * Node keeps that order among responses: it gives a response the socket once those before it are out. That also covers
 * requests that were left to the site, so we ask Node instead of keeping a second order of our own.
 */
export class ClientConnection {
  readonly #socket: IncomingMessage['socket']
  readonly #reading: SocketReading
  readonly #waiting: Arrival[] = []
  #state: 'idle' | 'busy' = 'idle'
  /** The exchange that began last; it may be over. */
  #latest: Running | undefined
  #isInterrupted = false
  #lastWords: (() => void) | undefined

  constructor(socket: IncomingMessage['socket']) {
    this.#socket = socket
    this.#reading = new SocketReading(socket)
  }

  get isAnyoneWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Whether a response is here already; mounted twice over, the points forward once. */
  holds(outgoing: ServerResponse): boolean {
    return (
      this.#latest?.outgoing === outgoing || this.#waiting.some((arrival) => arrival.outgoing === outgoing)
    )
  }

  /**
   * Begins the exchange when its turn comes: at once, or when every answer before it is out.
   *
   * While one waits, the socket is not read. While none does it is, although nobody needs what comes: a client that
   * leaves is noticed by reading only.
   *
   * Node hands over every request of a packet of up to 64 KiB at once, which can be 2,000 small ones. No real client
   * pipelines that deep, so one that does is cut.
   */
  enter(arrival: Arrival): 'begun' | 'waiting' | 'cut' {
    if (this.#state === 'idle' && arrival.outgoing.socket !== null) {
      this.#run(arrival)
      return 'begun'
    }
    if (this.#waiting.length === MOST_WAITING) {
      this.#waiting.length = 0
      this.#socket.destroy()
      return 'cut'
    }
    this.#waiting.push(arrival)
    onTurn(arrival.outgoing, () => this.#advance())
    this.#reading.hold()
    return 'waiting'
  }

  /** The exchange under way is over. */
  leave(): void {
    this.#state = 'idle'
    this.#advance()
  }

  /**
   * The octets on the connection stopped making sense. If they belong to the body of the request under way, it fails.
   * Else `refuse` is called once, when every complete request has been answered.
   */
  interrupt(kind: FailureKind, code: string | undefined, refuse: () => void): void {
    const newest = this.#waiting.at(-1)
    // It ended in the middle of a next head: like one that ended before it, it has gone.
    if (code === 'HPE_INVALID_EOF_STATE' && this.#state === 'busy' && newest === undefined) {
      if (this.#latest?.incoming.complete === true) return void this.#socket.destroy()
    }
    if (newest === undefined && this.#latest?.incoming.complete === false) {
      return this.#latest.interrupt(kind, code)
    }
    if (newest?.incoming.complete === false) this.#waiting.pop()
    if (this.#isInterrupted) return
    this.#isInterrupted = true
    this.#lastWords = refuse
    if (this.#state === 'idle') this.#advance()
  }

  #advance(): void {
    while (this.#state === 'idle') {
      const next = this.#waiting.findIndex(({ outgoing }) => outgoing.socket !== null)
      const [arrival] = next === -1 ? [] : this.#waiting.splice(next, 1)
      if (this.#waiting.length === 0) this.#reading.release()
      if (arrival === undefined) break
      this.#run(arrival)
    }
    if (this.#state === 'idle' && this.#waiting.length === 0) {
      this.#lastWords?.()
      this.#lastWords = undefined
    }
  }

  #run(arrival: Arrival): void {
    this.#state = 'busy'
    const running = arrival.begin()
    if (running === undefined) this.#state = 'idle'
    else this.#latest = running
  }
}

const MOST_WAITING = 100
