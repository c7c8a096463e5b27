import { lookup } from 'node:dns'
import type { Readable } from 'node:stream'
import { createSecureContext, rootCertificates } from 'node:tls'
import type { buildConnector, Client, Dispatcher, Pool } from 'undici'
import { errorCode, type FailureKind, upstreamFailure } from '../forward/failure.ts'
import { parts } from './internals/upstream-parts.ts'
import {
  ANSWER_HEAD_LIMIT_BYTES,
  AnswerFault,
  type ConnectionLedger,
  endPause,
  expectAnswer,
  mendSocket,
  pauseReading,
  READING,
  resumeReading,
} from './internals/upstream-socket.ts'
import { shareLookups } from './shared-lookup.ts'

/** A request in the form that goes out; `fields` is a flat list with Host in it. */
export interface UpstreamRequest {
  readonly method: string
  readonly path: string
  readonly fields: string[]
  readonly body: Readable | undefined
}

/** Who listens to one round trip. Exactly one of `onEnd` and `onFailure` is called, last. */
export interface UpstreamReceiver {
  /** The request begins to go out on a connection. */
  onStart(): void
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

/** One round trip under way. */
export interface RoundTrip {
  resume(): void
  /** Gives up and closes the connection; `onFailure` is not called. */
  abort(): void
}

export interface Upstream {
  send(request: UpstreamRequest, receiver: UpstreamReceiver): RoundTrip
  /** Lets what is under way end, then closes every connection. It may be asked again. */
  close(): Promise<void>
  /** Closes every connection now. */
  destroy(): Promise<void>
}

export interface UpstreamSettings {
  /** `https://host[:port]`. */
  readonly origin: string
  /** PEM certificates trusted beside Node's own. */
  readonly extraCa: string | undefined
  readonly connectTimeoutMs: number
  readonly connections: number
}

/**
 * Opens the pool of connections to the service: HTTP/1.1, one request at a time on each, TLS always verified.
 * Time limits other than the connection's are the exchange's, since undici's own have gaps (they rest while a body is
 * written and while a reader pauses).
 */
export function openUpstream(settings: UpstreamSettings): Upstream {
  const connectTo = parts.buildConnector({
    timeout: settings.connectTimeoutMs,
    rejectUnauthorized: true,
    allowH2: false,
    autoSelectFamily: true,
    lookup: shareLookups(lookup),
    ...READING,
    // One for all connections: each would else parse and keep every certificate, half a megabyte of them.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(settings.extraCa === undefined ? {} : { ca: [...rootCertificates, settings.extraCa] }),
    }),
  })
  const pool = new parts.Pool(settings.origin, {
    connections: settings.connections,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: ANSWER_HEAD_LIMIT_BYTES,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    factory: (origin, options) => new LedgerClient(origin, options as Client.Options, connectTo),
  })
  let closed: Promise<void> | undefined
  return {
    send: (request, receiver) => send(pool, request, receiver),
    close: () => {
      closed ??= pool.close()
      return closed
    },
    destroy: () => {
      closed = pool.destroy()
      return closed
    },
  }
}

function send(pool: Pool, request: UpstreamRequest, receiver: UpstreamReceiver): RoundTrip {
  const trip = new Trip(pool, request, receiver)
  trip.dispatch()
  return trip
}

/** A client that tells each round trip which connection it is on. */
class LedgerClient extends parts.Client {
  readonly #current: CurrentConnection

  constructor(origin: URL, options: Client.Options, connectTo: buildConnector.connector) {
    const current: CurrentConnection = { ledger: undefined }
    super(origin, {
      ...options,
      connect: (target, callback) => {
        connectTo(target, (...result) => {
          const [, socket] = result
          // undici's types say null, its failures say undefined.
          if (socket) current.ledger = mendSocket(socket)
          callback(...result)
        })
      },
    })
    this.#current = current
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Trip) handler.connection = this.#current
    return super.dispatch(options, handler)
  }
}

/** A client has one connection at a time. */
interface CurrentConnection {
  ledger: ConnectionLedger | undefined
}

/** undici's handler in its oldest form, which has the fewest layers on version 7. */
class Trip implements RoundTrip, Dispatcher.DispatchHandler {
  connection: CurrentConnection | undefined
  readonly #pool: Pool
  readonly #request: UpstreamRequest
  readonly #receiver: UpstreamReceiver
  #state: 'open' | 'answered' | 'done' = 'open'
  #attempts = 0
  /** The connection that the request was written to. */
  #ledger: ConnectionLedger | undefined
  #abort: ((error?: Error) => void) | undefined

  constructor(pool: Pool, request: UpstreamRequest, receiver: UpstreamReceiver) {
    this.#pool = pool
    this.#request = request
    this.#receiver = receiver
  }

  dispatch(): void {
    this.#attempts += 1
    this.#ledger = undefined
    const { method, path, fields, body } = this.#request
    this.#pool.dispatch(
      // `reset: false`: undici would close the connection after HEAD, and after a body with an uncommon method.
      { method: method as Dispatcher.HttpMethod, path, headers: fields, body: body ?? null, reset: false },
      this,
    )
  }

  resume(): void {
    if (this.#state !== 'done' && this.#ledger !== undefined) resumeReading(this.#ledger)
  }

  abort(): void {
    if (this.#state === 'done') return
    this.#state = 'done'
    this.#abort?.()
  }

  onConnect(abort: (error?: Error) => void): void {
    // Given up while it waited for a connection: to throw drops the request, to abort would drop the connection too.
    if (this.#state === 'done') throw new Error('The request was given up')
    this.#abort = abort
    this.#ledger = this.connection?.ledger
    if (this.#ledger !== undefined) expectAnswer(this.#ledger)
    this.#receiver.onStart()
  }

  onRequestSent(): void {
    if (this.#state === 'open') this.#receiver.onSent()
  }

  onHeaders(status: number, rawFields: Buffer[]): boolean {
    if (this.#state === 'done') return true
    this.#state = 'answered'
    const fields: string[] = []
    for (const octets of rawFields) fields.push(octets.toString('latin1'))
    this.#receiver.onHead(status, this.#ledger?.reason ?? '', fields)
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.#state === 'done') return true
    if (this.#receiver.onData(chunk) === 'pause' && this.#ledger !== undefined) pauseReading(this.#ledger)
    return true
  }

  onComplete(): void {
    if (this.#ledger !== undefined) endPause(this.#ledger)
    if (this.#state === 'done') return
    this.#state = 'done'
    if (this.#ledger?.ending === 'reset') this.#receiver.onFailure('upstream-truncated', 'ECONNRESET')
    else this.#receiver.onEnd()
  }

  onError(error: Error): void {
    if (this.#state === 'done') return
    const kind = this.#kindOf(error)
    if (kind === 'upstream-reset' && this.#maySendAgain()) {
      this.dispatch()
      return
    }
    this.#state = 'done'
    this.#receiver.onFailure(kind, errorCode(error))
  }

  /** undici's names for a broken answer depend on how far it was read; what counts is who ended it. */
  #kindOf(error: Error): FailureKind {
    if (error instanceof AnswerFault) return error.kind
    const kind = upstreamFailure(error)
    const { answerOctets, ending } = this.#ledger ?? { answerOctets: 0, ending: 'none' }
    if (kind === 'upstream-reset') return answerOctets === 0 ? kind : 'upstream-truncated'
    if (kind !== 'upstream-malformed' && kind !== 'upstream-truncated') return kind
    return ending === 'none' ? 'upstream-malformed' : 'upstream-truncated'
  }

  /**
   * The one retry, when the service closed a kept-alive connection just as it was used again. A request that waited for
   * that connection was not sent at all: undici gives up the queue too. One that was sent is sent again if it is safe to
   * repeat and has no body, and not one octet of an answer came.
   */
  #maySendAgain(): boolean {
    if (this.#attempts > 1) return false
    const { method, body } = this.#request
    const ledger = this.#ledger
    if (ledger === undefined) return this.connection?.ledger !== undefined
    const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
    return isSafe && body === undefined && ledger.requests > 1 && ledger.answerOctets === 0
  }
}
