/**
 * A path as browsers request it, from the `pathname` of Node's URL parser.
 *
 * URL Standard section 1.3: `^` is in the path percent-encode set, which older versions of Node don't know.
 * **Ours:** `|` is not in that set, but Chromium encodes it.
 */
export function toRequestedPath(pathname: string): string {
  return pathname.replaceAll('^', '%5E').replaceAll('|', '%7C')
}

/** The canonical form of a URL, in which two URLs can be compared. The text must parse. */
export function toCanonicalUrl(text: string): URL {
  const url = new URL(text)
  url.pathname = toRequestedPath(url.pathname)
  return url
}
