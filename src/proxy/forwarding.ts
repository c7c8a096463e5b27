import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DownstreamRequest } from '../forward/downstream.ts'
import type { FailureKind } from '../forward/failure.ts'
import { buildUpstreamFields, buildUpstreamPath } from '../forward/request.ts'
import { judgeDownstreamHead } from '../forward/response.ts'
import type { ServedPoint } from '../points/compile.ts'
import type { Deadline } from './deadline.ts'
import type { ExchangeContext } from './exchange-context.ts'
import { mayFollow, type Phase } from './exchange-phase.ts'
import type { OpenRecord } from './exchange-record.ts'
import { announcesBody, type OutgoingResponse } from './outgoing-response.ts'
import type { Place } from './place.ts'
import { BUFFER_OCTETS, RequestBody } from './request-body.ts'
import type { Unread } from './stalls.ts'
import type { Stage } from './traffic.ts'
import type { RoundTrip, UpstreamReceiver, UpstreamRequest } from './upstream.ts'
import { openVoucher, type Voucher } from './voucher.ts'

/** The exchange that a request is forwarded for: what it shares with its forwarding, and the ways to end it. */
export interface ForwardingExchange extends Unread {
  readonly context: ExchangeContext
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly response: OutgoingResponse
  readonly record: OpenRecord
  readonly deadline: Deadline
  readonly place: Place
  readonly phase: Phase
  /** @returns whether the phase may come next; if not, what has happened comes too late */
  move(next: Phase): boolean
  /** @returns whether Node accepted the head */
  writeHead(status: number, reason: string, fields: string[]): boolean
  /** The response is complete. */
  finish(): void
  /** Answers the client, if that is still possible; if not, cuts the response. */
  fail(kind: FailureKind, code?: string): void
}

/**
 * What is forwarded for one exchange: the arrival of the request, its way to the service, and the way of the response
 * back to the client.
 */
export class Forwarding implements UpstreamReceiver {
  readonly #exchange: ForwardingExchange
  readonly #request: DownstreamRequest
  readonly #point: ServedPoint
  /** Whether its connection may not be reused: after HEAD, a body, or a 304 that announces one. */
  readonly #mayUseUp: boolean
  /** Only for a question of `check`. */
  readonly #voucher: Voucher | undefined
  #body: RequestBody | undefined
  #trip: RoundTrip | undefined
  #sentAtMs: number | undefined

  constructor(exchange: ForwardingExchange, request: DownstreamRequest, point: ServedPoint) {
    this.#exchange = exchange
    this.#request = request
    this.#point = point
    const { method, body, isConditional } = request
    this.#mayUseUp = method === 'HEAD' || body !== undefined || isConditional
    if (request.claim !== undefined) this.#voucher = openVoucher(request.claim, request, point)
  }

  begin(): void {
    const { context, outgoing, response, incoming, deadline } = this.#exchange
    const { body, expectation } = this.#request
    const obstacle = this.#take(body === undefined ? 'complete' : 'uploading')
    const isSmall = body === 'chunked' || (body !== undefined && body <= BUFFER_OCTETS)
    if (obstacle !== undefined && !isSmall) return this.#exchange.fail(obstacle)
    // It may still be complete within this turn, as small requests are, and then needs no place among the uploads.
    if (obstacle !== undefined)
      setImmediate(() => this.#exchange.phase === 'arriving' && this.#exchange.fail(obstacle))
    else if (expectation === '100-continue' && context.traffic.awaitContinue.has(outgoing))
      response.sendContinue()
    if (body === undefined) return this.#send()
    this.#exchange.move('arriving')
    deadline.set(context.settings.idleTimeoutMs)
    // Listens at once, since other code may begin to read in the same turn.
    if (typeof body === 'number' && body <= BUFFER_OCTETS)
      incoming.once('data', (first: Buffer) => this.#receive(first, body))
    else this.#stream()
    // In case other code has paused it.
    incoming.resume()
  }

  /** Whether an upload waits for a client that sends nothing. */
  get waitsForClient(): boolean {
    return this.#body?.waitsFor === 'client'
  }

  /** The client reads again. */
  resume(): void {
    this.#trip?.resume()
  }

  /** Nothing more is asked of the service. `kind` is how it failed, if it did. */
  abort(kind?: FailureKind): void {
    this.#trip?.abort(kind)
  }

  /** The rest of the request's body is not forwarded. */
  dropBody(): void {
    this.#body?.destroy()
  }

  /** @returns why there is no place for it */
  #take(stage: Stage): FailureKind | undefined {
    const { place, context } = this.#exchange
    const { concurrencyLimit, upstream } = context.settings
    return place.take(stage, concurrencyLimit, this.#mayUseUp ? undefined : upstream)
  }

  /** Whether the whole body, if there is one, was passed on; to be asked once it has begun. */
  get #hasArrived(): boolean {
    return this.#body?.hasArrived ?? true
  }

  /** Most small bodies arrive in one piece, with the head, and need no stream. */
  #receive(first: Buffer, announced: number): void {
    if (this.#exchange.phase !== 'arriving') return
    if (first.length < announced) return this.#stream(first)
    this.#exchange.place.endUpload()
    this.#onUploaded(first)
    this.#send(first)
  }

  #stream(first?: Buffer): void {
    this.#body = new RequestBody(this.#exchange.incoming, first, {
      onOctets: (octets) => this.#onUploaded(octets),
      onBegun: () => this.#send(this.#body),
      onArrived: () => {
        this.#exchange.place.endUpload()
        this.#trip?.bodyArrived()
      },
    })
  }

  #onUploaded(octets: Buffer): void {
    const { record, context, phase, deadline } = this.#exchange
    record.requestOctets += octets.length
    context.onPiece(octets.length)
    this.#voucher?.addBody(octets)
    // While the request waits for a connection, arriving octets don't count as progress.
    if (phase !== 'queued') deadline.extend()
    const { bodyLimitBytes } = context.settings
    if (bodyLimitBytes !== undefined && record.requestOctets > bodyLimitBytes)
      this.#exchange.fail('body-too-large')
  }

  /**
   * Requests a connection. The body must have begun to arrive: undici writes the head together with its first piece, and
   * a connection that waits for a client could close meanwhile, or receive a response that nothing asked for.
   */
  #send(body?: UpstreamRequest['body']): void {
    const { context, place, deadline } = this.#exchange
    if (!this.#exchange.move('queued')) return
    const { settings, peer } = context
    const isComplete = this.#hasArrived
    const obstacle = place.isTaken ? undefined : this.#take(isComplete ? 'complete' : 'uploading')
    if (obstacle !== undefined) return this.#exchange.fail(obstacle)
    if (isComplete && settings.upstream.expectedWaitMs(this.#mayUseUp) > settings.hopelessWaitMs)
      return this.#exchange.fail('hopeless-wait')
    deadline.set(settings.connectTimeoutMs + settings.headersTimeoutMs)
    const path = buildUpstreamPath(this.#request, this.#point, settings.rules)
    const fields = buildUpstreamFields(this.#request, this.#point, peer, settings.rules)
    this.#voucher?.compare(fields)
    const { method } = this.#request
    const request = { method, path, fields, body, mayUseUp: this.#mayUseUp }
    this.#trip = settings.upstream.send(request, this)
  }

  /**
   * The request starts going out on a connection. The round trip calls this method and the next ones, up to
   * `onFailure`.
   */
  onStart(nowMs: number): void {
    const { context, deadline } = this.#exchange
    const isUpload = this.#body !== undefined
    if (!this.#exchange.move(isUpload ? 'uploading' : 'waiting')) return
    this.#sentAtMs = nowMs
    this.#body?.beginSending()
    deadline.set(isUpload ? context.settings.idleTimeoutMs : context.settings.headersTimeoutMs)
  }

  onSent(): void {
    const { context, phase, deadline } = this.#exchange
    if (phase !== 'uploading') return
    this.#exchange.move('waiting')
    deadline.set(context.settings.headersTimeoutMs)
  }

  onHead(status: number, reason: string, fields: string[]): void {
    const { context, response, record, phase, deadline } = this.#exchange
    if (!mayFollow(phase, 'responding')) return
    const { method } = this.#request
    const head = judgeDownstreamHead(method, status, fields)
    if (head !== undefined && this.#voucher !== undefined)
      head.fields.push(...this.#voucher.toField(head, this.#hasArrived))
    if (head?.body === 'until-close') {
      response.endByClose()
      record.code = 'ENDED_BY_CLOSE'
    }
    if (head === undefined || !this.#exchange.writeHead(head.status, reason, head.fields))
      return this.#exchange.fail('upstream-malformed', 'BAD_HEAD')
    if (this.#sentAtMs !== undefined) record.upstreamMs = performance.now() - this.#sentAtMs
    record.outcome = 'ok'
    this.#exchange.move('responding')
    deadline.set(context.settings.idleTimeoutMs)
    if (head.body !== 'none') return response.flushAfterTurn()
    this.#exchange.finish()
    // undici would wait for a body that a 204 or 304 announces but never has.
    if (method !== 'HEAD' && announcesBody(fields)) this.abort()
  }

  onData(chunk: Buffer): 'pause' | 'continue' {
    const { context, response, record, phase, deadline, place } = this.#exchange
    if (phase !== 'responding') return 'continue'
    deadline.extend()
    record.responseOctets += chunk.length
    context.onPiece(chunk.length)
    const flow = response.write(chunk)
    if (flow === 'pause') place.beginStall(this.#exchange)
    return flow
  }

  onEnd(): void {
    if (this.#exchange.phase === 'responding') this.#exchange.finish()
  }

  onFailure(kind: FailureKind, code: string): void {
    const { phase, place } = this.#exchange
    // Another takes its place as soon as this returns.
    if (kind === 'overloaded') place.leave()
    if (phase !== 'closed' && phase !== 'flushing') this.#exchange.fail(kind, code)
  }
}
