import { remember } from './remember.ts'

/** The start of a response, as far as its octets have arrived. */
export type ResponseStart =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }
  /** A whole head of status 1xx; `length` counts its octets, the empty line included. */
  | { readonly kind: 'informational'; readonly status: number; readonly length: number }
  /** The status line of the response proper; `reason` is latin1 and may be empty. */
  | { readonly kind: 'final'; readonly reason: string }

/**
 * Parses the start of a response, RFC 9112 section 4. Informational heads (RFC 9110 section 15.2) are parsed whole; of
 * the final head only the status line is.
 *
 * **Ours:** the version is 1.0 or 1.1 and the status has three digits, the first of them not 0.
 */
export function parseResponseStart(octets: Buffer): ResponseStart {
  const lineEnd = octets.indexOf(LINE_FEED)
  if (lineEnd === -1) {
    const line = octets.toString('latin1')
    return line.startsWith(PREFIX.slice(0, line.length)) ? { kind: 'incomplete' } : { kind: 'malformed' }
  }
  const line = parseStatusLine(octets.toString('latin1', 0, lineEnd))
  if (line.kind !== 'informational') return line
  const headEnd = octets.indexOf(HEAD_END)
  return headEnd === -1 ? { kind: 'incomplete' } : { ...line, length: headEnd + HEAD_END.length }
}

const parseStatusLine = remember((line): ResponseStart => {
  const [, digits, reason = ''] = STATUS_LINE.exec(line) ?? []
  if (digits === undefined) return { kind: 'malformed' }
  const status = Number(digits)
  return status >= 200 ? { kind: 'final', reason } : { kind: 'informational', status, length: 0 }
})

const PREFIX = 'HTTP/1.'
const LINE_FEED = 0x0a
const HEAD_END = '\r\n\r\n'
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?\r$/
