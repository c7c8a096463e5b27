/**
 * Parses a URL (URL Standard section 4.4), relative to `base` if there is one.
 *
 * **Ours:** in place of `URL.canParse`, which in Node 20 and 22 starts to refuse hosts with letters such as ü once V8 has
 * compiled its callers, after some thousand calls, and of `URL.parse`, which Node 20 does not have.
 *
 * @returns `undefined` when the text is not a URL
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Parses an absolute http or https URL. The URL Standard would add slashes that are missing, as in `http:host`. */
export function parseHttpUrl(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) ? parseUrl(text) : undefined
}

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

/**
 * Finds a dot segment in a raw path, however it is spelled: `.` or `..`, each dot plain or `%2e`, bounded by `/`,
 * `%2f`, `\` or `%5c` or by either end of the path. Encoding is considered once: a doubly encoded one (`%252e`) is not
 * a dot segment, and neither is `..;` or `..foo`.
 *
 * RFC 3986 section 3.3 defines dot segments by their decoded octets; section 6.2.2.2 makes `%2e` equivalent to `.`.
 * **Ours:** encoded slashes and backslashes bound a segment, since servers behind a proxy often decode them first.
 *
 * @returns the segment as written, or `undefined`
 */
export function findDotSegment(path: string): string | undefined {
  if (!path.includes('.') && !/%2e/i.test(path)) return undefined
  for (const segment of path.split(/\/|%2f|\\|%5c/i)) {
    if (/^(?:\.|%2e){1,2}$/i.test(segment)) return segment
  }
  return undefined
}

/**
 * A URL as messages, reports and logs show it: credentials, query and fragment are replaced by an ellipsis, since people
 * paste keys there. Takes any text. Where it does not parse, or an `@` is in doubt, what may be a secret is left out.
 */
export function redactUrl(text: string): string {
  const [, scheme = '', rest = ''] = /^(https?:[\\/]*)?(.*)$/is.exec(text) ?? []
  const [head = ''] = rest.split(/[?#]/, 1)
  const tail = rest.slice(head.length)
  // A password may contain a question mark: https://user:se?cret@host
  if (tail.includes('@')) return `${scheme}…`
  const isPlain = !head.includes('@') || (parseUrl(text) !== undefined && !/[^\\/]@/.test(head))
  const bare = isPlain ? head : `…${head.slice(head.lastIndexOf('@'))}`
  return scheme + bare + (tail.length > 1 ? `${tail[0]}…` : tail)
}
