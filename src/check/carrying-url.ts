import { isPoint, parsePoint } from '../points/point.ts'
import { type CookieScope, pathMatches, toDomainText, toReceivedDomains } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import { indexBy, oncePer } from './by-key.ts'
import { type Facts, isSound } from './facts.ts'
import { type ParsedUrl, parseKnownUrl } from './parsed-url.ts'

/** The URL of a point that would certainly receive the cookie; `undefined` if no page is on its site, or no URL on its path. */
export function findCarryingUrl(scope: CookieScope, facts: Facts): string | undefined {
  const site = toSite(scope.host)
  if (facts.pagesBySite.size > 0 && !facts.pagesBySite.has(site)) return undefined
  return toPointUrl(chooseCarryingOrigin(scope, facts).origin, scope.path, facts.prefix)
}

/** Origin, cookie path, prefix (rule 8 of the service's points); `undefined` for a path that has the prefix before its end. */
export function toPointUrl(origin: string, cookiePath: string, prefix: string): string | undefined {
  const path = cookiePath.replace(/\/$/, '')
  const isWhole = `${path}/`.endsWith(prefix)
  const parsed = parsePoint(isWhole ? `${origin}${path}/` : `${origin}${path}${prefix}`, prefix)
  return isPoint(parsed) && pathMatches(parsed.path, cookiePath) ? parsed.url : undefined
}

/** Where to put a point for the cookie: on the origin of a page that receives it, else of a point, else on the cookie's host. */
export function chooseCarryingOrigin(scope: CookieScope, facts: Facts): ParsedUrl {
  const { pagesReceiving, pointsReceiving, schemesOf } = toPlaces(facts)
  const domain = toDomainText(scope)
  const find = (isFit: (parsed: ParsedUrl) => boolean) =>
    pagesReceiving.get(domain)?.find(isFit) ?? pointsReceiving.get(domain)?.find(isFit)
  const found =
    find(({ scheme }) => scheme === 'https') ?? find(({ loopback }) => loopback || scope.secure !== true)
  if (found !== undefined) return found
  const schemes = schemesOf.get(toSite(scope.host)) ?? ['https']
  const isPlain = !schemes.includes('https') && scope.secure !== true
  return parseKnownUrl(`${isPlain ? 'http' : 'https'}://${scope.host}/`)
}

/** Pages and points by the domains whose cookies they receive, and the schemes of the pages of each site. */
export const toPlaces = oncePer(({ pagesBySite, points }: Facts) => {
  const toDomains = ({ host }: ParsedUrl) => toReceivedDomains(host)
  const sites = [...pagesBySite]
  const sound = points.filter(isSound).map(({ parsed }) => parsed)
  return {
    pagesReceiving: indexBy([...pagesBySite.values()].flat(), toDomains),
    pointsReceiving: indexBy(sound, toDomains),
    schemesOf: new Map(sites.map(([site, each]) => [site, [...new Set(each.map(({ scheme }) => scheme))]])),
  }
})
