import { explainNeeds, readContrasts } from './contrast.ts'
import { isChallenge, isOwnErrorPage } from './front-end.ts'
import type { LiveFact, Reply } from './live-fact.ts'
import { observationsFor, verificationReply, vouchedOf } from './observations.ts'
import { type OwnRefusal, readOwnRefusal } from './own-refusal.ts'
import { isAddedRedirect } from './redirect.ts'
import { describeReply, isAlike, isRefusal, isSameKind } from './reply.ts'
import { STAND_IN, type StandInReport } from './stand-in.ts'
import { readMarks } from './stand-in-report.ts'

/** Where the verification question arrived, as far as its answer shows. */
export type Arrival =
  /** At the continuation end of the service, with the service's own Host. */
  | { readonly kind: 'service' }
  /** At the service, with another Host. `host`: the one that arrived; `isCustomers`: it is the point's. */
  | {
      readonly kind: 'other-host'
      readonly host: string | undefined
      readonly isCustomers: boolean
      readonly isLikely?: true
    }
  /** At the service, on another path, if it is known on which. `isLikely`: the service itself answers so there. */
  | { readonly kind: 'other-path'; readonly path: string | undefined; readonly isLikely?: true }
  /** At continuation-point, which refused it. */
  | { readonly kind: 'refused'; readonly refusal: OwnRefusal }
  /** At the service, without the fields that were sent. */
  | { readonly kind: 'fields-lost' }
  /** At another server. */
  | { readonly kind: 'stranger'; readonly reply: Reply }
  /** Somewhere whose answer doesn't come back whole. `fault`: a clause. */
  | { readonly kind: 'incomplete'; readonly fault: string; readonly isUndecoded?: true | undefined }
  /** Nowhere: the front end redirects it. */
  | { readonly kind: 'redirected' }
  /** `why`: a sentence without full stop, with the next step. */
  | { readonly kind: 'inconclusive'; readonly why: string }

/** Finds where a point forwards to: by the stand-in's report, by the marks of the verification page, else by comparison. */
export function readArrival(fact: LiveFact): Arrival {
  const reply = verificationReply(fact)
  if (reply === undefined) return unclear('The point was not asked')
  if (reply.kind === 'response' && reply.fault !== undefined)
    return { kind: 'incomplete', fault: reply.fault, isUndecoded: reply.isUndecoded }
  const report = reply.standIn
  if (report !== undefined) return readStandInArrival(fact, report)
  const refusal = readOwnRefusal(reply)
  if (refusal !== undefined) return { kind: 'refused', refusal }
  if (fact.observations.some((each) => each.reply === reply && isAddedRedirect(each)))
    return { kind: 'redirected' }
  const [seen] = observationsFor(fact, 'verification')
  const vouched = seen && vouchedOf(seen)
  if (vouched?.arrived.path === false) return { kind: 'other-path', path: undefined }
  // The stand-in, asked for JSON, answers a direct question with JSON, but the point with a page.
  const own = fact.direct?.right ?? fact.bare
  if (readMarks(reply) !== undefined) return { kind: own?.standIn === undefined ? 'service' : 'fields-lost' }
  if (isChallenge(reply) && !isAlike(own, reply)) return { kind: 'stranger', reply }
  const compared = compare(fact, reply)
  const isElsewhere = reply.kind === 'response' && reply.status === 404 && STAND_IN.elsewhere.test(reply.body)
  if (compared.kind === 'stranger' && isElsewhere) return { kind: 'other-path', path: undefined }
  // continuation-point has the answer from the service, even one that can't be compared.
  return vouched !== undefined && compared.kind === 'inconclusive' && isPage(reply)
    ? { kind: 'service' }
    : compared
}

function readStandInArrival(
  { serviceAuthority, servicePath, point }: LiveFact,
  { received }: StandInReport,
): Arrival {
  const host = parseAuthority(received.host)
  const isCustomers = host === parseAuthority(point.authority)
  if (serviceAuthority === undefined ? isCustomers : host !== parseAuthority(serviceAuthority))
    return { kind: 'other-host', host: received.host, isCustomers }
  const [path = ''] = received.target.split('?', 1)
  return path === servicePath ? { kind: 'service' } : { kind: 'other-path', path }
}

function compare(fact: LiveFact, reply: Reply): Arrival {
  const { direct, bare } = fact
  if (reply.kind === 'none' && !['malformed', 'head-too-large'].includes(reply.cause)) {
    return unclear(
      `The point could not be tested: ${describeReply(reply)}. Try again, perhaps from another network`,
    )
  }
  if (direct === undefined) {
    if (isAlike(bare, reply)) return readAlike(reply)
    if (isNoPage(reply) || bare?.standIn !== undefined) return { kind: 'stranger', reply }
    const status = reply.kind === 'response' ? reply.status : undefined
    const hint = status === 401 || status === 403 ? ', common without the right X-Widget-Key' : ''
    const answer = status === undefined ? 'The answer' : `The answer (${status}${hint})`
    return unclear(`${answer} doesn't show whether it comes from the service: ${explainNeeds(fact)}`)
  }
  const { right, again } = direct
  if ([...Object.values(direct), bare].some((own) => isAlike(own, reply))) return readAlike(right)
  const lost = readContrasts(fact, 'verification').filter(({ outcome }) => outcome === 'lost')
  if (lost.length === 1 && lost[0]?.aspect === 'host')
    return { kind: 'other-host', host: fact.point.authority, isCustomers: true, isLikely: true }
  const [other] = lost
  if (other?.aspect === 'path' && reply.kind === 'response' && !isOwnErrorPage(reply))
    return { kind: 'other-path', path: other.path, isLikely: true }
  if (right.kind === 'none') {
    return unclear(
      `The service itself does not answer, so there is nothing to compare with: ${describeReply(right)}. Check that "service.url" is right and the service is up`,
    )
  }
  if (right.status > 399 && right.status < 500) return readAlike(right)
  if (!isAlike(right, again) && isSameKind(right, reply)) {
    return unclear(
      "The service answers differently each time, so its answers can't be recognised: open the point in a browser, its verification page says who answers",
    )
  }
  return { kind: 'stranger', reply }
}

/** The service and the point answer alike. If both show no page there, that says nothing, as many servers answer so. */
function readAlike(own: Reply): Arrival {
  if (isPage(own)) return { kind: 'service' }
  if (isRefusal(own))
    return unclear(
      `Asked directly, with the config's widget key and the point's origin, the service refuses (${describeReply(own)}): are "widgetKey", "service.url" and the URLs in the account right?`,
    )
  return unclear(
    `The service itself shows no page there (${describeReply(own)}): are "service.url", "widgetKey" and "service.keepCookiePath" right? If it has no verification page, let the stand-in take its place for one check (docs/checking.md says how)`,
  )
}

function isPage(reply: Reply): boolean {
  return reply.kind === 'response' && reply.status < 400
}

function unclear(why: string): Arrival {
  return { kind: 'inconclusive', why }
}

/** The service has a page here (rule 9 of its continuation points), so such an answer is not from its continuation end. */
function isNoPage(reply: Reply): boolean {
  return reply.kind === 'none' || [404, 405, 410, 421].includes(reply.status) || reply.status > 499
}

/** For comparison only. Both default ports are dropped, since no service uses that of the other scheme. */
function parseAuthority(text: string | undefined): string | undefined {
  return text?.toLowerCase().replace(/:(?:80|443)$/, '')
}
