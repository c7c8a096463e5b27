import { isLoopbackHost } from '../http/host.ts'
import { toCanonicalUrl } from '../http/requested-path.ts'
import { toSite } from '../site/site.ts'

/** An http or https URL and its parts, all canonical. */
export interface ParsedUrl {
  readonly url: string
  readonly origin: string
  readonly scheme: 'http' | 'https'
  /** An IPv6 literal keeps its brackets. */
  readonly host: string
  /** The key of its site: the registrable domain, or the host where there is none. */
  readonly site: string
  /** http that browsers treat like https, since it never leaves the machine. */
  readonly loopback: boolean
}

/** Parses a URL that is known to be a valid one with an http or https scheme. */
export function toParsedUrl(text: string): ParsedUrl {
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
  parsed: ParsedUrl,
  pagesBySite: ReadonlyMap<string, readonly ParsedUrl[]>,
): readonly ParsedUrl[] {
  return pagesBySite.get(parsed.site) ?? []
}

/**
 * Tells that the widget ignores a point here, because no known page shares its registrable domain (rule 7 of the
 * service's continuation points). Without a known page checks are inconclusive, and the point counts as usable.
 */
export function isCrossSite(
  parsed: ParsedUrl,
  pagesBySite: ReadonlyMap<string, readonly ParsedUrl[]>,
): boolean {
  return pagesBySite.size > 0 && !pagesBySite.has(parsed.site)
}

/**
 * Tells an http point that browsers block, since every known page of its site is https (W3C Mixed Content). Loopback
 * is never blocked.
 */
export function isMixedContent(
  parsed: ParsedUrl,
  pagesBySite: ReadonlyMap<string, readonly ParsedUrl[]>,
): boolean {
  const pages = toPagesOfSite(parsed, pagesBySite)
  return (
    parsed.scheme === 'http' &&
    !parsed.loopback &&
    pages.length > 0 &&
    pages.every(({ scheme }) => scheme === 'https')
  )
}

/**
 * Tells a point that is called, but only by pages of the other scheme. Chrome and Edge count the scheme as part of the
 * site, on loopback too, and keep SameSite cookies back; Safari and Firefox do not.
 */
export function isSchemeMismatch(
  parsed: ParsedUrl,
  pagesBySite: ReadonlyMap<string, readonly ParsedUrl[]>,
): boolean {
  const pages = toPagesOfSite(parsed, pagesBySite)
  if (pages.length === 0 || isMixedContent(parsed, pagesBySite)) return false
  return pages.every(({ scheme }) => scheme !== parsed.scheme)
}
