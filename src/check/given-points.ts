import type { AccountFact } from '../account/read-account.ts'
import type { Config, PointConfig } from '../config/config.ts'
import { parseHttpUrl, parseUrl, redactUrl, toCanonicalUrl } from '../http/url.ts'

/** The points that the command line gives to check, beside the config that they were given with. */
export type GivenPoints = ReturnType<typeof mergeGivenPoints>

/** @param given the config with the URLs of the command line in place of its own points; its secrets are those of `own` */
export function mergeGivenPoints(own: Config, given: Config) {
  const ownByUrl = new Map(own.points.map((point) => [toKey(point), point]))
  const points = given.points.map((point) => {
    const { widgetKey } = ownByUrl.get(toKey(point)) ?? point
    return { ...point, widgetKey }
  })
  const others = points.filter((point) => !ownByUrl.has(toKey(point)))
  return {
    /** The config with only the given points. Those that it has itself keep their keys. */
    config: { ...own, points } satisfies Config,
    /** The config with all of its own points, then the given ones that it doesn't have: what its account has to list. */
    whole: { ...own, points: [...own.points, ...others] } satisfies Config,
    /** The canonical URLs of the config's own points. */
    ownUrls: new Set(ownByUrl.keys()),
  }
}

/** The same account, with the indexes of its points among the given ones. */
export function onGivenPoints(
  account: AccountFact,
  { config, whole }: Pick<GivenPoints, 'config' | 'whole'>,
): AccountFact {
  const urls = new Set(account.points.flatMap((index) => whole.points[index] ?? []).map(toKey))
  const points = config.points.flatMap((point, index) => (urls.has(toKey(point)) ? [index] : []))
  return { ...account, points }
}

function toKey({ url }: PointConfig): string {
  return parseUrl(url) === undefined ? url : toCanonicalUrl(url).href
}

/** A page of the command line, in whose place the point on its origin is asked. */
export interface AskedPage {
  /** As written, without credentials and query. */
  readonly page: string
  readonly point: string
}

/** A point stands for itself, a page for the point on its origin. What is neither is kept as a point, which a rule refuses. */
export function readGivenUrls(urls: readonly string[], prefix: string) {
  const read = urls.map((text) => ({ text, page: readPage(text, prefix) }))
  const written = read.flatMap(({ text, page }) => (page === undefined ? [text] : []))
  const pages = read.flatMap(({ text, page }): readonly AskedPage[] =>
    page === undefined ? [] : [{ page: redactUrl(text), point: `${page.origin}${prefix}` }],
  )
  const others = pages.map(({ point }) => point).filter((point) => !written.includes(point))
  return { points: [...written, ...new Set(others)], pages }
}

/** The URL of a page, with https where the text is a host or a path on it; a URL that tries to be a point is no page. */
function readPage(text: string, prefix: string): URL | undefined {
  const isBare = /^(?:[^\s/:?#@]+\.[^\s/:?#@]+|localhost)(?::\d+)?(?:[/?#]|$)/.test(text)
  const url = parseHttpUrl(isBare ? `https://${text}` : text)
  const isPoint = url !== undefined && /cookie.?transf/i.test(url.pathname)
  if (url === undefined || isPoint || url.pathname.includes(prefix.slice(0, -1))) return undefined
  return url.username === '' && url.password === '' ? url : undefined
}
