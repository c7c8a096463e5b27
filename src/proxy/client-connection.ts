import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FailureKind } from '../forward/failure.ts'
import { isEnded, isLast, onFinish, readOnAfterEnd, responseOn } from './internals/reserved-response.ts'
import { keepParsing, stopParsing } from './internals/stop-parsing.ts'

/** Why Node parses no further on a connection: the parser failed, or a CONNECT came. */
export interface Interruption {
  readonly kind: FailureKind
  /** Empty if none was parsed. */
  readonly method: string
  /** An error code of Node's. */
  readonly code: string | undefined
}

/** An exchange that runs on a connection. */
export interface Running {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly hasLease: boolean
  /** The parser failed within its body. */
  interrupt(kind: FailureKind, code: string | undefined): void
  /** The next one begins: only the last octets of this response are on their way. */
  endLease(): void
  /** The process waits no longer for it. */
  stop(): void
}

/** All exchanges of a proxy. */
export interface Traffic {
  /** How many have begun and are not over. */
  inFlight: number
  /** While draining, every response says `Connection: close`. */
  state: 'open' | 'draining'
}

/**
 * The exchanges of one client connection, one at a time. A request that arrives while an earlier one is unanswered is not
 * begun; the connection closes after the earlier response (RFC 9112 sections 9.3.2 and 9.6). No browser sends requests ahead.
 *
 * A request is answered when its response has been handed to Node as a whole, whether it is the site's or the service's: an
 * ordinary client's next request may arrive before Node has noticed that the last octet left.
 */
export class ClientConnection {
  readonly #socket: Socket
  readonly #traffic: Traffic
  readonly #refuse: (interruption: Interruption) => void
  /** The exchange that began last, while it runs or its request is still arriving. */
  #latest: Running | undefined
  #state: 'idle' | 'busy' | 'blocked' = 'idle'
  /** An exchange is over whose response said that the connection closes. */
  #isClosing = false
  #isInterrupted = false
  /** Refused once the exchange that runs is over. */
  #interruption: Interruption | undefined

  /** @param refuse answers what Node could not parse */
  constructor(socket: Socket, traffic: Traffic, refuse: (interruption: Interruption) => void) {
    this.#socket = socket
    this.#traffic = traffic
    this.#refuse = refuse
  }

  /** Whether the response to the current request should close the connection. */
  get closes(): boolean {
    return this.#traffic.state === 'draining'
  }

  get isBusy(): boolean {
    return this.#state !== 'idle'
  }

  /** Whether an exchange is in flight on it; of others, only octets that the client has not taken are still to leave. */
  get hasLease(): boolean {
    return this.#latest?.hasLease === true
  }

  /** Whether the exchange of this response runs already: points that are mounted twice forward a request once. */
  holds(outgoing: ServerResponse): boolean {
    return this.#latest?.outgoing === outgoing
  }

  /**
   * Whether the request of this response may begin. If not, the connection closes after the response before it. Nothing
   * begins behind a response that closes the connection: a client would take it for not processed (RFC 9112 section 9.6), and
   * Node tells nobody that its response came to nothing.
   */
  admits(outgoing: ServerResponse): boolean {
    // Node gives the socket to one response after the other.
    if (outgoing.socket !== null && !this.#isClosing) return true
    const before = responseOn(this.#socket)
    const running = this.#state === 'busy' ? this.#latest?.outgoing : undefined
    const isAnswered = before !== undefined && isEnded(before) && (running ?? before) === before
    if (isAnswered && !isLast(before) && !this.#isClosing) {
      keepParsing(this.#socket)
      return true
    }
    if (this.#isClosing) this.#closeNow()
    else if (this.#state !== 'blocked') this.#closeAfter(running ?? before)
    this.#state = 'blocked'
    return false
  }

  #closeNow(): void {
    stopParsing(this.#socket)
    this.#socket.end()
    lingerOn(this.#socket)
  }

  #closeAfter(response: ServerResponse | undefined): void {
    if (response === undefined) return void this.#socket.destroy()
    response.shouldKeepAlive = false
    stopParsing(this.#socket)
    // A reset could overtake the response.
    readOnAfterEnd(this.#socket)
    onFinish(response, () => {
      this.#socket.end()
      lingerOn(this.#socket)
    })
  }

  /** An exchange begins. */
  enter(exchange: Running): void {
    if (this.#state === 'busy') this.#latest?.endLease()
    if (this.#state === 'idle') this.#state = 'busy'
    this.#latest = exchange
    this.#traffic.inFlight += 1
  }

  /** An exchange is over. */
  leave(exchange: Running): void {
    this.#traffic.inFlight -= 1
    if (isLast(exchange.outgoing)) this.#isClosing = true
    if (this.#latest !== exchange) return
    if (this.#state === 'busy') this.#state = 'idle'
    // An idle connection need not keep the objects of a request.
    if (exchange.incoming.complete) this.#latest = undefined
    else
      exchange.incoming.once('end', () => {
        if (this.#latest === exchange) this.#latest = undefined
      })
    this.#refuseNow()
  }

  /**
   * Node parses no further on this connection. If it stopped within the body of the current request, that request fails.
   * Otherwise the connection gets one refusal, after the response that is due.
   */
  interrupt(interruption: Interruption): void {
    const { kind, code } = interruption
    // The client closed in the middle of the body, or of the next head, which is like closing before it.
    if (code === 'HPE_INVALID_EOF_STATE' && this.isBusy) return void this.#socket.destroy()
    if (this.#latest?.incoming.complete === false) return this.#latest.interrupt(kind, code)
    if (this.#isInterrupted || this.#state === 'blocked') return
    this.#isInterrupted = true
    this.#interruption = interruption
    this.#refuseNow()
  }

  /** The process stops, and waits no longer. */
  stop(): void {
    if (this.isBusy) this.#latest?.stop()
  }

  #refuseNow(): void {
    if (this.isBusy || this.#interruption === undefined) return
    this.#refuse(this.#interruption)
    this.#interruption = undefined
  }
}

/** Reads and discards for a second after the last response, then closes: a reset could overtake the response. */
export function lingerOn(socket: Socket): void {
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(deadline))
  socket.on('error', () => {})
  socket.resume()
}

const LINGER_MS = 1_000
