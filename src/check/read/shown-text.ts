import { canParseUrl } from '../../http/can-parse-url.ts'
import { cutText, escapeControls } from '../../text/escape.ts'

/** A text from the network as a finding may show it: control characters escaped, cut at 200 characters. */
export function toShownText(text: string): string {
  return escapeControls(cutText(text, SHOWN_CHARACTERS))
}

const SHOWN_CHARACTERS = 200

/**
 * A URL as reports may show it: credentials, query and fragment are replaced by an ellipsis, since people paste keys
 * there. Takes any text, also text that is not a URL.
 */
export function toShownUrl(text: string): string {
  const tail = text.search(/[?#]/)
  const head = tail === -1 ? text : text.slice(0, tail)
  return withoutCredentials(head) + (tail === -1 ? '' : `${text[tail]}…`)
}

/** A URL from the network, as a finding may show it. */
export function toShownAddress(url: string): string {
  return toShownText(toShownUrl(url))
}

/**
 * A Set-Cookie line with a mark in place of the value. Without an equals sign the cookie has no name, and all before the
 * attributes is value (RFC 6265bis section 5.6).
 */
export function withoutCookieValue(line: string, mark: string): string {
  return line.replace(/^[^;]*/, (pair) => `${pair.slice(0, pair.indexOf('=') + 1)}${mark}`)
}

// A text that doesn't parse may hold credentials anywhere before its last `@`.
function withoutCredentials(head: string): string {
  const pattern = canParseUrl(head)
    ? /^([a-z][a-z\d+.-]*:[\\/]+)?[^\\/]*@/i
    : /^([a-z][a-z\d+.-]*:[\\/]+)?.*@/is
  return head.replace(pattern, '$1…@')
}
