import { type Authority, parseAuthority } from './authority.ts'
import { findDotSegment } from './url.ts'

/** A valid request-target, in the octets that were received. */
export interface RequestTarget {
  /** Path and query, never empty. `*` for the asterisk-form. */
  readonly pathAndQuery: string
  readonly path: string
  readonly authority: Authority | undefined
  /** The scheme of an absolute-form target; used only for its default port. */
  readonly scheme: 'http' | 'https' | undefined
}

/**
 * Parses a raw request-target, RFC 9112 section 3.2: origin-form, absolute-form with an http(s) scheme, or asterisk-form.
 * The result holds the received octets, not decoded; `undefined` if it is refused.
 *
 * **Ours:** refused are octets outside 0x21–0x7E, a fragment, and in the path a backslash, a dot segment in any spelling
 * and an encoded NUL, CR or LF. Servers interpret these differently, so no interpretation is safe.
 */
export function parseRequestTarget(raw: string): RequestTarget | undefined {
  if (!VISIBLE_ASCII.test(raw)) return undefined
  if (raw.charCodeAt(0) === SLASH) return judgePath(raw, undefined, undefined)
  if (raw === '*') return { pathAndQuery: raw, path: raw, authority: undefined, scheme: undefined }
  const [, scheme = '', authorityText = '', rest = ''] = /^(https?):\/\/([^/?]*)(.*)$/i.exec(raw) ?? []
  const authority = parseAuthority(authorityText)
  if (authority === undefined) return undefined
  const pathAndQuery = rest.startsWith('/') ? rest : `/${rest}`
  return judgePath(pathAndQuery, authority, scheme.toLowerCase() === 'https' ? 'https' : 'http')
}

function judgePath(
  pathAndQuery: string,
  authority: Authority | undefined,
  scheme: 'http' | 'https' | undefined,
): RequestTarget | undefined {
  const queryAt = pathAndQuery.indexOf('?')
  const path = queryAt === -1 ? pathAndQuery : pathAndQuery.slice(0, queryAt)
  if (path.includes('\\') || findDotSegment(path) !== undefined) return undefined
  if (path.includes('%') && /%0[0ad]/i.test(path)) return undefined
  return { pathAndQuery, path, authority, scheme }
}

const SLASH = 0x2f
/** Without `#`. */
const VISIBLE_ASCII = /^[\x21\x22\x24-\x7e]+$/
