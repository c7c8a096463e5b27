import { isLoopbackHost } from '../http/host.ts'
import { toCanonicalUrl } from '../http/requested-path.ts'
import { toSite } from '../site/site.ts'
import type { Place } from './facts.ts'

/** Places a URL that is known to parse with an http or https scheme. */
export function toPlace(text: string): Place {
  const url = toCanonicalUrl(text)
  return {
    url: url.href,
    origin: url.origin,
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    host: url.hostname,
    site: toSite(url.hostname),
    loopback: isLoopbackHost(url.hostname),
  }
}

/** The known pages that may use a point here: those of its site, whatever their scheme. */
export function toPagesOfSite(
  place: Place,
  pagesBySite: ReadonlyMap<string, readonly Place[]>,
): readonly Place[] {
  return pagesBySite.get(place.site) ?? []
}

/**
 * Tells that the widget ignores a point here, because no known page shares its registrable domain (rule 7 of the
 * service's continuation points). Without a known page checks are inconclusive, and the point counts as usable.
 */
export function isCrossSite(place: Place, pagesBySite: ReadonlyMap<string, readonly Place[]>): boolean {
  return pagesBySite.size > 0 && !pagesBySite.has(place.site)
}

/**
 * Tells an http point that browsers block, since every known page of its site is https (W3C Mixed Content). Loopback
 * is never blocked.
 */
export function isMixedContent(place: Place, pagesBySite: ReadonlyMap<string, readonly Place[]>): boolean {
  const pages = toPagesOfSite(place, pagesBySite)
  return (
    place.scheme === 'http' &&
    !place.loopback &&
    pages.length > 0 &&
    pages.every(({ scheme }) => scheme === 'https')
  )
}

/**
 * Tells a point that is called, but only by pages of the other scheme. Chrome and Edge count the scheme as part of the
 * site, on loopback too, and keep SameSite cookies back; Safari and Firefox do not.
 */
export function isSchemeMismatch(place: Place, pagesBySite: ReadonlyMap<string, readonly Place[]>): boolean {
  const pages = toPagesOfSite(place, pagesBySite)
  if (pages.length === 0 || isMixedContent(place, pagesBySite)) return false
  return pages.every(({ scheme }) => scheme !== place.scheme)
}
