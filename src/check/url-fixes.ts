import { suggest } from '../config/suggestion.ts'
import { toCanonicalHost, withoutTrailingDot } from '../http/host.ts'
import { parseUrl } from '../http/url.ts'
import { oncePer } from './by-key.ts'
import type { Facts, PointFact } from './facts.ts'
import type { Fix } from './fix.ts'
import { findPagesOfSite, isSchemeMismatch, type ParsedUrl, parseKnownUrl } from './parsed-url.ts'

/** Adds a point, and moves pages that are on http alone to https, where it is same-site to them. */
export function proposeAdding(url: string, facts: Facts): Fix {
  const parsed = parseKnownUrl(url)
  const isMoved = parsed.scheme === 'https' && isSchemeMismatch(parsed, facts.pagesBySite)
  const moved = isMoved ? `, and serve ${describeMove(parsed, facts)}` : ''
  return { what: `Add ${url} to "points"${moved}`, url, isLeftOut: facts.ownUrls?.has(url) }
}

export function proposeMovingPages(point: ParsedUrl, facts: Facts): Fix {
  return { what: `Serve ${describeMove(point, facts)}`, url: point.url }
}

/** The https URLs for the http pages of a point's site, the first ten; empty if there are none. On its host they get its port. */
export function describeMove(point: ParsedUrl, { pagesBySite }: Pick<Facts, 'pagesBySite'>): string {
  const plain = findPlainPages(findPagesOfSite(point, pagesBySite))
  if (plain.length === 0) return ''
  const changes = plain
    .slice(0, 10)
    .map(({ url }) => `${toSecure(new URL(url), [point]).href} in place of ${url}`)
  const more = plain.length - changes.length
  const all = [...changes, ...(more > 0 ? [`so on for ${more} more`] : [])].join(' and ')
  return `the page over https: write ${all} in "pages"`
}

/** The pages on http, each once. Those of a site are needed for each of its points. */
const findPlainPages = oncePer((pages: readonly ParsedUrl[]): readonly ParsedUrl[] => {
  const plain = pages.filter(({ scheme }) => scheme === 'http')
  return [...new Map(plain.map((page) => [page.url, page])).values()]
})

/** On https. Its port is that of a known https URL of the host, else the usual one: an http port speaks no TLS. */
function toSecure(url: URL, known: readonly ParsedUrl[]): URL {
  const secure = known.find(({ scheme, host }) => scheme === 'https' && host === url.hostname)
  if (url.protocol === 'http:') url.port = secure === undefined ? '' : new URL(secure.url).port
  url.protocol = 'https:'
  return url
}

/** A point's URL with all corrections at once; https unless a page of its site is http. `undefined` if no host is recognisable. */
export function correctUrl(
  { shown, fault }: Pick<PointFact, 'shown' | 'fault'>,
  { prefix, pagesBySite }: Pick<Facts, 'prefix' | 'pagesBySite'>,
): string | undefined {
  const text = fault === undefined ? shown : guessPointUrl(shown, prefix)
  if (text === undefined) return undefined
  const url = new URL(text)
  url.hostname = withoutTrailingDot(url.hostname)
  const parsed = parseKnownUrl(url.href)
  const pages = findPagesOfSite(parsed, pagesBySite)
  const isFree = pages.length === 0 && parsed.loopback
  if (!isFree && pages.every(({ scheme }) => scheme === 'https')) toSecure(url, pages)
  return parseKnownUrl(url.href).url
}

/** The point URL that a text most likely meant: its host and cookie path, then the prefix once. */
function guessPointUrl(shown: string, prefix: string): string | undefined {
  const url = guessUrl(shown)
  if (url === undefined) return undefined
  const { origin, pathname } = url
  const isMisspelt = (segment: string) => suggest(segment, [prefix.slice(1, -1)]) !== undefined
  const misspelt = pathname.split('/').find((segment) => segment.length > 1 && isMisspelt(segment))
  // Without its last slash, which is often forgotten.
  const name = findOtherPrefix(shown, prefix)?.slice(0, -1) ?? `/${misspelt ?? prefix.slice(1, -1)}`
  const start = pathname.indexOf(name)
  const cookiePath = start === -1 ? pathname : pathname.slice(0, start)
  return `${origin}${cookiePath.replace(/(?<!\/)\/+$/, '')}${prefix}`
}

/** The prefix of another vendor in a URL without ours: a word before `_cookie_transfer` (service's specification, section 4.9). */
export function findOtherPrefix(shown: string, prefix: string): string | undefined {
  const path = guessUrl(shown)?.pathname ?? ''
  if (path.includes(prefix.slice(0, -1))) return undefined
  const [other] = /\/[^/]+_cookie_transfer(?=\/|$)/i.exec(path) ?? []
  return other && `${other}/`
}

/** The http or https URL that a text most likely meant, without credentials, query and fragment, if it has a host. */
export function guessUrl(shown: string): URL | undefined {
  const bare = shown
    .replace('…@', '')
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
    .trim()
  const text = /^(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(bare) ? bare : `https://${bare}`
  const url = /^https?:/i.test(text) && !/^\/(?!\/)/.test(bare) ? parseUrl(text) : undefined
  if (url === undefined || toCanonicalHost(url.hostname) === undefined) return undefined
  if (url.port === '0') url.port = ''
  return url
}
