import { viaNames } from '../http/via.ts'
import type { PointTable, ServedPoint } from '../points/compile.ts'
import { matchPoint } from '../points/match.ts'
import { type DownstreamRequest, parseDownstreamRequest, type RawRequest } from './downstream.ts'
import type { FailureKind } from './failure.ts'
import type { Peer } from './peer.ts'
import { PSEUDONYM } from './request.ts'

/** What becomes of a request, and what is known of it by then. */
export type Admission =
  | { readonly kind: 'forward'; readonly request: DownstreamRequest; readonly point: ServedPoint }
  | { readonly kind: 'redirect'; readonly request: DownstreamRequest; readonly point: ServedPoint }
  | {
      readonly kind: 'refuse'
      readonly failure: FailureKind
      readonly request?: DownstreamRequest
      readonly point?: ServedPoint
    }

/** What the decision depends on beside the request. */
export interface AdmissionRules {
  readonly points: PointTable
  readonly bodyLimitBytes: number | undefined
  /** How many more exchanges may begin. */
  readonly vacancies: number
  /** `taken` when somebody else has read the body already, as a body parser in front of us does. */
  readonly bodyState: 'untouched' | 'taken'
}

/**
 * Decides about a raw request: its form first, then whose it is, then whether it can be taken on. A request that no
 * point owns is refused without a point.
 */
export function admit(
  raw: RawRequest,
  peer: Peer,
  listenerScheme: 'https' | undefined,
  rules: AdmissionRules,
): Admission {
  const request = parseDownstreamRequest(raw, peer, listenerScheme)
  if (typeof request === 'string') return { kind: 'refuse', failure: request }
  const { method, target, body, fields } = request
  const match = matchPoint(rules.points, request.authority, request.scheme, target.path)
  if (match.kind !== 'match' && match.kind !== 'bare-path')
    return { kind: 'refuse', failure: match.kind, request }
  const { point } = match
  const refuse = (failure: FailureKind): Admission => ({ kind: 'refuse', failure, request, point })
  if (match.kind === 'bare-path') {
    return method === 'GET' || method === 'HEAD'
      ? { kind: 'redirect', request, point }
      : refuse('unknown-path')
  }
  if (viaNames(fields, PSEUDONYM)) return refuse('loop')
  if (typeof body === 'number' && body > (rules.bodyLimitBytes ?? body)) return refuse('body-too-large')
  if (body !== undefined && rules.bodyState === 'taken') return refuse('body-taken')
  if (rules.vacancies <= 0) return refuse('overloaded')
  return { kind: 'forward', request, point }
}
