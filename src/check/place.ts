import { isLoopbackHost } from '../http/host.ts'
import { toSite } from '../site/site.ts'
import type { Place } from './facts.ts'

/** Places a URL that is known to parse with an http or https scheme. */
export function toPlace(text: string): Place {
  const url = new URL(text)
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
 * service's continuation points). Without a known page nothing can be told, and the point counts as usable.
 */
export function isCrossSite(place: Place, pagesBySite: ReadonlyMap<string, readonly Place[]>): boolean {
  return pagesBySite.size > 0 && !pagesBySite.has(place.site)
}

/**
 * Tells an https point whose only same-site pages are http: Chrome and Edge count the scheme as part of the site and
 * keep SameSite cookies back, Safari and Firefox do not.
 */
export function isSchemeMismatch(place: Place, pagesBySite: ReadonlyMap<string, readonly Place[]>): boolean {
  const pages = toPagesOfSite(place, pagesBySite)
  return place.scheme === 'https' && pages.length > 0 && pages.every((page) => page.scheme === 'http')
}
