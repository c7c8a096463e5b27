import { parseHttpUrl, redactUrl } from '../http/url.ts'

/** A page of the command line, in whose place the point on its origin is asked. */
export interface AskedPage {
  /** As written, without credentials and query. */
  readonly page: string
  readonly point: string
}

/**
 * What URLs of the command line stand for: a point for itself, a page for the point on its origin. What is neither is kept
 * as a point, which a rule then refuses.
 */
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
  const isPoint = url !== undefined && /_cookie_transfer/i.test(url.pathname)
  if (url === undefined || isPoint || url.pathname.includes(prefix.slice(0, -1))) return undefined
  return url.username === '' && url.password === '' ? url : undefined
}
