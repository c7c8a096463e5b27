import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Admission } from '../forward/admission.ts'
import { type Answer, redirectToSlash, toAnswer, toAsker } from '../forward/answer.ts'
import type { DownstreamRequest, Peer } from '../forward/downstream.ts'
import type { FailureKind } from '../forward/failure.ts'
import { buildUpstreamFields, buildUpstreamPath } from '../forward/request.ts'
import { toDownstreamHead } from '../forward/response.ts'
import type { ServedPoint } from '../points/match.ts'
import type { BlockedExchange } from './blocked-clients.ts'
import type { ClientConnection, Running } from './client-connection.ts'
import type { Connection } from './connection.ts'
import type { Pool } from './connections.ts'
import { Deadline } from './deadline.ts'
import { type ExchangeRecord, type OpenRecord, openRecord } from './exchange-record.ts'
import { hasHead, isFinished, listen } from './internals/reserved-response.ts'
import type { Lease, Stage } from './lease.ts'
import type { Leases } from './leases.ts'
import { announcesBody, OutgoingResponse } from './response.ts'
import type { ExchangeSettings } from './settings.ts'
import { mayBeSmall, receiveBody, type Upload } from './upload.ts'
import { type AttemptReceiver, UpstreamAttempt, type UpstreamRequest } from './upstream.ts'
import { type NodeVoucher, openVoucher } from './voucher.ts'

/** What an exchange needs besides its request and response. */
export interface ExchangeContext {
  readonly settings: ExchangeSettings
  /** The connection that the request came on; `leave` is called when the exchange ends. */
  readonly connection: Pick<ClientConnection, 'closes' | 'leave'>
  readonly peer: Peer
  readonly leases: Leases<Connection>
  /** The connections to the service that the settings name. */
  readonly pool: Pool<Connection>
  /** Responses whose client waits for 100 Continue. */
  readonly awaitContinue: WeakSet<ServerResponse>
  /** Called once for each request, when it ends. */
  record(record: ExchangeRecord): void
  /** Called with the size of each piece of a body, in either direction. */
  onPiece(octets: number): void
}

/** What an exchange waits for. Phases follow in this order; some may be left out, and any may be the last. */
type Phase =
  /** The request is being judged. */
  | 'new'
  /** Waits for the first octets of the request's body. */
  | 'arriving'
  /** Waits for a connection to the service; once more if the request is repeated on another. */
  | 'queued'
  | 'uploading'
  /** Waits for the head of the response; all of the request is sent. */
  | 'waiting'
  | 'responding'
  /** The response is complete: waits for the kernel to take the rest of it. */
  | 'flushing'
  | 'closed'

/**
 * One exchange, from the raw request to the last octet of the response. Its response is either complete (`#finish`), be it
 * the service's or our own, or visibly broken (`#cut`); `#onClose` follows, as it does when the client leaves.
 */
export class Exchange implements AttemptReceiver, BlockedExchange, Running {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly #context: ExchangeContext
  readonly #admission: Admission
  readonly #record: OpenRecord
  readonly #deadline = new Deadline(() => this.#onDeadline())
  readonly #response: OutgoingResponse
  readonly #startedAtMs = performance.now()
  #phase: Phase = 'new'
  #lease: Lease<Connection> | undefined
  #upload: Upload | undefined
  #attempt: UpstreamAttempt | undefined
  #sentAtMs = 0
  /** While flushing: what was unsent when the deadline was set last. If less is at its end, the client reads. */
  #unsentOctets = 0
  /** Compares what `check` claims to have sent with what arrives; other requests have none. */
  #voucher: NodeVoucher | undefined

  constructor(
    context: ExchangeContext,
    admission: Admission,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) {
    this.#context = context
    this.#admission = admission
    this.#record = openRecord(incoming, admission, context.peer)
    this.incoming = incoming
    this.outgoing = outgoing
    // The callback is called when the client reads again after a pause.
    this.#response = new OutgoingResponse(incoming, outgoing, () => {
      context.leases.unblock(this.#lease)
      this.#deadline.extend()
      this.#attempt?.resume()
    })
  }

  begin(): void {
    const admission = this.#admission
    // From now on the exchange notices when either side ends it.
    this.#response.claim()
    listen(this.outgoing, 'close', this.#onClose)
    // A response behind another has no socket yet. If the connection closes first, only the socket says so.
    if (this.outgoing.socket === null) this.incoming.socket?.once('close', this.#onClose)
    // Other code has begun a response, which is not the service's, and nothing can be appended to it.
    if (hasHead(this.outgoing)) return this.#cut('internal', 'RESPONSE_BEGUN')
    switch (admission.kind) {
      case 'refuse':
        return this.#fail(admission.failure)
      case 'redirect':
        this.#record.outcome = 'redirect'
        return this.#answerWith(redirectToSlash(admission))
      case 'forward':
        return this.#receive(admission.request, admission.point)
    }
  }

  /** Admits the request, and waits for the first octets of its body. */
  #receive(request: DownstreamRequest, point: ServedPoint): void {
    const { incoming } = this
    const { body, claim } = request
    if (claim !== undefined) this.#voucher = openVoucher(claim, request)
    const isAdmitted = this.#admit(body === undefined ? 'complete' : 'arriving')
    if (!isAdmitted && !mayBeSmall(body)) return this.#fail('overloaded')
    // There is no room for an upload. If all of the body is here by the end of this turn, `#send` asks for room once more.
    if (!isAdmitted) setImmediate(() => this.#phase === 'arriving' && this.#fail('overloaded'))
    else if (request.expectation === '100-continue' && this.#context.awaitContinue.has(this.outgoing))
      this.#response.sendContinue()
    if (body === undefined) return this.#send(request, point)
    this.#phase = 'arriving'
    this.#deadline.set(this.#context.settings.idleTimeoutMs)
    receiveBody(incoming, body, {
      onStream: (upload) => {
        this.#upload = upload
        if (this.#phase !== 'arriving') upload.destroy()
      },
      onOctets: (octets) => this.#onUploaded(octets),
      onBegun: (begun) => this.#send(request, point, begun),
      onArrived: () => this.#context.leases.complete(this.#lease),
    })
  }

  #admit(stage: Stage): boolean {
    const { leases, pool, settings } = this.#context
    this.#lease = leases.admit(this, pool, stage, settings.concurrencyLimit)
    return this.#lease !== undefined
  }

  #onUploaded(octets: Buffer): void {
    const { settings, onPiece } = this.#context
    this.#record.requestOctets += octets.length
    onPiece(octets.length)
    this.#voucher?.addBody(octets)
    // While the request waits for a connection, arriving octets don't count as progress.
    if (this.#phase !== 'queued') this.#deadline.extend()
    const { bodyLimitBytes } = settings
    if (bodyLimitBytes !== undefined && this.#record.requestOctets > bodyLimitBytes)
      this.#fail('body-too-large')
  }

  /** Whether the whole body, if there is one, was passed on; to be asked once it has begun. */
  get #hasArrived(): boolean {
    return this.#upload?.hasArrived ?? true
  }

  /**
   * Queues the request for a connection, once its body has begun to arrive: undici writes the head together with the first
   * piece of the body, and one that waits for a client could close meanwhile, or receive a response to nothing.
   */
  #send(request: DownstreamRequest, point: ServedPoint, body?: UpstreamRequest['body']): void {
    if (this.#phase !== 'new' && this.#phase !== 'arriving') return
    this.#phase = 'queued'
    const { settings, peer, leases } = this.#context
    const isAdmitted = this.#lease !== undefined || this.#admit(this.#hasArrived ? 'complete' : 'arriving')
    if (!isAdmitted || this.#lease === undefined) return this.#fail('overloaded')
    this.#deadline.set(settings.connectTimeoutMs + settings.headersTimeoutMs)
    const path = buildUpstreamPath(request, point, settings.rules)
    const fields = buildUpstreamFields(request, point, peer, settings.rules)
    this.#voucher?.compare(fields)
    this.#attempt = new UpstreamAttempt(
      leases,
      this.#lease,
      { method: request.method, path, fields, body },
      this,
    )
    if (leases.enqueue(this.#lease, this.#attempt) === 'overloaded') this.#fail('overloaded')
  }

  // The attempt calls these, up to `onFailure`.

  onStart(): void {
    if (this.#phase !== 'queued') return
    const { idleTimeoutMs, headersTimeoutMs } = this.#context.settings
    this.#phase = this.#upload === undefined ? 'waiting' : 'uploading'
    this.#upload?.beginSending()
    // The time for the head is that of both tries.
    if (this.#sentAtMs === 0)
      this.#deadline.set(this.#upload === undefined ? headersTimeoutMs : idleTimeoutMs)
    this.#sentAtMs = performance.now()
  }

  onRepeat(): void {
    this.#phase = 'queued'
  }

  onSent(): void {
    if (this.#phase !== 'uploading') return
    this.#phase = 'waiting'
    this.#deadline.set(this.#context.settings.headersTimeoutMs)
  }

  onHead(status: number, reason: string, fields: string[]): void {
    if (this.#phase !== 'uploading' && this.#phase !== 'waiting') return
    const { method } = this.#record
    const head = toDownstreamHead(method, status, fields)
    if (head !== undefined && this.#voucher !== undefined)
      head.fields.push(...this.#voucher.toField(head, this.#hasArrived ? 'whole' : 'partial'))
    if (head?.body === 'until-close') {
      this.#response.endByClose()
      this.#record.code = 'ENDED_BY_CLOSE'
    }
    if (head === undefined || !this.#writeHead(head.status, reason, head.fields))
      return this.#fail('upstream-malformed', 'BAD_HEAD')
    this.#record.upstreamMs = performance.now() - this.#sentAtMs
    this.#record.outcome = 'ok'
    this.#phase = 'responding'
    this.#deadline.set(this.#context.settings.idleTimeoutMs)
    if (head.body !== 'none') return this.#response.flushAfterTurn()
    this.#finish()
    // undici would wait for a body that a 204 or 304 announces but never has.
    if (method !== 'HEAD' && announcesBody(fields)) this.#attempt?.abort()
  }

  onData(chunk: Buffer): 'pause' | 'continue' {
    if (this.#phase !== 'responding') return 'continue'
    this.#deadline.extend()
    this.#record.responseOctets += chunk.length
    this.#context.onPiece(chunk.length)
    const flow = this.#response.write(chunk)
    if (flow === 'pause') this.#context.leases.block(this.#lease)
    return flow
  }

  onEnd(): void {
    if (this.#phase === 'responding') this.#finish()
  }

  onFailure(kind: FailureKind, code: string): void {
    if (!this.#isOver) this.#fail(kind, code)
  }

  get #isOver(): boolean {
    return this.#phase === 'closed' || this.#phase === 'flushing'
  }

  get hasLease(): boolean {
    return this.#lease !== undefined && this.#lease.state !== 'over'
  }

  /** Called too when the next request of the connection begins, before Node has noticed the end of this response. */
  endLease(): void {
    this.#context.leases.end(this.#lease)
  }

  get unsentOctets(): number {
    return this.#response.unsentOctets
  }

  revoke(): void {
    this.endLease()
    if (this.#phase === 'closed') return
    this.#attempt?.abort()
    this.#cut('request-timeout', 'REVOKED')
  }

  /** The process stops, and waits no longer. */
  stop(): void {
    if (!this.#isOver) this.#fail('draining')
  }

  /** The parser failed within the request's body: the exchange fails. */
  interrupt(kind: FailureKind, code: string | undefined): void {
    // The response is out already: the rest of the upload is discarded, and no other request follows.
    if (this.#isOver) return void this.incoming.socket.end()
    this.#response.makeLast()
    this.#fail(kind, code)
  }

  /** Gives up the attempt, and answers the client if that is still possible; otherwise cuts the response. */
  #fail(kind: FailureKind, code?: string): void {
    if (this.#phase === 'closed') return
    this.#attempt?.abort(kind)
    this.endLease()
    if (hasHead(this.outgoing) || this.incoming.socket?.destroyed === true) return this.#cut(kind, code)
    this.#note(kind, code)
    const asker = toAsker(this.#record.method, this.incoming.rawHeaders, this.#admission)
    this.#answerWith(toAnswer(kind, this.#record.id(), asker))
  }

  #answerWith(answer: Answer): void {
    if (LAST_ANSWERS.has(this.#record.outcome)) this.#response.makeLast()
    if (!this.#writeHead(answer.status, STATUS_CODES[answer.status] ?? '', answer.fields))
      return this.#response.cut()
    this.#record.responseOctets = this.incoming.method === 'HEAD' ? 0 : Buffer.byteLength(answer.body)
    this.#finish(answer.body)
  }

  /** @returns whether Node accepted the head */
  #writeHead(status: number, reason: string, fields: string[]): boolean {
    if (this.#context.connection.closes) this.#response.makeLast()
    return this.#response.head(status, reason, fields)
  }

  /** The response is complete. */
  #finish(lastOctets?: string): void {
    this.#phase = 'flushing'
    const isUploading = !this.incoming.complete && announcesBody(this.incoming.rawHeaders)
    // After a request timeout there is no point in waiting for the client again.
    const isDrained = isUploading && this.#record.outcome !== 'request-timeout'
    if (isDrained) this.#upload?.destroy()
    this.#response.end(lastOctets, isDrained ? this.#context.onPiece : undefined)
    this.#unsentOctets = this.#response.unsentOctets
    if (this.#unsentOctets > 0) this.#context.leases.block(this.#lease)
    this.#deadline.set(this.#context.settings.idleTimeoutMs)
  }

  /** The response closes, and `#onClose` is called. */
  #cut(kind: FailureKind, code?: string): void {
    this.#note(kind, code)
    this.#response.cut()
  }

  #note(kind: FailureKind, code: string | undefined): void {
    this.#record.outcome = kind
    this.#record.code = code
  }

  /** What the exchange waited for did not come in time. */
  #onDeadline(): void {
    const { unsentOctets } = this.#response
    if (this.#phase === 'flushing' && unsentOctets < this.#unsentOctets) {
      this.#unsentOctets = unsentOctets
      return this.#deadline.set(this.#context.settings.idleTimeoutMs)
    }
    const isClientLate =
      this.#phase === 'arriving' ||
      this.#phase === 'flushing' ||
      (this.#phase !== 'queued' && this.#upload?.waitsFor === 'client') ||
      (this.#phase === 'responding' && this.#response.isBlocked)
    this.#fail(isClientLate ? 'request-timeout' : (LATE_SERVICE.get(this.#phase) ?? 'upstream-stall'))
  }

  /** The response is complete or cut, or the client is gone: the end of every exchange. */
  readonly #onClose = (): void => {
    if (this.#phase === 'closed') return
    const awaitsService = this.#hasArrived && AWAITS_SERVICE.has(this.#phase)
    this.#phase = 'closed'
    this.incoming.socket?.off('close', this.#onClose)
    this.#deadline.clear()
    this.#attempt?.abort()
    this.#upload?.destroy()
    this.endLease()
    const record = this.#record
    // The record of what has no outcome yet says that the client left.
    if (!isFinished(this.outgoing) && record.outcome === 'ok') record.outcome = 'client-abort'
    if (record.outcome === 'client-abort' && awaitsService) record.code = 'SERVICE_AWAITED'
    if (hasHead(this.outgoing)) record.status = this.outgoing.statusCode
    record.durationMs = performance.now() - this.#startedAtMs
    this.#context.record(record)
    this.#context.connection.leave(this)
  }
}

const AWAITS_SERVICE: ReadonlySet<Phase> = new Set(['queued', 'uploading', 'waiting'])

const LATE_SERVICE: ReadonlyMap<Phase, FailureKind> = new Map([
  ['queued', 'upstream-queue-timeout'],
  ['waiting', 'upstream-head-timeout'],
])

/** Failures after which the start of the next request is unknown, so the connection closes (RFC 9112 section 6.3). */
const LAST_ANSWERS: ReadonlySet<string> = new Set<FailureKind>([
  'request-timeout',
  'bad-framing',
  'unknown-coding',
])
