import { gatherOfflineFacts } from '../check/offline-facts.ts'
import { isCrossSite } from '../check/parsed-url.ts'
import { findMissingUrl } from '../check/suggest-points.ts'
import type { CookieConfig } from '../config/config.ts'
import { parseConfig } from '../config/parse.ts'
import type { FoundScope } from '../scopes/found-scope.ts'
import { hostReceives, parseCookieDomain, toDomainKey } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import type { Answer } from './ask-points.ts'

/** Why a browser holds a cookie back, as a clause. Of several reasons the first one counts. */
export const REASONS = {
  domain: 'it belongs to another host',
  partition: 'it is kept apart for another site (Partitioned)',
  'third-party': 'third-party cookies are blocked',
  scheme: 'http and https differ',
  secure: 'it is Secure, or SameSite=None without Secure',
  'same-site': 'its SameSite attribute forbids it',
  blocked: 'the page would stop the widget',
  other: 'the browser gives no reason',
  path: 'its path is not the point’s',
} as const

type Reason = keyof typeof REASONS

export interface CookieOutcome extends Pick<FoundScope, 'name' | 'domain' | 'path' | 'httponly'> {
  /** Points that get it as the widget asks them. */
  readonly attached: readonly string[]
  readonly held: readonly { readonly point: string; readonly reason: Reason }[]
  /** The URL of a point that would get it. */
  readonly suggestion: string | undefined
  readonly isSet: boolean
  /** Whether a page's site needs it, and no point gets it. */
  readonly isLost: boolean
}

interface Rehearsed {
  readonly prefix: string
  readonly pages: readonly string[]
  readonly points: readonly string[]
  /** The config's. */
  readonly listed: readonly CookieConfig[]
  /** Those that the browser has. */
  readonly set: readonly FoundScope[]
  readonly answers: readonly Answer[]
}

/** What became of each cookie, and sentences about what the config and `check --offline` say otherwise. Pure. */
export function judgeOutcome({ prefix, pages, points, listed, set, answers }: Rehearsed) {
  const listedKeys = new Set(listed.map(toKey))
  const setBy = new Map(set.map((cookie) => [toKey(cookie), cookie]))
  const unlisted = set.filter((cookie) => !listedKeys.has(toKey(cookie)))
  const cookies = [...listed.map(({ location, ...cookie }) => cookie), ...unlisted]
  const parsed = parseConfig(JSON.stringify({ service: { prefix }, pages, points, cookies }), 'rehearse')
  if ('problems' in parsed) throw new Error('No config can hold what was seen')
  const facts = gatherOfflineFacts(parsed.config)
  const differences = unlisted
    .filter(({ httponly }) => httponly && listed.length > 0)
    .map(({ name }) => `The site sets ${name}, an httpOnly cookie that the config does not list.`)
  const outcomes = facts.cookies.map(({ config, judged, carriage }): CookieOutcome => {
    const { name, domain, path, httponly } = config
    const cookie = setBy.get(toKey(config))
    if (cookie === undefined) differences.push(`The config lists ${name}, which this visit did not set.`)
    const found =
      cookie === undefined ? [] : points.map((point) => ({ point, ...read(cookie, point, answers) }))
    for (const { point, reason, isSent } of found) {
      const fact = facts.points.find(({ shown }) => shown === point)
      if (fact?.parsed === undefined || isCrossSite(fact.parsed, facts.pagesBySite)) continue
      const [isSure, isPossible] = [carriage.sure.includes(fact), carriage.maybe.includes(fact)]
      if (isSure && isSent === false)
        differences.push(`check expects ${name} at ${point}, but ${REASONS[reason ?? 'other']}.`)
      if (!isSure && !isPossible && isSent)
        differences.push(`check does not expect ${name} at ${point}, but the browser attaches it.`)
    }
    const attached = found.flatMap(({ point, reason }) => (reason === undefined ? [point] : []))
    const held = found.flatMap(({ point, reason }) => (reason === undefined ? [] : [{ point, reason }]))
    const isReached =
      attached.length > 0 || (cookie === undefined && /^(?:sent|depends)$/.test(carriage.kind))
    const missing = isReached || judged.scope === undefined ? undefined : findMissingUrl(judged.scope, facts)
    const isOwn = facts.pagesBySite.has(toSite(domain.replace(/^\./, '')))
    return {
      ...{ name, domain, path, httponly, attached, held, isSet: cookie !== undefined },
      suggestion: points.includes(missing ?? '') ? undefined : missing,
      isLost: isOwn && (httponly || listedKeys.has(toKey(config))) && !isReached,
    }
  })
  return { cookies: outcomes, differences }
}

/** From the page where the cookie gets furthest. `isSent` looks past what stops the widget; it is absent without a record. */
function read(cookie: FoundScope, point: string, answers: readonly Answer[]) {
  const readings = answers
    .filter((answer) => answer.point === point)
    .map(({ cookies, stop }): { reason?: Reason | undefined; isSent?: boolean } => {
      if (cookies === undefined) return { reason: stop === 'unreachable' ? 'other' : 'blocked' }
      const record = cookies.find((each) => toKey(each.cookie) === toKey(cookie))
      const [reason] = record?.blockedReasons.map(toReason).sort(byRank) ?? [explainAbsence(cookie, point)]
      return { reason: reason ?? (stop && 'blocked'), isSent: reason === undefined }
    })
  const toRank = ({ reason, isSent }: (typeof readings)[number]) =>
    reason === undefined ? 0 : isSent ? 1 : isSent === false ? 2 : 3
  return readings.sort((a, b) => toRank(a) - toRank(b))[0] ?? { reason: 'other' as const }
}

/** The record has all cookies of the point's site, but those that are kept for another top-level site. */
function explainAbsence(cookie: FoundScope, point: string): Reason {
  const domain = parseCookieDomain(cookie.domain)
  return 'fault' in domain || !hostReceives(new URL(point).hostname, domain) ? 'domain' : 'partition'
}

function toReason(word: string): Reason {
  return WORDS.find(([pattern]) => pattern.test(word))?.[1] ?? 'other'
}

function byRank(a: Reason, b: Reason): number {
  return Object.keys(REASONS).indexOf(a) - Object.keys(REASONS).indexOf(b)
}

function toKey({ name, domain, path }: Pick<FoundScope, 'name' | 'domain' | 'path'>): string {
  return JSON.stringify([name, toDomainKey(domain), path])
}

/** `CookieBlockedReason` of the DevTools protocol. */
const WORDS: readonly (readonly [RegExp, Reason])[] = [
  [/^NotOnPath/, 'path'],
  [/^(?:DomainMismatch|PortMismatch)/, 'domain'],
  [/^(?:SecureOnly|SameSiteNoneInsecure)/, 'secure'],
  [/^Scheme/, 'scheme'],
  [/^SameSite/, 'same-site'],
  [/^(?:UserPreferences|ThirdParty)/, 'third-party'],
  [/^AnonymousContext/, 'partition'],
]
