import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { errorCode, upstreamFailure } from '../forward/error-code.ts'
import type { FailureKind } from '../forward/failure.ts'
import type { Connection } from './connection.ts'
import { ResponseFault } from './internals/response-start.ts'
import type { Attempt, Lease } from './lease.ts'
import type { Leases } from './leases.ts'

/** A request as it is sent to the service; `fields` is a flat list that includes Host. */
export interface UpstreamRequest {
  readonly method: string
  readonly path: string
  readonly fields: string[]
  readonly body: Buffer | Readable | undefined
}

/** Receives the events of one attempt. Exactly one of `onEnd` and `onFailure` is called, last. */
export interface AttemptReceiver {
  /** The request begins to be written to a connection: once more after `onRepeat`. */
  onStart(): void
  /** The connection broke, and the request waits for another. */
  onRepeat(): void
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

/**
 * The attempt to send one request to the service, on the connection of its lease. `Leases` calls `onConnection` or
 * `onDialFailure`; undici calls the methods from `onConnect` on, as of a handler of the older kind.
 */
export class UpstreamAttempt implements Attempt<Connection>, Dispatcher.DispatchHandler {
  readonly #leases: Leases<Connection>
  readonly #lease: Lease<Connection>
  readonly #request: UpstreamRequest
  readonly #receiver: AttemptReceiver
  #state: 'open' | 'responding' | 'done' = 'open'
  #connection: Connection | undefined
  /** Whether the request was written to its current connection. */
  #isWritten = false
  #isRepeated = false
  #status = 0
  #abort: (() => void) | undefined

  constructor(
    leases: Leases<Connection>,
    lease: Lease<Connection>,
    request: UpstreamRequest,
    receiver: AttemptReceiver,
  ) {
    this.#leases = leases
    this.#lease = lease
    this.#request = request
    this.#receiver = receiver
  }

  resume(): void {
    if (this.#state !== 'done') this.#connection?.reader.resume()
  }

  /** Nothing more is asked of the service: closes the connection. `onFailure` is not called. `kind` is how it failed, if it did. */
  abort(kind?: FailureKind): void {
    if (this.#state === 'done') return
    if (kind === 'upstream-head-timeout') this.#blame()
    this.#state = 'done'
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
    this.#connection?.expectResponse()
    this.#receiver.onStart()
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
    const kind = this.#kindOf(error)
    const isAgain = this.#maySendAgain(kind)
    this.#connection?.destroy()
    if (isAgain) {
      this.#receiver.onRepeat()
      return this.#leases.retake(this.#lease)
    }
    this.#state = 'done'
    this.#receiver.onFailure(kind, errorCode(error))
  }

  /** The address of a connection that has not answered before is to blame. Of one that has, it may be the request. */
  #blame(): 'reused' | ReturnType<Connection['blame']> {
    const connection = this.#connection
    if (connection === undefined) return 'none'
    return connection.requests > (this.#isWritten ? 1 : 0) ? 'reused' : connection.blame()
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
   * more if the service closed the connection before any octet of a response, and repeating it is safe: GET, HEAD or
   * OPTIONS without a body. A connection that is not reused must have another address of the service left to try.
   */
  #maySendAgain(kind: FailureKind): boolean {
    const blamed = this.#blame()
    if (!this.#isWritten) return this.#connection?.isClosed === true
    const { method, body } = this.#request
    const isSafe = body === undefined && (method === 'GET' || method === 'HEAD' || method === 'OPTIONS')
    if (this.#isRepeated || !isSafe || kind !== 'upstream-reset' || blamed === 'none') return false
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

const METHODS_WITH_CONTENT: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
