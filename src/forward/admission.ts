import { type Fields, hasField, listMembers, valuesOf } from '../http/fields.ts'
import { matchPoint, type PointTable, type ServedPoint } from '../points/match.ts'
import { type DownstreamRequest, type Peer, parseDownstreamRequest, type RawRequest } from './downstream.ts'
import type { FailureKind } from './failure.ts'
import { PSEUDONYM } from './request.ts'

/** What to do with a request, and what is known of it at that point. */
export type Admission =
  | { readonly kind: 'forward'; readonly request: DownstreamRequest; readonly point: ServedPoint }
  | { readonly kind: 'redirect'; readonly request: DownstreamRequest; readonly point: ServedPoint }
  | {
      readonly kind: 'refuse'
      readonly failure: FailureKind
      readonly request?: DownstreamRequest
      readonly point?: ServedPoint
    }

/** What the decision depends on, besides the request. */
export interface AdmissionRules {
  readonly points: PointTable
  readonly headLimitBytes: number
  readonly bodyLimitBytes: number | undefined
  /** `taken` if other code has read the body already, such as a body parser in front of us. */
  readonly bodyState: 'untouched' | 'taken'
}

/**
 * Decides what to do with a raw request: validates it, finds its point, and checks whether it can be forwarded. If no
 * point owns it, the refusal has no point. How many may be in flight is for `Leases` to say.
 */
export function admit(
  raw: RawRequest,
  peer: Peer,
  listenerScheme: 'https' | undefined,
  rules: AdmissionRules,
): Admission {
  const request = parseDownstreamRequest(raw, peer, listenerScheme, rules.headLimitBytes)
  if (typeof request === 'string') return { kind: 'refuse', failure: request }
  const { method, target } = request
  const match = matchPoint(rules.points, request.authority, request.scheme, target.path)
  if (match.kind !== 'match' && match.kind !== 'bare-path')
    return { kind: 'refuse', failure: match.kind, request }
  const { point } = match
  if (match.kind === 'bare-path' && (method === 'GET' || method === 'HEAD'))
    return { kind: 'redirect', request, point }
  const failure = match.kind === 'bare-path' ? 'unknown-path' : findObstacle(request, rules)
  return failure === undefined
    ? { kind: 'forward', request, point }
    : { kind: 'refuse', failure, request, point }
}

/** Why a request can't be forwarded although a point owns it. */
function findObstacle({ fields, body }: DownstreamRequest, rules: AdmissionRules): FailureKind | undefined {
  if (viaNames(fields, PSEUDONYM)) return 'loop'
  const { bodyLimitBytes: limit, bodyState } = rules
  if (limit !== undefined && typeof body === 'number' && body > limit) return 'body-too-large'
  return body !== undefined && bodyState === 'taken' ? 'body-taken' : undefined
}

/**
 * Whether a Via field names `pseudonym` as a recipient, RFC 9110 section 7.6.3: each member is
 * `[protocol-name "/"] protocol-version RWS received-by [RWS comment]`.
 */
function viaNames(fields: Fields, pseudonym: string): boolean {
  if (!hasField(fields, 'via')) return false
  for (const member of listMembers(valuesOf(fields, 'via'))) {
    if (member.split(/[ \t]+/)[1]?.toLowerCase() === pseudonym) return true
  }
  return false
}
