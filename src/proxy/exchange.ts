import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Admission } from '../forward/admission.ts'
import { type Answer, redirectToSlash, toAnswer } from '../forward/answer.ts'
import type { FailureKind } from '../forward/failure.ts'
import { valuesOf } from '../http/fields.ts'
import type { Running } from './client-connection.ts'
import { Deadline, type DeadlineOwner } from './deadline.ts'
import type { ExchangeContext } from './exchange-context.ts'
import { mayFollow, type Phase } from './exchange-phase.ts'
import { type OpenRecord, openRecord } from './exchange-record.ts'
import { Forwarding, type ForwardingExchange } from './forwarding.ts'
import { hasHead, isFinished, listen } from './internals/reserved-response.ts'
import { announcesBody, OutgoingResponse } from './outgoing-response.ts'
import { Place } from './place.ts'
import type { Unread } from './stalls.ts'

/**
 * One exchange, from the raw request to the last octet of the response. Every exchange ends in `#refuse` (our own
 * answer), `finish` (a complete response) or `#cut` (a visibly broken one), and then `#onClose`.
 */
export class Exchange implements ForwardingExchange, DeadlineOwner, Running {
  readonly context: ExchangeContext
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly response: OutgoingResponse
  readonly record: OpenRecord
  readonly deadline: Deadline
  readonly place: Place
  phase: Phase = 'new'
  readonly #startedAtMs = performance.now()
  #admission: Admission | undefined
  #forwarding: Forwarding | undefined
  #unsentOctets = 0

  constructor(
    context: ExchangeContext,
    admission: Admission,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) {
    this.context = context
    this.#admission = admission
    this.record = openRecord(incoming, admission, context.peer)
    this.place = new Place(context.traffic)
    this.deadline = new Deadline(context.clock, this)
    this.incoming = incoming
    this.outgoing = outgoing
    // Called when the client reads again after `write` asked for a pause.
    this.response = new OutgoingResponse(incoming, outgoing, () => {
      this.place.endStall()
      this.deadline.extend()
      this.#forwarding?.resume()
    })
  }

  begin(admission: Admission): void {
    this.#watch()
    // Other code has begun a response, which is not the service's, and nothing can be appended to it.
    if (hasHead(this.outgoing)) return this.#cut('internal', 'RESPONSE_BEGUN')
    switch (admission.kind) {
      case 'refuse':
        return this.#refuse(admission.failure)
      case 'redirect': {
        const { pathAndQuery, path } = admission.request.target
        this.record.outcome = 'redirect'
        return this.#answerWith(redirectToSlash(admission.point, pathAndQuery.slice(path.length)))
      }
      case 'forward':
        this.#forwarding = new Forwarding(this, admission.request, admission.point)
        return this.#forwarding.begin()
    }
  }

  /** The parser failed within the request's body: the exchange fails. */
  interrupt(kind: FailureKind, code: string | undefined): void {
    // The response is out already: the rest of the upload is discarded, and no other request follows.
    if (this.#isOver) return void this.incoming.socket.end()
    this.response.makeLast()
    this.fail(kind, code)
  }

  giveUpPlace(): void {
    this.place.leave()
  }

  /** @returns whether the phase may come next; if not, what has happened comes too late */
  move(next: Phase): boolean {
    if (!mayFollow(this.phase, next)) return false
    this.phase = next
    return true
  }

  get #isOver(): boolean {
    return this.phase === 'closed' || this.phase === 'flushing'
  }

  /** Aborts the round trip and answers the client, if that is still possible. */
  fail(kind: FailureKind, code?: string): void {
    if (this.phase === 'closed') return
    this.#forwarding?.abort(kind)
    const isGone = hasHead(this.outgoing) || this.incoming.socket?.destroyed === true
    if (isGone) this.#cut(kind, code)
    else this.#refuse(kind, code)
  }

  writeHead(status: number, reason: string, fields: string[]): boolean {
    if (this.context.connection.closes) this.response.makeLast()
    return this.response.head(status, reason, fields)
  }

  /** Takes over the response; from now on the exchange notices when either side ends it. */
  #watch(): void {
    this.response.claim()
    listen(this.outgoing, 'close', this.#onClose)
  }

  #refuse(kind: FailureKind, code?: string): void {
    this.#note(kind, code)
    const { request, point } = this.#admission ?? {}
    this.#answerWith(
      toAnswer(kind, this.record.id(), {
        method: this.record.method,
        accept: valuesOf(this.incoming.rawHeaders, 'accept'),
        pointRoot: point !== undefined && request?.target.path === point.path ? point : undefined,
        addressed: request,
      }),
    )
  }

  #answerWith(answer: Answer): void {
    if (LAST_ANSWERS.has(this.record.outcome)) this.response.makeLast()
    if (!this.writeHead(answer.status, STATUS_CODES[answer.status] ?? '', answer.fields)) {
      this.response.cut()
      return
    }
    this.record.responseOctets = this.incoming.method === 'HEAD' ? 0 : Buffer.byteLength(answer.body)
    this.finish(answer.body)
  }

  finish(lastOctets?: string): void {
    this.move('flushing')
    const isUploading = !this.incoming.complete && announcesBody(this.incoming.rawHeaders)
    // After a request timeout there is no point in waiting for the client again.
    const upload = isUploading && this.record.outcome !== 'request-timeout' ? 'drain' : 'leave'
    if (upload === 'drain') this.#forwarding?.dropBody()
    if (upload === 'drain') this.response.endAndDrain(lastOctets, this.context.onPiece)
    else this.response.end(lastOctets)
    this.#unsentOctets = this.response.unsentOctets
    if (this.#unsentOctets > 0) this.place.beginStall(this)
    if (!this.place.isTaken && (upload === 'drain' || this.place.isStalled)) this.#dropHead()
    this.deadline.set(this.context.settings.idleTimeoutMs)
  }

  /** The rest of the upload, or the client's reading, may take a while, and counts nowhere. */
  #dropHead(): void {
    const { incoming, record } = this
    const traceId = record.traceId()
    record.traceId = () => traceId
    incoming.rawHeaders.length = 0
    incoming.headers = {}
    // A site may still log one of ordinary length.
    if ((incoming.url?.length ?? 0) > LONG_URL_OCTETS) incoming.url = ''
    this.#admission = undefined
  }

  #cut(kind: FailureKind, code?: string): void {
    this.#note(kind, code)
    this.response.cut()
  }

  #note(kind: FailureKind, code: string | undefined): void {
    this.record.outcome = kind
    this.record.code = code
  }

  /** What the exchange waited for did not come in time. */
  onDeadline(): void {
    switch (this.phase) {
      case 'arriving':
        return this.fail('request-timeout')
      case 'queued':
        return this.fail('upstream-queue-timeout')
      case 'uploading':
        return this.fail(this.#forwarding?.waitsForClient ? 'request-timeout' : 'upstream-stall')
      case 'waiting':
        return this.fail('upstream-head-timeout')
      case 'responding':
        return this.fail(this.response.isBlocked ? 'request-timeout' : 'upstream-stall')
      case 'flushing': {
        const { unsentOctets } = this.response
        if (unsentOctets >= this.#unsentOctets) return this.#cut('request-timeout')
        this.#unsentOctets = unsentOctets
        return this.deadline.set(this.context.settings.idleTimeoutMs)
      }
    }
  }

  get holds(): Unread['holds'] {
    if (HOLDS_CONNECTION.has(this.phase)) return 'connection'
    return this.place.isTaken ? 'place' : 'nothing'
  }

  get unsentOctets(): number {
    return this.response.unsentOctets
  }

  get responseOctets(): number {
    return this.record.responseOctets
  }

  /** The client does not read, and what this exchange holds is needed: its place is free when this returns. */
  giveWay(): void {
    this.place.leave()
    if (this.phase === 'closed') return
    this.#forwarding?.abort()
    this.#cut('request-timeout', 'GAVE_WAY')
  }

  /** The response is complete or cut, or the client is gone: the end of every exchange. */
  readonly #onClose = (): void => {
    const awaitsService = this.phase === 'queued' || this.phase === 'waiting'
    if (!this.move('closed')) return
    this.place.leave()
    this.deadline.clear()
    this.#forwarding?.abort()
    this.#forwarding?.dropBody()
    const record = this.record
    if (!isFinished(this.outgoing) && record.outcome === 'ok') record.outcome = 'client-abort'
    if (record.outcome === 'client-abort' && awaitsService) record.code = 'SERVICE_AWAITED'
    if (hasHead(this.outgoing)) record.status = this.outgoing.statusCode
    record.durationMs = performance.now() - this.#startedAtMs
    this.context.record(record)
    this.context.connection.leave(this)
    if (this.incoming.complete) return
    this.#dropHead()
    this.#forwarding = undefined
  }
}

const HOLDS_CONNECTION: ReadonlySet<Phase> = new Set<Phase>(['uploading', 'waiting', 'responding'])
const LONG_URL_OCTETS = 1_024
/** After these the start of the next request is unknown, so the connection closes (RFC 9112 section 6.3). */
const LAST_ANSWERS: ReadonlySet<string> = new Set<FailureKind>([
  'request-timeout',
  'bad-framing',
  'unknown-coding',
])
