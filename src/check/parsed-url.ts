import { isLoopbackHost } from '../http/host.ts'
import { toCanonicalUrl } from '../http/url.ts'
import { toSite } from '../site/site.ts'

/** An http or https URL and its parts, all canonical. */
export type ParsedUrl = Readonly<ReturnType<typeof parseKnownUrl>>

/** The readable pages by the key of their site; empty when no page is known. */
export type PagesBySite = ReadonlyMap<string, readonly ParsedUrl[]>

/** Parses a URL that is known to be a valid one with an http or https scheme. */
export function parseKnownUrl(text: string) {
  const url = toCanonicalUrl(text)
  return {
    url: url.href,
    origin: url.origin,
    scheme: url.protocol === 'https:' ? ('https' as const) : ('http' as const),
    /** An IPv6 literal keeps its brackets. */
    host: url.hostname,
    /** The registrable domain, or the host where there is none. */
    site: toSite(url.hostname),
    /** http that browsers treat like https, because it never leaves the machine. */
    loopback: isLoopbackHost(url.hostname),
  }
}

/** The known pages that may use a point at this URL: those of its site, with either scheme. */
export function findPagesOfSite(parsed: ParsedUrl, pagesBySite: PagesBySite): readonly ParsedUrl[] {
  return pagesBySite.get(parsed.site) ?? []
}

/** Whether the widget ignores a point at this URL: no known page shares its registrable domain (rule 7 of the points). */
export function isCrossSite(parsed: ParsedUrl, pagesBySite: PagesBySite): boolean {
  return pagesBySite.size > 0 && !pagesBySite.has(parsed.site)
}

/** Whether browsers block an http point: every known page of its site is https (W3C Mixed Content); never on loopback. */
export function isMixedContent(parsed: ParsedUrl, pagesBySite: PagesBySite): boolean {
  if (parsed.scheme === 'https' || parsed.loopback) return false
  const pages = findPagesOfSite(parsed, pagesBySite)
  return pages.length > 0 && pages.every(({ scheme }) => scheme === 'https')
}

/** Whether only pages with the other scheme call a point: Chrome and Edge, on loopback too, then hold SameSite cookies back. */
export function isSchemeMismatch(parsed: ParsedUrl, pagesBySite: PagesBySite): boolean {
  const pages = findPagesOfSite(parsed, pagesBySite)
  if (pages.length === 0 || isMixedContent(parsed, pagesBySite)) return false
  return pages.every(({ scheme }) => scheme !== parsed.scheme)
}
