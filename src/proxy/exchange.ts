import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Admission } from '../forward/admission.ts'
import { type Answer, redirectToSlash, toAnswer } from '../forward/answer.ts'
import type { DownstreamRequest, Peer } from '../forward/downstream.ts'
import type { FailureKind } from '../forward/failure.ts'
import { toUpstreamFields, toUpstreamPath } from '../forward/request.ts'
import { toDownstreamHead } from '../forward/response.ts'
import { valuesOf } from '../http/fields.ts'
import type { ServedPoint } from '../points/compile.ts'
import type { ClientConnection, Running } from './client-connection.ts'
import { Deadline, type DeadlineClock, type DeadlineOwner } from './deadline.ts'
import { mayFollow, type Phase } from './exchange-phase.ts'
import { type ExchangeRecord, toAddressed } from './exchange-record.ts'
import { hasHead, isFinished, listen } from './internals/reserved-response.ts'
import { announcesBody, OutgoingResponse } from './outgoing-response.ts'
import { BUFFER_OCTETS, RequestBody } from './request-body.ts'
import { parseTraceId, toRequestId } from './request-id.ts'
import type { ExchangeSettings } from './settings.ts'
import type { Stall, Unread } from './stalls.ts'
import type { Stage, Traffic } from './traffic.ts'
import type { RoundTrip, UpstreamReceiver, UpstreamRequest } from './upstream.ts'
import { openVoucher, type Voucher } from './voucher.ts'

/** What an exchange needs besides its request and response. */
export interface ExchangeContext {
  readonly settings: ExchangeSettings
  /** The connection that the request came on; `leave` is called when the exchange ends. */
  readonly connection: Pick<ClientConnection, 'hasWaitingRequest' | 'leave'>
  readonly peer: Peer
  readonly traffic: Traffic
  readonly clock: DeadlineClock
  /** Called once for each request, when it ends. */
  record(record: ExchangeRecord): void
  /** Called with the size of each piece of a body, in either direction. */
  onPiece(octets: number): void
}

/**
 * One exchange, from the raw request to the last octet of the response. Every exchange ends in `#refuse` (our own
 * answer), `#finish` (a complete response) or `#cut` (a visibly broken one), and then `#onClose`.
 */
export class Exchange implements UpstreamReceiver, DeadlineOwner, Running, Unread {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly #context: ExchangeContext
  readonly #response: OutgoingResponse
  readonly #peer: Peer
  readonly #id: () => string
  readonly #startedAtMs = performance.now()
  #phase: Phase = 'new'
  #request: DownstreamRequest | undefined
  #point: ServedPoint | undefined
  #body: RequestBody | undefined
  #trip: RoundTrip | undefined
  /** Only for a question of `check`. */
  #voucher: Voucher | undefined
  readonly #deadline: Deadline
  #outcome: ExchangeRecord['outcome'] = 'client-abort'
  #code: string | undefined
  #sentAtMs: number | undefined
  #upstreamMs: number | undefined
  #requestOctets = 0
  #responseOctets = 0
  #unsentOctets = 0
  #stall: Stall | undefined
  #addressed: ExchangeRecord['addressed']
  /** Whether it counts among the exchanges in flight, and as which. */
  #place: 'none' | Stage = 'none'

  constructor(context: ExchangeContext, incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#context = context
    this.#deadline = new Deadline(context.clock, this)
    this.incoming = incoming
    this.outgoing = outgoing
    // Called when the client reads again after `write` asked for a pause.
    this.#response = new OutgoingResponse(incoming, outgoing, () => {
      this.#endStall()
      this.#deadline.extend()
      this.#trip?.resume()
    })
    this.#peer = context.peer
    this.#id = toRequestId(incoming.rawHeaders, this.#peer)
  }

  /** Forwards the request or answers it. */
  begin(admission: Admission): void {
    this.#watch()
    this.#request = admission.request
    this.#point = admission.point
    // Other code has begun a response, which is not the service's, and nothing can be appended to it.
    if (hasHead(this.outgoing)) return this.#cut('internal', 'RESPONSE_BEGUN')
    switch (admission.kind) {
      case 'refuse':
        return this.#refuse(admission.failure)
      case 'redirect': {
        const { pathAndQuery, path } = admission.request.target
        this.#outcome = 'redirect'
        return this.#answerWith(redirectToSlash(admission.point, pathAndQuery.slice(path.length)))
      }
      case 'forward':
        return this.#forward(admission.request, admission.point)
    }
  }

  #forward(request: DownstreamRequest, point: ServedPoint): void {
    const { settings, traffic } = this.#context
    const { body, claim } = request
    if (claim !== undefined) this.#voucher = openVoucher(claim, request, point)
    const obstacle = this.#take(body === undefined ? 'complete' : 'uploading')
    const isSmall = body === 'chunked' || (body !== undefined && body <= BUFFER_OCTETS)
    if (obstacle !== undefined && !isSmall) return this.#refuse(obstacle)
    // It may still be complete within this turn, as small requests are, and then needs no place among the uploads.
    if (obstacle !== undefined) setImmediate(() => this.#phase === 'arriving' && this.#refuse(obstacle))
    else if (request.expectation === '100-continue' && traffic.awaitContinue.has(this.outgoing))
      this.#response.sendContinue()
    if (body === undefined) return this.#send(request, point)
    this.#move('arriving')
    this.#deadline.set(settings.idleTimeoutMs)
    // Listens at once, since other code may begin to read in the same turn.
    if (typeof body === 'number' && body <= BUFFER_OCTETS)
      this.incoming.once('data', (first: Buffer) => this.#receive(first, body, request, point))
    else this.#stream(undefined, request, point)
    // In case other code has paused it.
    this.incoming.resume()
  }

  /** @returns why there is no place for it */
  #take(stage: Stage): FailureKind | undefined {
    const obstacle = this.#context.traffic.take(stage, this.#context.settings.concurrencyLimit)
    if (obstacle === undefined) this.#place = stage
    return obstacle
  }

  #leavePlace(): void {
    if (this.#place !== 'none') this.#context.traffic.leave(this.#place)
    this.#place = 'none'
  }

  /** Whether the whole body, if there is one, was passed on; to be asked once it has begun. */
  get #hasArrived(): boolean {
    return this.#body?.hasArrived ?? true
  }

  /** All of the request has arrived, or no more of it is awaited. */
  #endUpload(): void {
    if (this.#place !== 'uploading') return
    this.#place = 'complete'
    this.#context.traffic.uploads -= 1
  }

  /** Most small bodies arrive in one piece, with the head, and need no stream. */
  #receive(first: Buffer, announced: number, request: DownstreamRequest, point: ServedPoint): void {
    if (this.#phase !== 'arriving') return
    if (first.length < announced) return this.#stream(first, request, point)
    this.#endUpload()
    this.#onUploaded(first)
    this.#send(request, point, first)
  }

  #stream(first: Buffer | undefined, request: DownstreamRequest, point: ServedPoint): void {
    this.#body = new RequestBody(this.incoming, first, {
      onOctets: (octets) => this.#onUploaded(octets),
      onBegun: () => this.#send(request, point, this.#body),
      onArrived: () => {
        this.#endUpload()
        this.#trip?.bodyArrived()
      },
    })
  }

  /**
   * Requests a connection. The body must have begun to arrive: undici writes the head together with its first piece, and
   * a connection that waits for a client could close meanwhile, or receive a response that nothing asked for.
   */
  #send(request: DownstreamRequest, point: ServedPoint, body?: UpstreamRequest['body']): void {
    // A request without a body came in this turn.
    const nowMs = this.#phase === 'new' ? this.#startedAtMs : performance.now()
    if (!this.#move('queued')) return
    const { settings } = this.#context
    const isComplete = this.#hasArrived
    const obstacle = this.#place === 'none' ? this.#take(isComplete ? 'complete' : 'uploading') : undefined
    if (obstacle !== undefined) return this.#refuse(obstacle)
    if (isComplete && settings.upstream.expectedWaitMs > settings.hopelessWaitMs)
      return this.#refuse('hopeless-wait')
    this.#deadline.set(settings.connectTimeoutMs + settings.headersTimeoutMs, nowMs)
    const fields = toUpstreamFields(request, point, this.#peer, settings.rules)
    this.#voucher?.compare(fields)
    this.#trip = settings.upstream.send(
      { method: request.method, path: toUpstreamPath(request, point, settings.rules), fields, body },
      this,
    )
  }

  /** The parser failed within the request's body: the exchange fails. */
  interrupt(kind: FailureKind, code: string | undefined): void {
    // The response is out already: the rest of the upload is discarded, and no other request follows.
    if (this.#isOver) return void this.incoming.socket.end()
    this.#response.makeLast()
    this.#fail(kind, code)
  }

  /**
   * The request starts going out on a connection. The round trip calls this method and the next ones, up to
   * `onFailure`.
   */
  onStart(nowMs: number): void {
    if (!this.#move(this.#body === undefined ? 'waiting' : 'uploading')) return
    this.#sentAtMs = nowMs
    this.#body?.beginSending()
    this.#deadline.set(
      this.#body === undefined
        ? this.#context.settings.headersTimeoutMs
        : this.#context.settings.idleTimeoutMs,
      nowMs,
    )
  }

  onSent(): void {
    if (this.#phase !== 'uploading') return
    this.#move('waiting')
    this.#deadline.set(this.#context.settings.headersTimeoutMs)
  }

  onHead(status: number, reason: string, fields: string[]): void {
    if (!mayFollow(this.#phase, 'responding')) return
    const method = this.#request?.method ?? ''
    const head = toDownstreamHead(method, status, fields)
    if (head !== undefined && this.#voucher !== undefined)
      head.fields.push(...this.#voucher.toField(head, this.#hasArrived))
    if (head?.body === 'until-close') {
      this.#response.endByClose()
      this.#code = 'ENDED_BY_CLOSE'
    }
    if (head === undefined || !this.#writeHead(head.status, reason, head.fields)) {
      this.#fail('upstream-malformed', 'BAD_HEAD')
      return
    }
    const nowMs = performance.now()
    if (this.#sentAtMs !== undefined) this.#upstreamMs = nowMs - this.#sentAtMs
    this.#outcome = 'ok'
    this.#move('responding')
    this.#deadline.set(this.#context.settings.idleTimeoutMs, nowMs)
    if (head.body !== 'none') {
      this.#response.flushAfterTurn()
      return
    }
    this.#finish()
    // undici would wait for a body that a 204 or 304 announces but never has.
    if (method !== 'HEAD' && announcesBody(fields)) this.#trip?.abort()
  }

  onData(chunk: Buffer): 'pause' | 'continue' {
    if (this.#phase !== 'responding') return 'continue'
    this.#deadline.extend()
    this.#responseOctets += chunk.length
    this.#context.onPiece(chunk.length)
    const flow = this.#response.write(chunk)
    if (flow === 'pause') this.#stall ??= this.#context.traffic.stalls.begin(this)
    return flow
  }

  onEnd(): void {
    if (this.#phase === 'responding') this.#finish()
  }

  onFailure(kind: FailureKind, code: string): void {
    if (!this.#isOver) this.#fail(kind, code)
  }

  /** @returns whether the phase may come next; if not, what has happened comes too late */
  #move(next: Phase): boolean {
    if (!mayFollow(this.#phase, next)) return false
    this.#phase = next
    return true
  }

  get #isOver(): boolean {
    return this.#phase === 'closed' || this.#phase === 'flushing'
  }

  /** Aborts the round trip and answers the client, if that is still possible. */
  #fail(kind: FailureKind, code?: string): void {
    if (this.#phase === 'closed') return
    this.#trip?.abort()
    const isGone = hasHead(this.outgoing) || this.incoming.socket?.destroyed === true
    if (isGone) this.#cut(kind, code)
    else this.#refuse(kind, code)
  }

  #onUploaded(octets: Buffer): void {
    this.#requestOctets += octets.length
    this.#context.onPiece(octets.length)
    this.#voucher?.addBody(octets)
    // While the request waits for a connection, arriving octets don't count as progress.
    if (this.#phase !== 'queued') this.#deadline.extend()
    const { bodyLimitBytes } = this.#context.settings
    if (bodyLimitBytes !== undefined && this.#requestOctets > bodyLimitBytes) this.#fail('body-too-large')
  }

  #writeHead(status: number, reason: string, fields: string[]): boolean {
    // Only the last of pipelined responses may close, or the later ones would be lost.
    if (this.#context.traffic.state === 'draining' && !this.#context.connection.hasWaitingRequest)
      this.#response.makeLast()
    return this.#response.head(status, reason, fields)
  }

  /** Takes over the response; from now on the exchange notices when either side ends it. */
  #watch(): void {
    this.#response.claim()
    listen(this.outgoing, 'close', this.#onClose)
  }

  #refuse(kind: FailureKind, code?: string): void {
    this.#outcome = kind
    this.#code = code
    const { target } = this.#request ?? {}
    const point = this.#point
    this.#answerWith(
      toAnswer(kind, this.#id(), {
        method: this.incoming.method ?? '',
        accept: valuesOf(this.incoming.rawHeaders, 'accept'),
        pointRoot: point !== undefined && target?.path === point.path ? point : undefined,
        addressed: this.#request,
      }),
    )
  }

  #answerWith(answer: Answer): void {
    if (LAST_ANSWERS.has(this.#outcome)) this.#response.makeLast()
    if (!this.#writeHead(answer.status, STATUS_CODES[answer.status] ?? '', answer.fields)) {
      this.#response.cut()
      return
    }
    this.#responseOctets = this.incoming.method === 'HEAD' ? 0 : Buffer.byteLength(answer.body)
    this.#finish(answer.body)
  }

  #finish(lastOctets?: string): void {
    this.#move('flushing')
    const isUploading = !this.incoming.complete && announcesBody(this.incoming.rawHeaders)
    // After a request timeout there is no point in waiting for the client again.
    const upload = isUploading && this.#outcome !== 'request-timeout' ? 'drain' : 'leave'
    if (upload === 'drain') this.#body?.destroy()
    if (upload === 'drain') this.#response.endAndDrain(lastOctets, this.#context.onPiece)
    else this.#response.end(lastOctets)
    this.#unsentOctets = this.#response.unsentOctets
    if (this.#unsentOctets > 0) this.#stall ??= this.#context.traffic.stalls.begin(this)
    // It takes no place, and the rest of the upload or the client's reading may take a while: nothing may keep its head.
    if (this.#place === 'none' && (upload === 'drain' || this.#stall !== undefined)) {
      this.#addressed = this.#request ?? toAddressed(this.incoming.rawHeaders)
      this.incoming.rawHeaders.length = 0
      this.incoming.headers = {}
    }
    this.#deadline.set(this.#context.settings.idleTimeoutMs)
  }

  #cut(kind: FailureKind, code?: string): void {
    this.#outcome = kind
    this.#code = code
    this.#response.cut()
  }

  /** What the exchange waited for did not come in time. */
  onDeadline(): void {
    switch (this.#phase) {
      case 'arriving':
        return this.#fail('request-timeout')
      case 'queued':
        return this.#fail('upstream-queue-timeout')
      case 'uploading':
        return this.#fail(this.#body?.waitsFor === 'client' ? 'request-timeout' : 'upstream-stall')
      case 'waiting':
        return this.#fail('upstream-head-timeout')
      case 'responding':
        return this.#fail(this.#response.isBlocked ? 'request-timeout' : 'upstream-stall')
      case 'flushing': {
        const { unsentOctets } = this.#response
        if (unsentOctets >= this.#unsentOctets) return this.#cut('request-timeout')
        this.#unsentOctets = unsentOctets
        return this.#deadline.set(this.#context.settings.idleTimeoutMs)
      }
    }
  }

  get holds(): Unread['holds'] {
    if (this.#phase === 'responding') return 'connection'
    return this.#place === 'none' ? 'nothing' : 'place'
  }

  get unsentOctets(): number {
    return this.#response.unsentOctets
  }

  get responseOctets(): number {
    return this.#responseOctets
  }

  /** The client does not read, and what this exchange holds is needed: its place is free when this returns. */
  giveWay(): void {
    this.#endStall()
    this.#leavePlace()
    this.#fail('request-timeout', 'GAVE_WAY')
  }

  #endStall(): void {
    if (this.#stall !== undefined) this.#context.traffic.stalls.end(this.#stall)
    this.#stall = undefined
  }

  /** The response is complete or cut, or the client is gone: the end of every exchange. */
  readonly #onClose = (): void => {
    const awaitsService = this.#phase === 'queued' || this.#phase === 'waiting'
    if (!this.#move('closed')) return
    const isComplete = isFinished(this.outgoing)
    this.#endStall()
    this.#deadline.clear()
    this.#trip?.abort()
    this.#body?.destroy()
    this.#leavePlace()
    if (!isComplete && this.#outcome === 'ok') this.#outcome = 'client-abort'
    if (this.#outcome === 'client-abort' && awaitsService) this.#code = 'SERVICE_AWAITED'
    this.#context.record({
      id: this.#id,
      traceId: () => parseTraceId(this.incoming.rawHeaders),
      method: this.incoming.method ?? '',
      point: this.#point,
      addressed: this.#addressed ?? this.#request ?? toAddressed(this.incoming.rawHeaders),
      peerAddress: this.#peer.address,
      status: hasHead(this.outgoing) ? this.outgoing.statusCode : undefined,
      outcome: this.#outcome,
      code: this.#code,
      durationMs: performance.now() - this.#startedAtMs,
      upstreamMs: this.#upstreamMs,
      requestOctets: this.#requestOctets,
      responseOctets: this.#responseOctets,
    })
    this.#context.connection.leave()
  }
}

/** After these the start of the next request is unknown, so the connection closes (RFC 9112 section 6.3). */
const LAST_ANSWERS: ReadonlySet<string> = new Set<FailureKind>([
  'request-timeout',
  'bad-framing',
  'unknown-coding',
])
