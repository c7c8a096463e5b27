import { remember } from './remember.ts'

/** What a status line says: an informational status, or the reason of a final one (latin1, may be empty). */
export type StatusLine =
  | { readonly kind: 'malformed' }
  | { readonly kind: 'informational'; readonly status: number }
  | { readonly kind: 'final'; readonly reason: string }

/**
 * Parses a status line with its CR, but without its LF (RFC 9112 section 4).
 *
 * **Ours:** the version is 1.0 or 1.1 and the status has three digits, the first of them not 0.
 */
export const parseStatusLine = remember((line): StatusLine => {
  const [, digits, reason = ''] = STATUS_LINE.exec(line) ?? []
  if (digits === undefined) return { kind: 'malformed' }
  const status = Number(digits)
  return status >= 200 ? { kind: 'final', reason } : { kind: 'informational', status }
})

/** Whether a status line may begin with these octets. */
export function mayBeginStatusLine(octets: Buffer): boolean {
  const begin = octets.toString('latin1', 0, PREFIX.length)
  return begin === PREFIX.slice(0, begin.length)
}

const PREFIX = 'HTTP/1.'
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?\r$/
