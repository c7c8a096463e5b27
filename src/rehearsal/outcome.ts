import { judgeCookie } from '../check/check.ts'
import { gatherOfflineFacts, withPoints } from '../check/offline-facts.ts'
import { findMissingUrl } from '../check/suggest-points.ts'
import type { Config, CookieConfig } from '../config/config.ts'
import { keepLast, onlyOfSites } from '../scopes/found-scope.ts'
import { readCookieList } from '../scopes/json-exports.ts'
import { toFirstConfig } from '../setup/first-config.ts'
import { toHosts, toPages } from '../setup/questions.ts'
import { hostReceives, parseCookieDomain, toDomainKey } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import type { Answer } from './ask-points.ts'
import type { BrowserCookie } from './chromium.ts'

/** Why a browser holds a cookie back, in its words (`CookieBlockedReason`) and in ours; what is hardest to change first. */
export const REASONS = {
  blocked: [/^$/, 'the request is stopped (see the first lines)'],
  domain: [/^(?:Domain|Port)Mismatch/, 'it belongs to another host'],
  partition: [/^AnonymousContext/, 'it is kept apart for another site (Partitioned)'],
  'third-party': [/^(?:UserPreferences|ThirdParty)/, 'third-party cookies are blocked'],
  scheme: [/^Scheme/, 'http and https differ'],
  secure: [/^(?:SecureOnly|SameSiteNoneInsecure)/, 'it is Secure, or SameSite=None without Secure'],
  'same-site': [/^SameSite/, 'its SameSite attribute forbids it'],
  other: [/^(?!NotOnPath)/, 'the browser gives no reason'],
  path: [/^NotOnPath/, 'its Path is not the point’s'],
} as const

/** What was seen until the browser ended. */
export interface Seen {
  /** Of the sites, with the tab that showed each first. */
  readonly pages: Map<string, string>
  cookies: readonly BrowserCookie[]
  readonly answers: Answer[]
}

/** What is known before the visit. */
export interface Known extends Config {
  /** Whether the variable `API_KEY` is there. */
  readonly hasRestKey: boolean
}

/** The config that a visit leads to, without values, and only with the cookies of the sites; and the points to ask. Pure. */
export function draftConfig(urls: readonly string[], config: Known, seen: Seen) {
  const list = readCookieList(seen.cookies.map(({ partitionKey, ...cookie }) => cookie))
  const found = onlyOfSites(list ?? { scopes: [], notes: [] }, toHosts(urls))
  const { url: serviceUrl, prefix } = config.service
  const points = config.points.map(({ url }) => url)
  const [pages, scopes] = [toPages([...seen.pages.keys()]), keepLast(found.scopes)]
  const { frontEnd, hasRestKey } = config
  const seenKeys = new Set(scopes.map(toKey))
  const unseen = config.cookies.flatMap(({ location: _, ...cookie }) =>
    seenKeys.has(toKey(cookie)) ? [] : { secure: undefined, sameSite: undefined, ...cookie },
  )
  const all = { pages, points, scopes: [...scopes, ...unseen] }
  const made = toFirstConfig({ ...all, serviceUrl, prefix, frontEnd, hasRestKey })
  const asked = points.length > 0 || typeof made === 'string' ? points : made.points
  return { pages, points: asked, scopes, made }
}

/** What became of each cookie, whether it is lost, and where the config and `check --offline` say otherwise. Pure. */
export function judgeOutcome(urls: readonly string[], config: Known, seen: Seen) {
  const { pages, points, scopes, made } = draftConfig(urls, config, seen)
  const location = config.pointsLocation
  const [listedKeys, setKeys] = [new Set(config.cookies.map(toKey)), new Set(scopes.map(toKey))]
  const unlisted = scopes.filter((scope) => !listedKeys.has(toKey(scope)))
  const cookies = [...config.cookies, ...unlisted.map((scope) => ({ ...scope, location }))]
  const listed = { pages: pages.map((url) => ({ url, location })), cookies }
  const facts = withPoints(gatherOfflineFacts({ ...config, ...listed }), points)
  const isOfPages = (host: string) => facts.pagesBySite.has(toSite(host.replace(/^\./, '')))
  const differences: string[] = []
  // Then another point would not help.
  const isStopped = seen.answers.length > 0 && seen.answers.every(({ stop }) => stop !== undefined)
  const outcomes = facts.cookies.map((fact) => {
    const { sure, maybe } = fact.carriage
    const { name, domain, path, httponly } = fact.config
    const [isListed, isSet] = [listedKeys.has(toKey(fact.config)), setKeys.has(toKey(fact.config))]
    if (!isSet)
      differences.push(`The config lists ${name}, which this visit did not set: were you signed in?`)
    if (!isListed && httponly && config.cookies.length > 0)
      differences.push(`The site sets ${name}, an httpOnly cookie that the config does not list: add it.`)
    const asked = isSet ? points : []
    const found = asked.map((point) => ({ point, reason: findReason(fact.config, point, seen.answers) }))
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
    const isReached = isSet ? attached.length > 0 : judgeCookie(fact).verdict !== 'not-sent'
    const isLost = !isReached && isOfPages(domain) && (httponly || isListed)
    const { scope } = fact.judged
    const missing = isReached || isStopped || scope === undefined ? undefined : findMissingUrl(scope, facts)
    const suggestion = points.includes(missing ?? '') ? undefined : missing
    return { name, domain, path, httponly, attached, held, suggestion, isLost }
  })
  return { cookies: outcomes, differences, points, made }
}

/** Why no page's request to the point has the cookie, by the page where it gets furthest; `undefined` if one has it. */
function findReason(cookie: CookieConfig, point: string, answers: readonly Answer[]): Reason | undefined {
  const domain = parseCookieDomain(cookie.domain)
  const isOfHost = !('fault' in domain) && hostReceives(new URL(point).hostname, domain)
  const own = answers.filter((answer) => answer.point === point)
  const ranks = own.map(({ page, associatedCookies, stop }) => {
    const record = associatedCookies?.find((each) => toKey(each.cookie) === toKey(cookie))
    // The record has all cookies of the point's site, but those that are kept for another top-level site.
    const reasons = record?.blockedReasons ?? [isOfHost ? 'AnonymousContext' : 'DomainMismatch']
    const isStopped = associatedCookies === undefined || (reasons.length === 0 && stop !== undefined)
    // Chromium says so of cookies of another site too, where no scheme differs.
    const isSchemeful = new URL(page).protocol !== new URL(point).protocol
    const words = isSchemeful ? reasons : reasons.map((word) => word.replace(/^Schemeful/, ''))
    return isStopped ? 0 : Math.min(...words.map(rank))
  })
  return ranks.length === 0 ? 'other' : KINDS[Math.max(...ranks)]
}

function rank(word: string): number {
  return KINDS.findIndex((kind) => REASONS[kind][0].test(word))
}

function toKey({ name, domain, path }: Pick<BrowserCookie, 'name' | 'domain' | 'path'>): string {
  return JSON.stringify([name, toDomainKey(domain), path])
}

type Reason = keyof typeof REASONS
const KINDS = Object.keys(REASONS) as Reason[]
