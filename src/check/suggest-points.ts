import { isLoopbackHost } from '../http/host.ts'
import { type CookieScope, hostReceives, toDomainText, toReceivedDomains } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import { indexBy, oncePer } from './by-key.ts'
import { findOnPath, findUsablePoints, indexScopes } from './carriage.ts'
import { chooseCarryingOrigin, findCarryingUrl, toPlaces, toPointUrl } from './carrying-url.ts'
import type { Facts } from './facts.ts'
import { withPoints } from './offline-facts.ts'
import { type ParsedUrl, parseKnownUrl } from './parsed-url.ts'
import { findRedundantPoints } from './redundancy.ts'

/** A complete set of points: those that are good already, and those that the cookies and pages still need. */
export type Suggestion = NonNullable<ReturnType<typeof suggestPoints>>

/**
 * Finds the smallest such set, by rules 6 to 9 of the service's continuation points; fixes of single findings use its URLs. The
 * deepest cookie paths, which cover shorter ones, are placed first, where a point is needed anyway. **Ours:** nested domains on
 * nested paths are placed one by one, in two orders, which in rare cases needs one point too many.
 */
export function suggestPoints(facts: Facts) {
  return toSuggested(facts).suggestion
}

/** With its points by the scopes that they receive. */
const toSuggested = oncePer((facts: Facts) => {
  const isCarriable = (scope: CookieScope) => findCarryingUrl(scope, facts) !== undefined
  const scopes = facts.cookies.map(({ judged }) =>
    judged.scope && isCarriable(judged.scope) ? judged.scope : undefined,
  )
  const namesOf = (isIt: (scope: CookieScope | undefined) => boolean) =>
    facts.cookies.flatMap(({ config }, at) => (isIt(scopes[at]) ? config.name : []))
  const pages = [...facts.pagesBySite.values()].flat()
  const carriable = [...new Set(scopes)].filter((scope) => scope !== undefined)
  const demands = carriable.flatMap((scope) => listDemands(scope, facts))
  const base = listBasePoints(facts, pages)
  const index = indexScopes(scopes)
  const toScopes: ToScopes = ({ host, url }) => findOnPath(index, host, new URL(url).pathname)
  // The host with the most labels receives the cookies of the most domains; choosing the one with the fewest keeps the
  // others free for cookies that have no alternative. Neither is always better, so both are tried.
  const [urls = []] = [1, -1]
    .map((sign) => withoutSpare(placeDemands(demands, pages, base, sign, toScopes, facts.prefix), facts))
    .sort((a, b) => a.length - b.length)
  const sorted = [...urls].sort()
  const byScope = indexBy(sorted.map(parseKnownUrl), toScopes)
  // Not each page of their site has a point that carries them over the page's own scheme, Secure or not: a cookie of which the
  // config doesn't say whether it is Secure may be.
  const isPartly = (scope: CookieScope) => {
    const schemes = toPlaces(facts).schemesOf.get(toSite(scope.host)) ?? []
    const points = (byScope.get(scope) ?? []).filter(
      (parsed) => parsed.scheme === 'https' || parsed.loopback || scope.secure === false,
    )
    return !schemes.every((scheme) => points.some((parsed) => parsed.scheme === scheme))
  }
  const partly = new Set(carriable.filter(isPartly))
  const suggestion = {
    /** Sorted, without duplicates. */
    urls: sorted,
    /** Names of listed cookies that no browser stores, or that no point can carry from these pages. */
    lost: namesOf((scope) => scope === undefined),
    /** Names of cookies that these points carry from some pages only: not from those with the other scheme. */
    partly: [...new Set(namesOf((scope) => scope !== undefined && partly.has(scope)))],
  }
  return { suggestion: sorted.length === 0 ? undefined : suggestion, byScope }
})

/** The suggested point for a cookie that no point receives: https before http, then alphabetically. */
export function findMissingUrl(scope: CookieScope, facts: Facts): string | undefined {
  const points = toSuggested(facts).byScope.get(scope)
  return (points?.find(({ scheme }) => scheme === 'https') ?? points?.[0])?.url
}

/** The carriable scopes that a point at this URL matches. */
type ToScopes = (parsed: ParsedUrl) => readonly CookieScope[]

function withoutSpare(urls: readonly string[], facts: Facts): readonly string[] {
  const redundant = findRedundantPoints(withPoints(facts, urls)).keys()
  const spare = new Set([...redundant].map(({ shown }) => shown))
  return urls.filter((url) => !spare.has(url))
}

/** What the suggested points achieve, as a clause. */
export function describeCoverage({ lost, partly }: Suggestion): string {
  const all = lost.length === 0 ? 'every listed cookie' : `every listed cookie but ${lost.join(', ')}`
  return partly.length === 0
    ? `they carry ${all} from every page`
    : `they carry ${all}, and ${partly.join(', ')} not from every page: the scheme of the page decides`
}

/** A cookie that must arrive over a given scheme, the one that pages with that scheme can use. */
interface Demand {
  readonly scope: CookieScope
  readonly scheme: 'http' | 'https'
  /** Where its point goes if there is no better place. */
  readonly home: ParsedUrl
}

// An https page can't call an http point, and an https point is cross-site to an http page, so each scheme among the
// pages needs its own point. A Secure cookie always needs https.
function listDemands(scope: CookieScope, facts: Facts): readonly Demand[] {
  const fallback = chooseCarryingOrigin(scope, facts)
  const { pagesReceiving, schemesOf } = toPlaces(facts)
  const needsHttps = scope.secure === true && !isLoopbackHost(scope.host)
  const schemes = schemesOf.get(toSite(scope.host)) ?? [fallback.scheme]
  return (needsHttps ? (['https'] as const) : schemes).map((scheme) => {
    const isHome = (parsed: ParsedUrl) => parsed.scheme === scheme && hostReceives(parsed.host, scope)
    const homes = [...(pagesReceiving.get(toDomainText(scope)) ?? []), fallback]
    return { scope, scheme, home: homes.find(isHome) ?? parseKnownUrl(`${scheme}://${scope.host}/`) }
  })
}

/** The good points of the config, and for each page without one the point on `/` of its origin. */
function listBasePoints(facts: Facts, pages: readonly ParsedUrl[]): readonly string[] {
  const spare = findRedundantPoints(facts)
  const good = findUsablePoints(facts).filter((fact) => !fact.parsed.host.endsWith('.') && !spare.has(fact))
  const origins = new Set(good.map(({ parsed }) => parsed.origin))
  const bare = pages.filter(({ origin }) => !origins.has(origin))
  const added = bare.flatMap(({ origin }) => toPointUrl(origin, '/', facts.prefix) ?? [])
  return [...new Set([...good.map(({ point }) => point.url), ...added])]
}

/** Adds to `base` a point for each demand that none meets, where one is needed anyway. `sign`: 1 prefers hosts with many labels. */
function placeDemands(
  demands: readonly Demand[],
  pages: readonly ParsedUrl[],
  base: readonly string[],
  sign: number,
  toScopes: ToScopes,
  prefix: string,
): readonly string[] {
  const countLabels = ({ host }: ParsedUrl) => host.split('.').length
  const origins = new Map<string, ParsedUrl>()
  for (const parsed of [...pages, ...base.map(parseKnownUrl)]) origins.set(parsed.origin, parsed)
  for (const { scope, home } of demands) if (scope.hostOnly) origins.set(home.origin, home)
  const sorted = [...origins.values()].sort((a, b) => sign * (countLabels(b) - countLabels(a)))
  const bestBy = new Map<string, ParsedUrl>()
  for (const parsed of sorted.toReversed())
    for (const domain of toReceivedDomains(parsed.host)) bestBy.set(`${parsed.scheme} ${domain}`, parsed)
  const chosen = [...base]
  const met = { http: new Set<CookieScope>(), https: new Set<CookieScope>() }
  const meet = (parsed: ParsedUrl) => {
    for (const scope of toScopes(parsed)) met[parsed.scheme].add(scope)
  }
  base.map(parseKnownUrl).forEach(meet)
  for (const { scope, scheme, home } of [...demands].sort(byDepth)) {
    if (met[scheme].has(scope)) continue
    const parsed = bestBy.get(`${scheme} ${toDomainText(scope)}`) ?? home
    const url = toPointUrl(parsed.origin, scope.path, prefix)
    if (url === undefined) continue
    chosen.push(url)
    meet(parseKnownUrl(url))
  }
  return chosen
}

// Deep paths first; among equal paths host-only cookies, then those of the longest domain, which have the least choice.
function byDepth(a: Demand, b: Demand): number {
  return (
    b.scope.path.length - a.scope.path.length ||
    Number(b.scope.hostOnly) - Number(a.scope.hostOnly) ||
    b.scope.host.length - a.scope.host.length
  )
}
