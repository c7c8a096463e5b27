import { listMembers } from '../../http/fields.ts'
import type { LiveFact, Observation, Reply } from './live-fact.ts'
import { observationsFor, standInOf } from './observations.ts'
import { isSameKind, valuesIn } from './reply.ts'

/** Whether the answer to one request came back for another. */
export function showsStoredResponse(fact: LiveFact): boolean {
  const nonces = noncesOf(fact)
  return fact.observations.some(isStale) || new Set(nonces).size < nonces.length
}

/** The nonces in the answers to the nonce questions; the service sends each only once. */
export function noncesOf(fact: LiveFact): readonly string[] {
  return observationsFor(fact, 'nonce').flatMap(({ reply }) => reply.standIn?.nonce ?? [])
}

/** Whether this answer was given to another question. */
export function isStale({ question, reply, vouched }: Observation): boolean {
  if (vouched?.kind === 'stored') return true
  const [, marker] = /[?&]check=([\w-]+)/.exec(reply.standIn?.received.target ?? '') ?? []
  return marker !== undefined && marker !== question.marker
}

/** The field lines by which answers say that they come from a cache, unless they are the service's own. */
export function findCacheMarks({ observations }: LiveFact): readonly string[] {
  const marks = observations
    // What serve has just vouched for came from it.
    .filter(({ direct, vouched }) =>
      direct === undefined ? vouched?.kind !== 'fresh' : cacheMarks(direct).length === 0,
    )
    .flatMap(({ reply }) => cacheMarks(reply))
  return [...new Set(marks)]
}

/** The field lines by which an answer says that it comes from a cache. */
// An Age field alone says so (RFC 9111 section 5.1), but some caches send 0 on a miss.
export function cacheMarks(reply: Observation['reply']): readonly string[] {
  return CACHE_FIELDS.flatMap(({ name, isHit }) =>
    valuesIn(reply, name)
      .filter((value) => isHit.test(value))
      .map((value) => `${name}: ${value}`),
  )
}

/** The answers to GET that caches may store more freely than the service lets them: directly, or as the stand-in does. */
export function findLooserRules(fact: LiveFact): readonly Reply[] {
  const isStandIn = standInOf(fact) !== undefined
  return fact.observations
    .filter(({ question: { method, purpose }, direct, reply, vouched }) => {
      if (method !== 'GET' || !(isStandIn || direct?.kind === 'response')) return false
      // live/methods reports answers of the site.
      if (!isStandIn && !isSameKind(direct, reply)) return false
      const said = isStandIn ? (purpose === 'verification' ? 'no' : 'unsaid') : readStorage(direct)
      // Our proxy forbids it where the service has no Cache-Control at all.
      const isSilent = vouched !== undefined && valuesIn(direct, 'cache-control').length === 0
      const sent = said === 'unsaid' && isSilent ? 'no' : said
      return STORAGES.indexOf(readStorage(reply)) > STORAGES.indexOf(sent)
    })
    .map(({ reply }) => reply)
}

/** Whether caches that visitors share may store a response: by Cache-Control, or by what some of them obey instead. */
function readStorage(reply: Reply | undefined): (typeof STORAGES)[number] {
  if (reply?.kind !== 'response') return 'no'
  const own = listMembers(valuesIn(reply, 'cache-control')).map((rule) => rule.toLowerCase())
  const others = cacheLinesOf(reply).filter((line) => !/^cache-control:/i.test(line))
  if (others.some((line) => ALLOWS.test(line) && !FORBIDS.test(line))) return 'yes'
  if (own.includes('no-store') || own.includes('private')) return 'no'
  if (own.some((rule) => ALLOWS.test(rule))) return 'yes'
  if (own.includes('no-cache') || own.some((rule) => rule.startsWith('max-age='))) return 'validated'
  return Date.parse(valuesIn(reply, 'expires')[0] ?? '') > Date.now() ? 'yes' : 'unsaid'
}

/** The strictest first; `validated`: the service is asked each time. */
const STORAGES = ['no', 'validated', 'unsaid', 'yes'] as const

/** The lines by which caches are told what to store. */
export function cacheLinesOf(reply: Reply): readonly string[] {
  const fields = reply.kind === 'response' ? reply.fields : []
  return fields.flatMap((name, at) =>
    at % 2 === 0 && IS_RULE.test(name) ? `${name}: ${fields[at + 1]}` : [],
  )
}

const IS_RULE = /^(?:.+-)?cache-control$|^(?:surrogate|edge)-control$|^expires$/i
const FORBIDS = /[\s:,](?:no-store|private)\s*(?:,|$)/i
const ALLOWS = /(?:^|[\s:,])(?:public|(?:s-maxage|max-age|cache-maxage|stale-while-revalidate)="?0*[1-9])/i

const HIT_FIELDS =
  'cf-cache-status x-cache x-cache-status x-proxy-cache x-nginx-cache x-varnish-cache x-fastcgi-cache x-litespeed-cache x-vercel-cache'
// Not of a cache's name, as in "MISS from hit.example.com", nor of what Varnish passes on (hit-for-pass).
const HIT = /(?:^|[^a-z.]|refresh)(?:hit|stale|updating|revalidated)(?![-_]for[-_]|[a-z.])/i

const CACHE_FIELDS: readonly { readonly name: string; readonly isHit: RegExp }[] = [
  { name: 'age', isHit: /^\s*0*[1-9]\d*\s*$/ },
  // RFC 9211 section 2.1: the parameter `hit` of any member.
  { name: 'cache-status', isHit: /;\s*hit(?:\s*[;,]|\s*$|=\?1)/i },
  ...HIT_FIELDS.split(' ').map((name) => ({ name, isHit: HIT })),
]
