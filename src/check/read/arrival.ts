import type { Reply } from '../../probe/probe.ts'
import { isAlike, isSameKind } from './likeness.ts'
import { type LiveFact, verificationReply } from './live-fact.ts'
import { type OwnRefusal, readOwnRefusal } from './own-refusal.ts'
import { isAddedRedirect } from './redirect.ts'
import { toReplyText } from './reply-text.ts'
import { readStandIn, type StandInReport } from './stand-in-report.ts'
import { readMarks } from './verification-marks.ts'

/** Where the verification question arrived, as far as its answer tells. */
export type Arrival =
  /** At the continuation end of the service, under the service's own name. */
  | { readonly kind: 'service' }
  /** At the service, under another name. `host`: the one that arrived. */
  | { readonly kind: 'other-host'; readonly host: string | undefined; readonly isCustomers: boolean }
  /** At the service, on another path. */
  | { readonly kind: 'other-path'; readonly path: string }
  /** At continuation-point, which refused it. */
  | { readonly kind: 'refused'; readonly refusal: OwnRefusal }
  /** At the service, without the fields that were sent. */
  | { readonly kind: 'fields-lost' }
  /** At somebody else. */
  | { readonly kind: 'stranger'; readonly reply: Reply }
  /** Nowhere: the front end redirects it. */
  | { readonly kind: 'redirected' }
  /** `why`: a sentence without full stop, with the next step. */
  | { readonly kind: 'untold'; readonly why: string }

/** Reads where a point forwards to: by what the stand-in says, by the verification page's marks, else by comparison. */
export function readArrival(fact: LiveFact): Arrival {
  const reply = verificationReply(fact)
  if (reply === undefined) return { kind: 'untold', why: 'The point was not asked' }
  const answer = readStandIn(reply)
  if (answer !== undefined) return readStandInArrival(fact, answer)
  const refusal = readOwnRefusal(reply)
  if (refusal !== undefined) return { kind: 'refused', refusal }
  if (fact.observations.some((each) => each.reply === reply && isAddedRedirect(each)))
    return { kind: 'redirected' }
  if (readMarks(reply) !== undefined) return { kind: isAcceptLost(fact) ? 'fields-lost' : 'service' }
  return compare(fact, reply)
}

/** Whether the stand-in, which was asked for JSON, gives it to us and a page to the point. */
function isAcceptLost({ direct }: LiveFact): boolean {
  return readStandIn(direct.kind === 'asked' ? direct.right : direct.bare) !== undefined
}

function readStandInArrival(
  { serviceAuthority, servicePath, point }: LiveFact,
  { received }: StandInReport,
): Arrival {
  const host = toAuthority(received.host)
  const isCustomers = host === toAuthority(point.authority)
  if (serviceAuthority === undefined ? isCustomers : host !== toAuthority(serviceAuthority)) {
    return { kind: 'other-host', host: received.host, isCustomers }
  }
  const [path = ''] = received.target.split('?', 1)
  return path === servicePath ? { kind: 'service' } : { kind: 'other-path', path }
}

function compare({ direct }: LiveFact, reply: Reply): Arrival {
  if (reply.kind === 'none' && !['malformed', 'head-too-large'].includes(reply.cause)) {
    const why = `The point could not be tested: ${toReplyText(reply)}. Try again, perhaps from another network`
    return { kind: 'untold', why }
  }
  if (direct.kind === 'not-asked') {
    const { bare, settle } = direct
    if (bare !== undefined && isAlike(bare, reply)) return readAlike(reply)
    if (isNoPage(reply) || readStandIn(bare) !== undefined) return { kind: 'stranger', reply }
    return { kind: 'untold', why: `The answer doesn't show whether it comes from the service: ${settle}` }
  }
  const { right, again, wrongOrigin, wrongKey, bare } = direct
  if ([right, wrongOrigin, wrongKey, bare].some((own) => isAlike(own, reply))) return readAlike(right)
  if (right.kind === 'none') {
    const why = `The service itself does not answer, so there is nothing to compare with: ${toReplyText(right)}. Check that "service.url" is right and the service is up`
    return { kind: 'untold', why }
  }
  if (!isAlike(right, again) && isSameKind(right, reply)) {
    const why =
      "The service answers differently each time, so its answers can't be recognised: open the point in a browser, its verification page says who answers"
    return { kind: 'untold', why }
  }
  return { kind: 'stranger', reply }
}

/** The service answers as the point does; but where it has no page, any server of its kind would. */
function readAlike(own: Reply): Arrival {
  if (!isNoPage(own)) return { kind: 'service' }
  const why = `The service itself has no page there (${toReplyText(own)}): check "service.url" and "service.keepCookiePath"`
  return { kind: 'untold', why }
}

/** The service has a page here (rule 9 of its continuation points), so these can't be its answers. */
function isNoPage(reply: Reply): boolean {
  return reply.kind === 'none' || [404, 405, 410, 421].includes(reply.status) || reply.status > 499
}

/** For comparison only: no service listens on the default port of the other scheme. */
function toAuthority(text: string | undefined): string | undefined {
  return text?.toLowerCase().replace(/:(?:80|443)$/, '')
}
