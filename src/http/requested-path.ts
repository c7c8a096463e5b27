/**
 * A path as browsers put it into a request, from what the URL parser of Node gives.
 *
 * URL Standard section 1.3: `^` is in the path percent-encode set, which older versions of Node don't know.
 * **Ours:** `|` is not in that set; Chromium encodes it all the same.
 */
export function toRequestedPath(pathname: string): string {
  return pathname.replaceAll('^', '%5E').replaceAll('|', '%7C')
}

/** A URL that is known to parse, in the one spelling that two URLs are compared in. */
export function toCanonicalUrl(text: string): URL {
  const url = new URL(text)
  url.pathname = toRequestedPath(url.pathname)
  return url
}
