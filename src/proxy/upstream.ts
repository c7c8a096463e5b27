import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { errorCode, upstreamFailure } from '../forward/error-code.ts'
import type { FailureKind } from '../forward/failure.ts'
import { Addresses } from './addresses.ts'
import { Allowance } from './allowance.ts'
import { Connection, type ConnectionEvents } from './connection.ts'
import { Connections } from './connections.ts'
import { compileDial, type UpstreamSettings } from './dial.ts'
import { ResponseFault } from './internals/response-start.ts'
import { SmallPieces } from './small-pieces.ts'
import { type Requester, Ticket } from './waiting-list.ts'

/** A request as it is sent to the service; `fields` is a flat list that includes Host. */
export interface UpstreamRequest {
  readonly method: string
  readonly path: string
  readonly fields: string[]
  /** A body that is still arriving counts as an upload until `bodyArrived`. */
  readonly body: Buffer | (Readable & { readonly hasArrived: boolean }) | undefined
  /** Whether its connection may not be reused. */
  readonly mayUseUp: boolean
}

/** Receives the events of one round trip. Exactly one of `onEnd` and `onFailure` is called, last. */
export interface UpstreamReceiver {
  /** The request begins to be written to a connection, at this time on the clock of `performance.now()`. */
  onStart(nowMs: number): void
  /** The request, body included, was handed to the socket. */
  onSent(): void
  /** Status, reason phrase and field lines as received; never a 1xx. */
  onHead(status: number, reason: string, fields: string[]): void
  /** @returns `pause` to stop reading until `resume` */
  onData(chunk: Buffer): 'pause' | 'continue'
  onEnd(): void
  /** `code` is an error code from a closed vocabulary, fit for a log. */
  onFailure(kind: FailureKind, code: string): void
}

/** One round trip in progress. */
export type RoundTrip = Pick<Trip, 'resume' | 'bodyArrived' | 'abort'>

export interface Upstream {
  /** Maximum number of connections, without those that uploads have. */
  readonly withoutUploads: number
  send(request: UpstreamRequest, receiver: UpstreamReceiver): RoundTrip
  /** How many requests wait for a connection. */
  readonly waiting: number
  /** How many of them may have a connection, while none is being opened for them. */
  readonly lacking: number
  /** Refuses a waiting request that may use up a connection, if most are such ones. @returns whether it did */
  displace(): boolean
  /** When the longest waiting request began to wait, on the clock of `performance.now()`; `undefined` if none waits. */
  readonly waitingSinceMs: number | undefined
  /** Estimate of how long a complete request would wait for a connection; 0 if unknown. */
  expectedWaitMs(mayUseUp: boolean): number
  /**
   * Applies new settings to new connections: the name of the service may have another address by now. Exchanges in flight
   * end on the old connections, which still count against the limit.
   *
   * @returns the upstream for new requests
   */
  replace(settings: UpstreamSettings): Upstream
  /** Lets exchanges in flight end, then closes every connection. It may be called repeatedly. */
  close(): Promise<void>
  /** Closes every connection now. */
  destroy(): Promise<void>
}

/** Opens the upstream; connections are opened as they are needed. */
export function openUpstream(settings: UpstreamSettings): Upstream {
  return openGeneration(settings, openKept(settings))
}

/** What outlives a reload: the connections that are still open, and, of the same service, which addresses failed. */
type Kept = Readonly<ReturnType<typeof openKept>>

function openKept({ connections }: UpstreamSettings) {
  return {
    generations: new Set<Connections<Connection>>(),
    allowance: new Allowance(connections),
    addresses: new Addresses(),
    share: new SmallPieces(PIECES_PER_MS),
  }
}

/** The connections of one config. */
function openGeneration(settings: UpstreamSettings, kept: Kept): Upstream {
  const { allowance, generations } = kept
  const dial = compileDial(settings, kept)
  const events: ConnectionEvents = {
    onFree: (free) => connections.release(free),
    onClosed: (gone) => connections.closed(gone),
  }
  const connections: Connections<Connection> = new Connections(
    (onOpen, onFailure) => dial((dialed) => onOpen(new Connection(dialed, settings, events)), onFailure),
    allowance,
  )
  generations.add(connections)
  let isRetired = false
  const retire = async () => {
    isRetired = true
    await connections.retire()
    generations.delete(connections)
  }
  const sumOf = (what: 'waiting' | 'lacking') => [...generations].reduce((sum, each) => sum + each[what], 0)
  return {
    send: (request, receiver) => {
      const trip = new Trip(connections, request, receiver)
      trip.start()
      // An upload was begun before the reload, and its body only now.
      if (isRetired && !generations.has(connections)) {
        generations.add(connections)
        void retire()
      }
      return trip
    },
    get withoutUploads() {
      return allowance.limit - allowance.uploads
    },
    get waiting() {
      return sumOf('waiting')
    },
    get lacking() {
      return sumOf('lacking')
    },
    displace: () => [...generations].some((each) => each.displace()),
    get waitingSinceMs() {
      const all = [...generations].flatMap((each) => each.waitingSinceMs ?? [])
      return all.length === 0 ? undefined : Math.min(...all)
    },
    expectedWaitMs: (usesUp) => connections.expectedWaitMs(usesUp),
    replace: (next) => {
      allowance.setLimit(next.connections)
      void retire()
      const addresses = next.origin === settings.origin ? kept.addresses : new Addresses()
      return openGeneration(next, { ...kept, addresses })
    },
    close: async () => void (await Promise.all([...generations].map((each) => each.close()))),
    destroy: async () => void (await Promise.all([...generations].map((each) => each.destroy()))),
  }
}

/**
 * One request: first on the waiting list, then on a connection. `Connections` calls `onConnection` or `onDialFailure`;
 * undici calls the methods from `onConnect` on. It is a handler of the older kind, which has the fewest layers.
 */
class Trip implements Requester<Connection>, Dispatcher.DispatchHandler {
  readonly #connections: Connections<Connection>
  readonly #request: UpstreamRequest
  readonly #receiver: UpstreamReceiver
  readonly #ticket: Ticket<Connection>
  #state: 'open' | 'responding' | 'done' = 'open'
  #connection: Connection | undefined
  /** Whether the request was written to that connection. */
  #isWritten = false
  #isRepeated = false
  #status = 0
  #abort: (() => void) | undefined

  constructor(connections: Connections<Connection>, request: UpstreamRequest, receiver: UpstreamReceiver) {
    this.#connections = connections
    this.#request = request
    this.#receiver = receiver
    this.#ticket = new Ticket(
      this,
      request.body instanceof Readable && !request.body.hasArrived ? 'uploading' : 'complete',
      request.mayUseUp,
    )
  }

  start(): void {
    this.#connections.join(this.#ticket)
  }

  resume(): void {
    if (this.#state !== 'done') this.#connection?.reader.resume()
  }

  bodyArrived(): void {
    this.#connections.complete(this.#ticket)
  }

  /** Leaves the waiting list, or closes the connection. `onFailure` is not called. `kind` is how the service failed, if it did. */
  abort(kind?: FailureKind): void {
    if (this.#state === 'done') return
    if (kind === 'upstream-head-timeout') this.#blame()
    this.#state = 'done'
    this.#connections.leave(this.#ticket)
    if (this.#isWritten) this.#abort?.()
  }

  onConnection(connection: Connection): void {
    this.#connection = connection
    this.#isWritten = false
    const { method, path, fields, body } = this.#request
    connection.dispatch(
      {
        method: method as Dispatcher.HttpMethod,
        path,
        headers: fields,
        body: body ?? null,
        reset: isLastOnConnection(this.#request),
        // undici would serialise a URL for it.
        origin: connection.origin,
      },
      this,
    )
  }

  onDialFailure(error: Error): void {
    if (this.#state === 'done') return
    this.#state = 'done'
    this.#receiver.onFailure(upstreamFailure(error), errorCode(error))
  }

  onConnect(abort: () => void): void {
    // Aborted between getting the connection and using it. Throwing drops only the request.
    if (this.#state === 'done') throw new Error('The request was aborted')
    this.#abort = abort
    this.#isWritten = true
    const nowMs = performance.now()
    this.#connection?.expectResponse(nowMs)
    this.#receiver.onStart(nowMs)
  }

  onRequestSent(): void {
    if (this.#state === 'open') this.#receiver.onSent()
  }

  onHeaders(status: number, rawFields: Buffer[]): boolean {
    if (this.#state === 'done') return true
    this.#state = 'responding'
    this.#status = status
    const fields: string[] = []
    for (const octets of rawFields) fields.push(octets.toString('latin1'))
    this.#receiver.onHead(status, this.#connection?.reader.reason ?? '', fields)
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.#state !== 'done' && this.#receiver.onData(chunk) === 'pause') this.#connection?.reader.pause()
    return true
  }

  onComplete(): void {
    // A service that redirects or refuses may not have read the body.
    if (this.#request.body !== undefined && this.#status >= 300) this.#connection?.destroy()
    else this.#connection?.settle()
    if (this.#state === 'done') return
    this.#state = 'done'
    this.#connections.leave(this.#ticket)
    if (this.#connection?.reader.ending === 'reset')
      this.#receiver.onFailure('upstream-truncated', 'ECONNRESET')
    else this.#receiver.onEnd()
  }

  onError(error: Error): void {
    if (this.#state === 'done') {
      // A request that was aborted before it was written left the connection usable.
      if (!this.#isWritten) this.#connection?.settle()
      return
    }
    if (this.#maySendAgain(error)) {
      this.#connection?.destroy()
      return this.#connections.rejoin(this.#ticket)
    }
    const kind = this.#kindOf(error)
    this.#state = 'done'
    this.#connections.leave(this.#ticket)
    this.#blame()
    this.#connection?.destroy()
    this.#receiver.onFailure(kind, errorCode(error))
  }

  /** One that has answered before is not to blame: it may be the request. */
  #blame(): void {
    if (this.#connection?.requests === 1) this.#connection.blame()
  }

  /** undici's error for a broken response depends on how far it was read; what counts is which side ended it. */
  #kindOf(error: Error): FailureKind {
    if (error instanceof ResponseFault) return error.kind
    const kind = upstreamFailure(error)
    const { responseOctets, ending } = this.#connection?.reader ?? { responseOctets: 0, ending: 'none' }
    if (kind === 'upstream-reset') return responseOctets === 0 ? kind : 'upstream-truncated'
    if (kind !== 'upstream-malformed' && kind !== 'upstream-truncated') return kind
    return ending === 'none' ? 'upstream-malformed' : 'upstream-truncated'
  }

  /**
   * A request that was never written is sent on another connection, whatever it is. One that was written is sent once
   * more if the service closed a reused connection before any octet of a response, and repeating it is safe: GET, HEAD
   * or OPTIONS without a body.
   */
  #maySendAgain(error: Error): boolean {
    const connection = this.#connection
    if (connection === undefined) return false
    if (!this.#isWritten) return connection.isClosed
    const { method, body } = this.#request
    const isSafe = body === undefined && (method === 'GET' || method === 'HEAD' || method === 'OPTIONS')
    const isStale = connection.requests > 1 && connection.reader.responseOctets === 0
    if (this.#isRepeated || !isSafe || !isStale || this.#kindOf(error) !== 'upstream-reset') return false
    this.#isRepeated = true
    return true
  }
}

/**
 * Whether the connection must not be reused after this request, because leftover octets could be taken for the next
 * request or response: the service may not read a body that has no meaning for the method (RFC 9110 sections 9.3.1 to
 * 9.3.7), and may send a late body for a HEAD.
 */
function isLastOnConnection({ method, body }: UpstreamRequest): boolean {
  return method === 'HEAD' || (body !== undefined && !METHODS_WITH_CONTENT.has(method))
}

/** At a fourth of a microsecond each. */
const PIECES_PER_MS = 400
const METHODS_WITH_CONTENT: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
