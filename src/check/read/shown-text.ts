import { redactUrl } from '../../http/url.ts'
import { cutText, escapeControls } from '../../text/escape.ts'

/** A text from the network as a finding may show it: control characters escaped, cut at 200 characters. */
export function escapeAndCut(text: string): string {
  return escapeControls(cutText(text, SHOWN_CHARACTERS))
}

const SHOWN_CHARACTERS = 200

/** A URL from the network, as a finding may show it. */
export function redactAddress(url: string): string {
  return escapeAndCut(redactUrl(url))
}

/** With a mark in place of the value. Without an equals sign all is value (RFC 6265bis section 5.6). */
export function withoutCookieValue(line: string, toMark: (value: string) => string): string {
  return line.replace(/^([^;=]*=)?([^;]*)/, (_, name = '', value = '') => `${name}${toMark(value)}`)
}
