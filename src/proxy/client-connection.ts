import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FailureKind } from '../forward/failure.ts'
import { hasField, valuesOf } from '../http/fields.ts'
import { onTurn } from './internals/reserved-response.ts'
import { SocketReading } from './socket-reading.ts'
import type { Traffic } from './traffic.ts'

/** A request that a point owns and whose exchange has not begun. */
export interface Arrival {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Begins the exchange. `undefined` if the client is gone or has its response already. */
  begin(): Running | undefined
}

/** Why Node parses no further on a connection: the parser failed, or a CONNECT came. */
export interface Interruption {
  readonly kind: FailureKind
  /** Empty if none was parsed. */
  readonly method: string
  /** An error code of Node's. */
  readonly code: string | undefined
}

/** The exchange that runs on a connection. */
export interface Running {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The parser failed within its body. */
  interrupt(kind: FailureKind, code: string | undefined): void
  /** The connection is read no further for now, so a client that leaves is not noticed. */
  loseSight(): void
}

/**
 * The requests of one client connection. They run one at a time, in the order of arrival (RFC 9112 section 9.3.2): only
 * one counts towards `concurrentRequests`, and none is sent to the service before all earlier responses are out.
 *
 * Node already keeps responses in order: a response gets the socket once the earlier ones are out. Since that includes
 * requests that were passed to the site, we rely on it instead of keeping an order of our own.
 */
export class ClientConnection {
  readonly #socket: IncomingMessage['socket']
  readonly #reading: SocketReading
  readonly #traffic: Traffic
  readonly #refuse: (interruption: Interruption) => void
  readonly #waiting: Arrival[] = []
  /** What their heads take. */
  #waitingBytes = 0
  #isWatched = false
  /** Whether a waiting request was taken in this turn of the event loop. */
  #hasTaken = false
  #state: 'idle' | 'busy' = 'idle'
  /** The exchange that began last; `undefined` once it has ended and all of its request was read. */
  #latest: Running | undefined
  #isInterrupted = false
  #isLast = false
  /** Refused once every complete request has been answered. */
  #interruption: Interruption | undefined

  /** @param refuse answers what Node could not parse */
  constructor(
    socket: IncomingMessage['socket'],
    traffic: Traffic,
    refuse: (interruption: Interruption) => void,
  ) {
    this.#socket = socket
    this.#traffic = traffic
    this.#refuse = refuse
    this.#reading = new SocketReading(socket)
  }

  /** Makes the last response that is due close the connection: with an earlier one, the later ones would be lost. */
  closeSoon(): void {
    this.#isLast = true
  }

  /** Whether the response to the current request should close the connection. */
  get closes(): boolean {
    return (this.#isLast || this.#traffic.state === 'draining') && this.#waiting.length === 0
  }

  get isBusy(): boolean {
    return this.#state === 'busy' || this.#waiting.length > 0
  }

  /** Whether this response was entered before: points that are mounted twice still forward a request once. */
  holds(outgoing: ServerResponse): boolean {
    return (
      this.#latest?.outgoing === outgoing || this.#waiting.some((arrival) => arrival.outgoing === outgoing)
    )
  }

  /**
   * Begins the exchange when its turn comes: at once, or when every earlier response is out.
   *
   * The socket is not read while a request waits. Otherwise it is read even if nothing needs the data, since a client
   * that disconnects is noticed only by reading.
   *
   * Node delivers all requests of one packet of up to 64 KiB at once, maybe 2,000. No real client pipelines so deep.
   */
  enter(arrival: Arrival): 'begun' | 'waiting' | 'cut' {
    if (this.#state === 'idle' && arrival.outgoing.socket !== null) {
      this.#run(arrival)
      return 'begun'
    }
    const bytes = countHeldBytes(arrival)
    // The end of a response may be noticed a little after the next request, so one with a small head may always wait.
    const mayWait = this.#waiting.length === 0 && countHeadBytes(arrival) <= SMALL_BYTES
    const isFull = this.#waiting.length === MOST_WAITING || this.#traffic.waitingBytes > MOST_WAITING_BYTES
    if (isFull && !mayWait) {
      // Node holds those that wait until the socket is closed, so they count until then.
      this.#waiting.length = 0
      this.#socket.destroy()
      return 'cut'
    }
    if (!this.#isWatched) this.#socket.once('close', () => this.#drop())
    this.#isWatched = true
    this.#count(bytes)
    this.#waiting.push(arrival)
    onTurn(arrival.outgoing, () => this.#advance())
    this.#reading.hold()
    if (this.#state === 'busy') this.#latest?.loseSight()
    return 'waiting'
  }

  /** The current exchange has ended: begins the next one. */
  leave(): void {
    this.#state = 'idle'
    // An idle connection need not keep the objects of a request.
    const latest = this.#latest
    if (latest?.incoming.complete === true) this.#latest = undefined
    else
      latest?.incoming.once('end', () => {
        if (this.#latest === latest) this.#latest = undefined
      })
    this.#advance()
  }

  /**
   * Node parses no further on this connection. If it stopped within the body of the current request, that request fails.
   * Otherwise the connection gets one refusal, after every complete request has been answered.
   */
  interrupt(interruption: Interruption): void {
    const { kind, code } = interruption
    const newest = this.#waiting.at(-1)
    // The client closed in the middle of the body, or of the next head, which is like closing before it.
    if (code === 'HPE_INVALID_EOF_STATE' && this.#state === 'busy' && newest === undefined)
      return void this.#socket.destroy()
    if (newest === undefined && this.#latest?.incoming.complete === false) {
      return this.#latest.interrupt(kind, code)
    }
    if (newest?.incoming.complete === false) {
      this.#waiting.pop()
      this.#count(-countHeldBytes(newest))
    }
    if (this.#isInterrupted) return
    this.#isInterrupted = true
    this.#interruption = interruption
    if (this.#state === 'idle') this.#advance()
  }

  /** Takes one waiting request a turn of the event loop: a packet of refused ones must not hold up other clients. */
  #advance(): void {
    if (this.#state === 'idle' && !this.#hasTaken) {
      const next = this.#waiting.findIndex(({ outgoing }) => outgoing.socket !== null)
      const [arrival] = next === -1 ? [] : this.#waiting.splice(next, 1)
      if (arrival !== undefined) this.#count(-countHeldBytes(arrival))
      if (this.#waiting.length === 0) this.#reading.release()
      if (arrival !== undefined) this.#take(arrival)
    }
    if (this.#state !== 'idle' || this.#waiting.length > 0 || this.#interruption === undefined) return
    this.#refuse(this.#interruption)
    this.#interruption = undefined
  }

  #take(arrival: Arrival): void {
    this.#hasTaken = true
    setImmediate(() => {
      this.#hasTaken = false
      this.#advance()
    })
    this.#run(arrival)
  }

  /** None of them will have its turn. */
  #drop(): void {
    this.#waiting.length = 0
    this.#count(-this.#waitingBytes)
  }

  #count(bytes: number): void {
    this.#waitingBytes += bytes
    this.#traffic.waitingBytes += bytes
  }

  #run(arrival: Arrival): void {
    this.#state = 'busy'
    const running = arrival.begin()
    if (running === undefined) this.#state = 'idle'
    else this.#latest = running
    if (this.#waiting.length > 0) running?.loseSight()
  }
}

function countHeldBytes(arrival: Arrival): number {
  return countHeadBytes(arrival) + countBodyBytes(arrival)
}

function countHeadBytes({ incoming: { rawHeaders, url = '' } }: Arrival): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + TEXT_BYTES, MESSAGE_BYTES + url.length)
}

/** Of a body no more is read than what comes with its head. */
function countBodyBytes({ incoming: { rawHeaders } }: Arrival): number {
  if (hasField(rawHeaders, 'transfer-encoding')) return READ_BYTES
  const [length = '0'] = valuesOf(rawHeaders, 'content-length')
  return Math.min(Number(length) || 0, READ_BYTES)
}

const MOST_WAITING = 100
/** Of all connections together. */
const MOST_WAITING_BYTES = 4 * 1_048_576
const SMALL_BYTES = 16_384
/** The most that is read of a socket at once. */
const READ_BYTES = 65_536
/** What a request and its response take beside the head, and a text beside its octets. */
const MESSAGE_BYTES = 2_048
const TEXT_BYTES = 40
