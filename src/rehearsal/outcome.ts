import { gatherOfflineFacts } from '../check/offline-facts.ts'
import { findMissingUrl } from '../check/suggest-points.ts'
import type { CookieConfig } from '../config/config.ts'
import { parseConfig } from '../config/parse.ts'
import type { FoundScope } from '../scopes/found-scope.ts'
import { hostReceives, parseCookieDomain, toDomainKey } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import type { Answer } from './ask-points.ts'
import type { CookieKey } from './chromium.ts'

/** Why a browser holds a cookie back, in its words (`CookieBlockedReason`) and in ours; what is hardest to change first. */
export const REASONS = {
  blocked: [/^$/, 'the request is stopped'],
  domain: [/^(?:Domain|Port)Mismatch/, 'it belongs to another host'],
  partition: [/^AnonymousContext/, 'it is kept apart for another site (Partitioned)'],
  'third-party': [/^(?:UserPreferences|ThirdParty)/, 'third-party cookies are blocked'],
  scheme: [/^Scheme/, 'http and https differ'],
  secure: [/^(?:SecureOnly|SameSiteNoneInsecure)/, 'it is Secure, or SameSite=None without Secure'],
  'same-site': [/^SameSite/, 'its SameSite attribute forbids it'],
  other: [/^(?!NotOnPath)/, 'the browser gives no reason'],
  path: [/^NotOnPath/, 'its path is not the point’s'],
} as const

type Reason = keyof typeof REASONS

export type CookieOutcome = ReturnType<typeof judgeOutcome>['cookies'][number]

interface Rehearsed {
  readonly prefix: string
  readonly origins: readonly string[]
  readonly points: readonly string[]
  readonly listed: readonly CookieConfig[]
  /** Of the cookies that the browser has. */
  readonly scopes: readonly FoundScope[]
  readonly answers: readonly Answer[]
}

/** What became of each cookie, whether it is lost, and where the config and `check --offline` say otherwise. Pure. */
export function judgeOutcome({ prefix, origins, points, listed, scopes, answers }: Rehearsed) {
  const [listedKeys, setKeys] = [new Set(listed.map(toKey)), new Set(scopes.map(toKey))]
  const unlisted = scopes.filter((scope) => !listedKeys.has(toKey(scope)))
  const all = [...listed.map(({ location, ...cookie }) => cookie), ...unlisted]
  const config = { service: { prefix }, pages: origins, points, cookies: all }
  const parsed = parseConfig(JSON.stringify(config), 'rehearse')
  if ('problems' in parsed) throw new Error('No config can hold what was seen')
  const facts = gatherOfflineFacts(parsed.config)
  const isOfPages = (host: string) => facts.pagesBySite.has(toSite(host.replace(/^\./, '')))
  const differences: string[] = []
  const cookies = facts.cookies.map(({ config, judged, carriage: { sure, maybe, kind } }) => {
    const { name, domain, path, httponly } = config
    const [isListed, isSet] = [listedKeys.has(toKey(config)), setKeys.has(toKey(config))]
    if (!isSet) differences.push(`The config lists ${name}, which this visit did not set.`)
    if (!isListed && httponly && listed.length > 0)
      differences.push(`The site sets ${name}, an httpOnly cookie that the config does not list.`)
    const asked = isSet ? points : []
    const found = asked.map((point) => ({ point, reason: findReason(config, point, answers) }))
    // The widget ignores points of other sites, whatever the browser would attach there.
    for (const { point, reason } of found.filter(({ point }) => isOfPages(new URL(point).hostname))) {
      const isIn = (facts: typeof sure) => facts.some(({ shown }) => shown === point)
      if (isIn(sure) && reason !== undefined && reason !== 'blocked' && reason !== 'other')
        differences.push(`check expects ${name} at ${point}, but ${REASONS[reason][1]}.`)
      if (reason === undefined && !isIn([...sure, ...maybe]))
        differences.push(`check does not expect ${name} at ${point}, but the browser attaches it.`)
    }
    const attached = found.flatMap(({ point, reason }) => (reason === undefined ? point : []))
    const held = found.flatMap(({ point, reason }) => (reason === undefined ? [] : { point, reason }))
    /** By `check --offline`. */
    const expected = kind === 'sent' || kind === 'depends' ? kind : 'not-sent'
    const isReached = isSet ? attached.length > 0 : expected !== 'not-sent'
    const isLost = !isReached && isOfPages(domain) && (httponly || isListed)
    const missing = isReached || judged.scope === undefined ? undefined : findMissingUrl(judged.scope, facts)
    const suggestion = points.includes(missing ?? '') ? undefined : missing
    return { name, domain, path, httponly, attached, held, suggestion, expected, isLost }
  })
  return { cookies, differences }
}

/** Why no page's request to the point has the cookie, by the page where it gets furthest; `undefined` if one has it. */
function findReason(cookie: CookieConfig, point: string, answers: readonly Answer[]): Reason | undefined {
  const own = answers.filter((answer) => answer.point === point)
  const reasons = own.map(({ page, cookies, stop }): Reason | undefined => {
    // Chromium says so of cookies of another site too, where no scheme differs.
    const isSchemeful = new URL(page).protocol !== new URL(point).protocol
    const read = (word: string) => toReason(isSchemeful ? word : word.replace(/^Schemeful/, ''))
    const record = cookies?.find((each) => toKey(each.cookie) === toKey(cookie))
    const held = record?.blockedReasons.map(read) ?? [cookies && explainAbsence(cookie, point)]
    return held.sort(byRank)[0] ?? (stop === undefined ? undefined : 'blocked')
  })
  // What is undefined is sorted to the end.
  return reasons.length === 0 ? 'other' : reasons.sort(byRank).at(-1)
}

/** The record has all cookies of the point's site, but those that are kept for another top-level site. */
function explainAbsence(cookie: CookieConfig, point: string): Reason {
  const domain = parseCookieDomain(cookie.domain)
  return 'fault' in domain || !hostReceives(new URL(point).hostname, domain) ? 'domain' : 'partition'
}

function toReason(word: string): Reason {
  return RANKS.find((reason) => REASONS[reason][0].test(word)) ?? 'other'
}

function byRank(a: Reason = 'path', b: Reason = 'path'): number {
  return RANKS.indexOf(a) - RANKS.indexOf(b)
}

export function toKey({ name, domain, path }: CookieKey): string {
  return JSON.stringify([name, toDomainKey(domain), path])
}

const RANKS = Object.keys(REASONS) as Reason[]
