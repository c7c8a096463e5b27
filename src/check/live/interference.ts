import { valuesOf } from '../../http/fields.ts'
import type { Ruling } from '../rule.ts'
import type { Exchange } from './live-fact.ts'
import { because } from './on-live-points.ts'
import { findMarker } from './question.ts'
import { readStandIn } from './stand-in-answer.ts'

/**
 * Tells when replies say nothing of a rule's own subject, because a redirect of the front end or an answer out of a
 * cache came instead: that is another rule's finding.
 */
export function findInterference(exchanges: readonly Exchange[]): Ruling | undefined {
  if (exchanges.some(isAddedRedirect)) return because('live/redirect')
  return exchanges.some(isStale) ? because('live/cached') : undefined
}

/** A redirect that the service did not give. */
export function isAddedRedirect({ question, reply, direct }: Exchange): boolean {
  const location = redirectLocation(reply)
  if (location === undefined || question.purpose === 'redirect') return false
  if (readStandIn(reply) !== undefined) return false
  return direct === undefined || redirectLocation(direct) !== location
}

/** The Location of a redirect; the empty text where there is none. */
export function redirectLocation(reply: Exchange['reply']): string | undefined {
  if (reply.kind !== 'answer' || ![301, 302, 303, 307, 308].includes(reply.status)) return undefined
  return valuesOf(reply.fields, 'location')[0] ?? ''
}

/** An answer that the stand-in gave to another question. */
export function isStale({ question, reply }: Exchange): boolean {
  const target = readStandIn(reply)?.received.target
  const marker = target === undefined ? undefined : findMarker(target)
  return marker !== undefined && marker !== question.marker
}

/** The field lines in which an answer says of itself that it comes from a cache. */
// Age says it by being there (RFC 9111 section 5.1), but caches also send 0 on a miss.
export function cacheMarks(reply: Exchange['reply']): readonly string[] {
  if (reply.kind !== 'answer') return []
  const { fields } = reply
  return CACHE_FIELDS.flatMap(({ name, isHit }) =>
    valuesOf(fields, name)
      .filter((value) => isHit.test(value))
      .map((value) => `${name}: ${value}`),
  )
}

const HIT = /(?:^|[^a-z])(?:hit|stale|updating|revalidated)(?:[^a-z]|$)/i

const CACHE_FIELDS: readonly { readonly name: string; readonly isHit: RegExp }[] = [
  { name: 'age', isHit: /^\s*0*[1-9]\d*\s*$/ },
  // RFC 9211 section 2.1: the parameter `hit` of any member.
  { name: 'cache-status', isHit: /;\s*hit(?:\s*[;,]|\s*$|=\?1)/i },
  { name: 'cf-cache-status', isHit: HIT },
  { name: 'x-cache', isHit: HIT },
  { name: 'x-cache-status', isHit: HIT },
  { name: 'x-proxy-cache', isHit: HIT },
  { name: 'x-nginx-cache', isHit: HIT },
  { name: 'x-varnish-cache', isHit: HIT },
]
