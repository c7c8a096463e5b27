import { isPoint, parsePoint } from '../points/point.ts'
import { pathMatches } from '../site/cookie-match.ts'
import { type CookieScope, hostReceives } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import type { Facts } from './facts.ts'
import { type ParsedUrl, toParsedUrl } from './parsed-url.ts'

/**
 * The URL of a point that would certainly receive the cookie; `undefined` if there can't be one, because no page is on the
 * cookie's site or no URL on its path ends with the prefix.
 */
export function toCarryingUrl(scope: CookieScope, facts: Facts): string | undefined {
  const site = toSite(scope.host)
  if (facts.pagesBySite.size > 0 && !facts.pagesBySite.has(site)) return undefined
  return toPointUrl(toCarryingOrigin(scope, facts).origin, scope.path, facts.prefix)
}

/**
 * The URL of a point: origin, cookie path, prefix (rule 8 of the service's continuation points). A cookie path that
 * already ends with the prefix is used as it is.
 *
 * @returns `undefined` if no point can have this path, because it contains the prefix before its end
 */
export function toPointUrl(origin: string, cookiePath: string, prefix: string): string | undefined {
  const path = cookiePath.replace(/\/$/, '')
  const isWhole = `${path}/`.endsWith(prefix)
  const parsed = parsePoint(isWhole ? `${origin}${path}/` : `${origin}${path}${prefix}`, prefix)
  return isPoint(parsed) && pathMatches(parsed.path, cookiePath) ? parsed.url : undefined
}

/**
 * Where to put a point for the cookie: on the origin of a page if that receives it, else on that of an existing point,
 * else on the cookie's host with the scheme of its site's pages.
 */
export function toCarryingOrigin(scope: CookieScope, facts: Facts): ParsedUrl {
  const pages = facts.pagesBySite.get(toSite(scope.host)) ?? []
  const isHttpsCarrying = (parsed: ParsedUrl) => parsed.scheme === 'https' && isCarrying(parsed, scope)
  const isAnyCarrying = (parsed: ParsedUrl) => isCarrying(parsed, scope)
  for (const isFit of [isHttpsCarrying, isAnyCarrying]) {
    const page = pages.find(isFit)
    if (page !== undefined) return page
    const fact = facts.points.find(({ point, parsed }) => point !== undefined && parsed && isFit(parsed))
    if (fact?.parsed !== undefined) return fact.parsed
  }
  const isPlain = pages.length > 0 && pages.every((page) => page.scheme === 'http') && scope.secure !== true
  return toParsedUrl(`${isPlain ? 'http' : 'https'}://${scope.host}/`)
}

function isCarrying(parsed: ParsedUrl, scope: CookieScope): boolean {
  const isSecureEnough = parsed.scheme === 'https' || parsed.loopback || scope.secure !== true
  return hostReceives(parsed.host, scope) && isSecureEnough
}
