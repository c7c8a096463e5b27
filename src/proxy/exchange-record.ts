import type { IncomingMessage } from 'node:http'
import type { Admission } from '../forward/admission.ts'
import type { Addressed } from '../forward/answer.ts'
import type { Peer } from '../forward/downstream.ts'
import { FAILURES, type FailureKind } from '../forward/failure.ts'
import { parseAuthority } from '../http/authority.ts'
import { type Fields, valuesOf } from '../http/fields.ts'
import type { ServedPoint } from '../points/match.ts'
import { chooseRequestId, parseTraceId } from './request-id.ts'

/** One request for the log and the metrics: of what the client and the service sent, only method and status. */
export interface ExchangeRecord {
  readonly id: () => string
  /** That of the client's or the front end's `traceparent`. */
  readonly traceId: () => string | undefined
  readonly method: string
  readonly point: ServedPoint | undefined
  /** What the request was addressed to, as far as it could be parsed; a log may show it if no point owns the request. */
  readonly addressed: Addressed | undefined
  readonly peerAddress: string
  /** `undefined` when the client left before a response. */
  readonly status: number | undefined
  readonly outcome: FailureKind | 'ok' | 'redirect' | 'client-abort'
  /**
   * Code of the underlying error, from a closed vocabulary; `SERVICE_AWAITED` if the client left while all of its request
   * was with us and the service had not begun its response; `ENDED_BY_CLOSE` if nothing but the end of the connection to the
   * service says that the response is complete.
   */
  readonly code: string | undefined
  readonly durationMs: number
  /** From the start of the request on a connection to the head of the response. */
  readonly upstreamMs: number | undefined
  readonly requestOctets: number
  readonly responseOctets: number
}

/** The record of an exchange that has begun; it is filled in as the exchange goes on. */
export type OpenRecord = { -readonly [Key in keyof ExchangeRecord]: ExchangeRecord[Key] }

/** Opens the record of an exchange. Unless anything else comes of it, the client has left. */
export function openRecord(
  { method = '', rawHeaders }: IncomingMessage,
  { request, point }: Admission,
  peer: Peer,
): OpenRecord {
  return {
    id: chooseRequestId(rawHeaders, peer),
    traceId: () => parseTraceId(rawHeaders),
    method,
    point,
    // Not all of the request: the record outlasts its head.
    addressed:
      request === undefined
        ? parseAddressed(rawHeaders)
        : { authority: request.authority, scheme: request.scheme },
    peerAddress: peer.address,
    status: undefined,
    outcome: 'client-abort',
    code: undefined,
    durationMs: 0,
    upstreamMs: undefined,
    requestOctets: 0,
    responseOctets: 0,
  }
}

/** The record of what never became an exchange, since no request could be parsed. */
export function recordUnbegun(
  known: Pick<ExchangeRecord, 'id' | 'method' | 'peerAddress' | 'status' | 'outcome' | 'code'>,
): ExchangeRecord {
  return {
    ...known,
    traceId: () => undefined,
    point: undefined,
    addressed: undefined,
    durationMs: 0,
    upstreamMs: undefined,
    requestOctets: 0,
    responseOctets: 0,
  }
}

/** What a request is addressed to, if it was refused before it was parsed as a whole. */
function parseAddressed(fields: Fields): Addressed | undefined {
  const [host = ''] = valuesOf(fields, 'host')
  return parseAuthority(host) === undefined ? undefined : { authority: host.toLowerCase(), scheme: undefined }
}

/** Which side caused a failure, if the outcome is one. */
export function sourceOf(outcome: ExchangeRecord['outcome']): 'none' | 'downstream' | 'upstream' | 'proxy' {
  if (outcome in FAILURES) return FAILURES[outcome as FailureKind].source
  return outcome === 'client-abort' ? 'downstream' : 'none'
}
