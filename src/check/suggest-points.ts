import { isLoopbackHost } from '../http/host.ts'
import { pathMatches } from '../site/cookie-match.ts'
import { type CookieScope, hostReceives } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import { toCarryingPlace, toCarryingUrl, toPointUrl } from './carrying-url.ts'
import type { Facts, Place } from './facts.ts'
import { toPlace } from './place.ts'

/** The points that carry every carriable cookie from every page, and give each page one on its own origin. */
export interface Suggestion {
  /** Sorted, without duplicates. */
  readonly urls: readonly string[]
  /** Names of listed cookies that no browser stores, or that no point can carry from these pages. */
  readonly lost: readonly string[]
}

/**
 * Finds the smallest such set of points: rules 6 to 8 of the service's continuation points, read backwards.
 *
 * A point covers the cookies of its host whose path is a prefix of its own, so the deepest paths are placed first and
 * take the shorter ones with them; and they are placed where a point is needed anyway, on a page's origin or the host
 * of a host-only cookie. **Ours:** cookies of several nested domains on several nested paths are placed one by one,
 * in two orders, which in rare nestings costs a point more than an exhaustive search would find.
 */
export function suggestPoints(facts: Facts): Suggestion | undefined {
  const isCarriable = (scope: CookieScope) => toCarryingUrl(scope, facts) !== undefined
  const scopes = facts.cookies.map(({ judged }) =>
    judged.scope && isCarriable(judged.scope) ? judged.scope : undefined,
  )
  const lost = facts.cookies.filter((_, index) => scopes[index] === undefined)
  const pages = [...facts.pagesBySite.values()].flat()
  const demands = scopes.flatMap((scope) => (scope === undefined ? [] : toDemands(scope, facts)))
  const [urls = []] = [toMostSpecific, toLeastSpecific]
    .map((prefer) => placeDemands(demands, pages, prefer, facts.prefix))
    .sort((a, b) => a.length - b.length)
  if (urls.length === 0) return undefined
  return { urls: [...urls].sort(), lost: lost.map(({ config }) => config.name) }
}

/** A cookie that must arrive over one scheme: what pages of that scheme can use. */
interface Demand {
  readonly scope: CookieScope
  readonly scheme: 'http' | 'https'
  /** Where it goes when nothing better is open. */
  readonly home: Place
}

// An https page can't call an http point, and to an https point a page on http is another site: each scheme of the
// pages needs its own point. A Secure cookie needs https whatever the page has.
function toDemands(scope: CookieScope, facts: Facts): readonly Demand[] {
  const fallback = toCarryingPlace(scope, facts)
  const pages = facts.pagesBySite.get(toSite(scope.host)) ?? [fallback]
  const needsHttps = scope.secure === true && !isLoopbackHost(scope.host)
  const schemes = new Set(pages.map((page) => (needsHttps ? 'https' : page.scheme)))
  return [...schemes].map((scheme) => {
    const isHome = (place: Place) => place.scheme === scheme && hostReceives(place.host, scope)
    const home = [...pages, fallback].find(isHome) ?? toPlace(`${scheme}://${scope.host}/`)
    return { scope, scheme, home }
  })
}

function placeDemands(
  demands: readonly Demand[],
  pages: readonly Place[],
  prefer: (places: readonly Place[]) => Place | undefined,
  prefix: string,
): readonly string[] {
  const open = new Map<string, Place>()
  for (const page of pages) open.set(page.origin, page)
  for (const { scope, home } of demands) if (scope.hostOnly) open.set(home.origin, home)
  const chosen: { readonly place: Place; readonly url: string; readonly path: string }[] = []
  const choose = (place: Place, cookiePath: string): void => {
    open.delete(place.origin)
    const url = toPointUrl(place.origin, cookiePath, prefix)
    if (url !== undefined) chosen.push({ place, url, path: new URL(url).pathname })
  }
  for (const demand of [...demands].sort(byDepth)) {
    const { scope } = demand
    if (chosen.some(({ place, path }) => accepts(demand, place) && pathMatches(path, scope.path))) continue
    choose(prefer([...open.values()].filter((place) => accepts(demand, place))) ?? demand.home, scope.path)
  }
  for (const page of pages) if (open.has(page.origin)) choose(page, '/')
  return chosen.map(({ url }) => url)
}

function accepts({ scope, scheme }: Demand, place: Place): boolean {
  return place.scheme === scheme && hostReceives(place.host, scope)
}

// Deep paths first; among equals host-only cookies, then those of the longest domain, which have the least choice.
function byDepth(a: Demand, b: Demand): number {
  return (
    b.scope.path.length - a.scope.path.length ||
    Number(b.scope.hostOnly) - Number(a.scope.hostOnly) ||
    b.scope.host.length - a.scope.host.length
  )
}

// The host with the most labels receives the cookies of the most domains; the one with the fewest leaves the others
// to cookies that can go nowhere else. Neither is always better, so both are tried.
function toMostSpecific(places: readonly Place[]): Place | undefined {
  return [...places].sort((a, b) => toDepth(b) - toDepth(a))[0]
}

function toLeastSpecific(places: readonly Place[]): Place | undefined {
  return [...places].sort((a, b) => toDepth(a) - toDepth(b))[0]
}

function toDepth(place: Place): number {
  return place.host.split('.').length
}
