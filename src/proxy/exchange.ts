import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { TLSSocket } from 'node:tls'
import { type Fields, hasField, valuesOf } from '../http/fields.ts'
import type { PointTable, ServedPoint } from '../points/compile.ts'
import { admit } from './admission.ts'
import { type Answer, toAnswer, toSlashRedirect } from './answer.ts'
import { Deadline, type DeadlineClock, type DeadlineOwner } from './deadline.ts'
import type { DownstreamRequest } from './downstream.ts'
import type { ExchangeRecord } from './exchange-record.ts'
import type { FailureKind } from './failure.ts'
import type { ForwardRules } from './forward-rules.ts'
import { drainUpload } from './lingering.ts'
import type { Peer } from './peer.ts'
import { toUpstreamFields, toUpstreamPath } from './request.ts'
import { isBodyTaken, RequestBody } from './request-body.ts'
import { toRequestId } from './request-id.ts'
import { endResponse, writeBody, writeHead } from './reserved-response.ts'
import { toDownstreamHead } from './response.ts'
import type { RoundTrip, Upstream, UpstreamReceiver } from './upstream.ts'

/** Everything that exchanges share; replaced as a whole when the config is loaded again. */
export interface ExchangeSettings {
  readonly points: PointTable
  readonly rules: ForwardRules
  readonly upstream: Upstream
  readonly peerOf: (socket: IncomingMessage['socket']) => Peer
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly bodyLimitBytes: number | undefined
  readonly concurrencyLimit: number
}

/** What the life of a process adds to the settings. */
export interface ExchangeContext {
  readonly settings: ExchangeSettings
  /** `https` on a TLS listener; a plain listener says nothing, TLS may end in front of it. */
  readonly listenerScheme: 'https' | undefined
  readonly traffic: Traffic
  readonly clock: DeadlineClock
  /** Called once for each request, when it is over. */
  record(record: ExchangeRecord): void
  /** Told how many octets of a body passed, in either direction, at each arrival. */
  carry(octets: number): void
}

/** What is under way, for admission and for draining. */
export interface Traffic {
  inFlight: number
  /** Answers say `Connection: close` while draining. */
  state: 'open' | 'draining'
  /** Responses whose client waits for 100 Continue; Node answers by itself where nobody listens for `checkContinue`. */
  readonly awaitContinue: WeakSet<ServerResponse>
}

/**
 * One exchange, from the raw request to the last octet of the answer. Data goes left to right; every way out leads
 * through `#refuse` (an own answer), `#finish` (a complete one) or `#cut` (a visibly broken one), and then `#onClose`.
 */
export class Exchange implements UpstreamReceiver, DeadlineOwner {
  readonly #context: ExchangeContext
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #peer: Peer
  readonly #id: string
  readonly #startedAtMs = performance.now()
  #phase: 'new' | 'queued' | 'uploading' | 'waiting' | 'answering' | 'flushing' | 'closed' = 'new'
  #request: DownstreamRequest | undefined
  #point: ServedPoint | undefined
  #body: RequestBody | undefined
  #trip: RoundTrip | undefined
  readonly #deadline: Deadline
  #outcome: ExchangeRecord['outcome'] = 'client-abort'
  #code: string | undefined
  #sentAtMs: number | undefined
  #upstreamMs: number | undefined
  #requestOctets = 0
  #responseOctets = 0
  #hasFlushed = false
  /** The first of the body, held back for one turn, since head and body in one write cost half of two. */
  #firstOctets: Buffer | undefined
  #hasDrainListener = false
  #unsentOctets = 0
  #isAdmitted = false
  #isInterrupted = false
  /** Only while a pipelined answer waits: `off` is not free. */
  #watchedSocket: IncomingMessage['socket'] | undefined

  constructor(context: ExchangeContext, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#context = context
    this.#deadline = new Deadline(context.clock, this)
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#peer = context.settings.peerOf(incoming.socket)
    this.#id = toRequestId(incoming.rawHeaders, this.#peer)
  }

  /** Judges the request and forwards or answers it. With `next`, a request that no point owns is left to it. */
  begin(next?: () => void): void {
    const { settings, listenerScheme, traffic } = this.#context
    const admission = admit(this.#incoming, this.#peer, listenerScheme, {
      points: settings.points,
      bodyLimitBytes: settings.bodyLimitBytes,
      vacancies: settings.concurrencyLimit - traffic.inFlight,
      bodyState: isBodyTaken(this.#incoming) ? 'taken' : 'untouched',
    })
    if (next !== undefined && admission.point === undefined) return next()
    this.#watch()
    this.#request = admission.request
    this.#point = admission.point
    switch (admission.kind) {
      case 'refuse':
        return this.#refuse(admission.failure)
      case 'redirect': {
        const { pathAndQuery, path } = admission.request.target
        this.#outcome = 'redirect'
        return this.#answer(toSlashRedirect(admission.point, pathAndQuery.slice(path.length)))
      }
      case 'forward':
        return this.#forward(admission.request, admission.point)
    }
  }

  #forward(request: DownstreamRequest, point: ServedPoint): void {
    const { settings, traffic } = this.#context
    traffic.inFlight += 1
    this.#isAdmitted = true
    if (request.expectation === '100-continue' && traffic.awaitContinue.has(this.#outgoing)) this.#goOn()
    if (request.body !== undefined) {
      this.#body = new RequestBody(this.#incoming, (octets) => this.#onUploaded(octets))
    }
    this.#phase = 'queued'
    this.#deadline.set(settings.connectTimeoutMs + settings.headersTimeoutMs)
    this.#trip = settings.upstream.send(
      {
        method: request.method,
        path: toUpstreamPath(request, point, settings.rules),
        fields: toUpstreamFields(request, point, this.#peer, settings.rules),
        body: this.#body,
      },
      this,
    )
  }

  /** Sends 100 Continue; a pipelined one would stand within the answer before it, so it waits for its turn. */
  #goOn(): void {
    const outgoing = this.#outgoing
    if (!this.#isWaitingForItsTurn()) outgoing.writeContinue()
    else outgoing.once('socket', () => outgoing.headersSent || outgoing.writeContinue())
  }

  /**
   * The connection's octets stopped making sense. Within this request's body it fails; behind it the answer goes out
   * first, and then `refuse` is called for whatever should have been the next request, once: every octet that still
   * comes interrupts again.
   */
  interrupt(kind: FailureKind, code: string | undefined, refuse: () => void): void {
    if (!this.#incoming.complete) {
      if (this.#isOver) {
        // An answer is out already: what comes is being discarded until the client ends too.
        if (this.#incoming.socket.readableEnded) this.#incoming.socket.end()
        return
      }
      this.#outgoing.shouldKeepAlive = false
      this.#fail(kind, code)
    } else if (!this.#isInterrupted) {
      this.#isInterrupted = true
      if (this.#phase === 'closed') refuse()
      else this.#outgoing.once('close', refuse)
    }
  }

  onStart(): void {
    this.#sentAtMs = performance.now()
    this.#phase = this.#body === undefined ? 'waiting' : 'uploading'
    this.#deadline.set(
      this.#body === undefined
        ? this.#context.settings.headersTimeoutMs
        : this.#context.settings.idleTimeoutMs,
    )
  }

  onSent(): void {
    if (this.#phase !== 'uploading') return
    this.#phase = 'waiting'
    this.#deadline.set(this.#context.settings.headersTimeoutMs)
  }

  onHead(status: number, reason: string, fields: string[]): void {
    if (this.#phase === 'closed') return
    const method = this.#request?.method ?? ''
    const head = toDownstreamHead(method, status, fields)
    if (head === undefined || !this.#writeHead(head.status, reason, head.fields)) {
      this.#trip?.abort()
      this.#refuse('upstream-malformed', 'BAD_HEAD')
      return
    }
    if (this.#sentAtMs !== undefined) this.#upstreamMs = performance.now() - this.#sentAtMs
    this.#outcome = 'ok'
    this.#phase = 'answering'
    this.#deadline.set(this.#context.settings.idleTimeoutMs)
    if (head.body === 'some') {
      // A small answer comes whole in the same turn; the head of a slow one must not wait for its body.
      queueMicrotask(() => this.#flush())
      return
    }
    this.#finish()
    // undici would wait for a body that a 204 or 304 announces and never has.
    if (method !== 'HEAD' && announcesBody(fields)) this.#trip?.abort()
  }

  onData(chunk: Buffer): 'pause' | 'continue' {
    if (this.#phase !== 'answering') return 'continue'
    this.#deadline.extend()
    this.#responseOctets += chunk.length
    this.#context.carry(chunk.length)
    if (!this.#hasFlushed && this.#firstOctets === undefined) {
      this.#firstOctets = chunk
      return 'continue'
    }
    this.#flush()
    if (writeBody(this.#outgoing, chunk)) return 'continue'
    if (!this.#hasDrainListener) {
      this.#hasDrainListener = true
      this.#outgoing.on('drain', () => {
        this.#deadline.extend()
        this.#trip?.resume()
      })
    }
    return 'pause'
  }

  onEnd(): void {
    if (this.#phase === 'answering') this.#finish(this.#firstOctets)
  }

  onFailure(kind: FailureKind, code: string): void {
    if (!this.#isOver) this.#fail(kind, code)
  }

  get #isOver(): boolean {
    return this.#phase === 'closed' || this.#phase === 'flushing'
  }

  /** Gives the round trip up and tells the client, if that is still possible. */
  #fail(kind: FailureKind, code?: string): void {
    if (this.#phase === 'closed') return
    this.#trip?.abort()
    const isGone = this.#outgoing.headersSent || this.#incoming.socket?.destroyed === true
    if (isGone) this.#cut(kind, code)
    else this.#refuse(kind, code)
  }

  #onUploaded(octets: number): void {
    this.#requestOctets += octets
    this.#context.carry(octets)
    this.#deadline.extend()
    const { bodyLimitBytes } = this.#context.settings
    if (bodyLimitBytes !== undefined && this.#requestOctets > bodyLimitBytes) this.#fail('body-too-large')
  }

  /** @returns whether Node accepted the head; it refuses octets that HTTP forbids */
  #writeHead(status: number, reason: string, fields: string[]): boolean {
    const outgoing = this.#outgoing
    if (this.#context.traffic.state === 'draining') outgoing.shouldKeepAlive = false
    try {
      writeHead(outgoing, status, reason, fields)
      return true
    } catch {
      return false
    }
  }

  /**
   * Writes the head, and what has come of the body. Never `flushHeaders`, which would turn octets above 0x7F into UTF-8.
   */
  #flush(): void {
    if (this.#phase !== 'answering' || this.#hasFlushed) return
    this.#hasFlushed = true
    writeBody(this.#outgoing, this.#firstOctets ?? NOTHING)
    this.#firstOctets = undefined
  }

  #watch(): void {
    // Node would chunk an answer for a TE field too, which no version before 1.1 can read (RFC 9112 section 6.1).
    if (this.#incoming.httpVersion === '1.0') this.#outgoing.useChunkedEncodingByDefault = false
    // Node passes over what came in the same packet behind an Upgrade, so the next request can't be relied on.
    if (hasField(this.#incoming.rawHeaders, 'upgrade')) this.#outgoing.shouldKeepAlive = false
    this.#outgoing.on('close', this.#onClose)
    if (this.#isWaitingForItsTurn()) {
      this.#watchedSocket = this.#incoming.socket.setMaxListeners(0).on('close', this.#onClose)
    }
  }

  /** A pipelined response has no socket until those before it are out, and does not hear that the client left. */
  #isWaitingForItsTurn(): boolean {
    return this.#outgoing.socket === null
  }

  #refuse(kind: FailureKind, code?: string): void {
    this.#outcome = kind
    this.#code = code
    const { target } = this.#request ?? {}
    const point = this.#point
    this.#answer(
      toAnswer(kind, this.#id, {
        method: this.#incoming.method ?? '',
        accept: valuesOf(this.#incoming.rawHeaders, 'accept'),
        pointRoot: point !== undefined && target?.path === point.path ? point : undefined,
      }),
    )
  }

  #answer(answer: Answer): void {
    if (LAST_ANSWERS.has(this.#outcome)) this.#outgoing.shouldKeepAlive = false
    this.#writeHead(answer.status, STATUS_CODES[answer.status] ?? '', answer.fields)
    this.#responseOctets = answer.body.length
    this.#finish(answer.body)
  }

  /** Ends the answer. What the client still uploads is drained for a while, else a reset could overtake the answer. */
  #finish(lastOctets?: Buffer | string): void {
    this.#phase = 'flushing'
    const octets = this.#incoming.method === 'HEAD' ? undefined : lastOctets
    if (this.#outcome !== 'request-timeout' && this.#isUploading()) {
      if (octets !== undefined) writeBody(this.#outgoing, octets)
      this.#body?.destroy()
      drainUpload(this.#incoming, this.#outgoing)
    } else endResponse(this.#outgoing, octets)
    this.#unsentOctets = this.#incoming.socket?.writableLength ?? 0
    this.#deadline.set(this.#context.settings.idleTimeoutMs)
  }

  #isUploading(): boolean {
    return !this.#incoming.complete && announcesBody(this.#incoming.rawHeaders)
  }

  /** Breaks an answer off so that it can't be taken for a complete one. */
  #cut(kind: FailureKind, code?: string): void {
    this.#outcome = kind
    this.#code = code
    const socket = this.#incoming.socket
    // Without framing the end of the connection is the end of the body: only a reset tells the difference. TLS has its
    // own end, which is not sent here.
    if (this.#request?.version === '1.0' && !(socket instanceof TLSSocket)) socket.resetAndDestroy()
    this.#outgoing.destroy()
  }

  onDeadline(): void {
    switch (this.#phase) {
      case 'queued':
        return this.#fail('upstream-queue-timeout')
      case 'uploading':
        return this.#fail(this.#body?.waitsFor === 'client' ? 'request-timeout' : 'upstream-stall')
      case 'waiting':
        return this.#fail('upstream-head-timeout')
      case 'answering':
        if (!this.#outgoing.writableNeedDrain) return this.#fail('upstream-stall')
        if (this.#isWaitingForItsTurn()) return this.#deadline.set(this.#context.settings.idleTimeoutMs)
        return this.#fail('request-timeout')
      case 'flushing': {
        if (this.#isWaitingForItsTurn()) return this.#deadline.set(this.#context.settings.idleTimeoutMs)
        const unsentOctets = this.#incoming.socket?.writableLength ?? 0
        if (unsentOctets >= this.#unsentOctets) return this.#cut('request-timeout')
        this.#unsentOctets = unsentOctets
        return this.#deadline.set(this.#context.settings.idleTimeoutMs)
      }
    }
  }

  readonly #onClose = (): void => {
    if (this.#phase === 'closed') return
    if (this.#watchedSocket !== undefined) this.#watchedSocket.off('close', this.#onClose)
    const isComplete = this.#outgoing.writableFinished
    this.#phase = 'closed'
    this.#deadline.clear()
    this.#trip?.abort()
    this.#body?.destroy()
    if (this.#isAdmitted) this.#context.traffic.inFlight -= 1
    if (!isComplete && this.#outcome === 'ok') this.#outcome = 'client-abort'
    this.#context.record({
      id: this.#id,
      method: this.#incoming.method ?? '',
      point: this.#point,
      peerAddress: this.#peer.address,
      status: this.#outgoing.headersSent ? this.#outgoing.statusCode : undefined,
      outcome: this.#outcome,
      code: this.#code,
      durationMs: performance.now() - this.#startedAtMs,
      upstreamMs: this.#upstreamMs,
      requestOctets: this.#requestOctets,
      responseOctets: this.#responseOctets,
    })
  }
}

/** Whether a message says that it has a body: framing fields other than `Content-Length: 0`. */
function announcesBody(fields: Fields): boolean {
  if (hasField(fields, 'transfer-encoding')) return true
  return valuesOf(fields, 'content-length').some((length) => length !== '0')
}

/** Where the next request would begin is not known after these, so the connection ends (RFC 9112 section 6.3). */
const LAST_ANSWERS: ReadonlySet<string> = new Set<FailureKind>([
  'request-timeout',
  'bad-framing',
  'unknown-coding',
])
const NOTHING = Buffer.alloc(0)
