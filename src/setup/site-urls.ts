import { withoutTrailingDot } from '../http/host.ts'
import { parseHttpUrl } from '../http/parse-url.ts'
import { isPoint, parsePoint } from '../points/point.ts'

/** Why this can't be the URL of a page or a point. */
export function findUrlFault(url: string): string | undefined {
  return parseHttpUrl(url) === undefined ? `${JSON.stringify(url)} is not an http or https URL` : undefined
}

/** The pages of these URLs: the root of each origin. */
export function toPages(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => `${toUndotted(url).origin}/`))]
}

export function toHosts(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => toUndotted(url).hostname))]
}

/** The continuation points among these URLs, each once. */
export function toKnownPoints(urls: readonly string[], prefix: string): readonly string[] {
  return [
    ...new Set(urls.filter((url) => isPoint(parsePoint(url, prefix))).map((url) => toUndotted(url).href)),
  ]
}

/** Without a trailing dot in the host: with it, the host is another site, which no visitor uses. */
function toUndotted(text: string): URL {
  const url = new URL(text)
  url.hostname = withoutTrailingDot(url.hostname)
  return url
}
