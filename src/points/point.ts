import { canParseUrl } from '../http/can-parse-url.ts'
import { findDotSegment } from '../http/dot-segment.ts'
import { toRequestedPath } from '../http/requested-path.ts'

/** A continuation point: one origin and one path of the customer's site, in the service's URL form (spec 4.9). */
export interface Point {
  /** Canonical: lower-case A-label host, no default port, the path as browsers request it. */
  readonly url: string
  /** `scheme://host[:port]`, port only when non-standard; the value of X-Continuation-Origin. */
  readonly origin: string
  readonly scheme: 'http' | 'https'
  /** `host[:port]`, port only when non-standard for the scheme. */
  readonly authority: string
  /** Host without port; an IPv6 literal keeps its brackets. */
  readonly host: string
  /** Path octets that a request-target of this point starts with, `/shop/service_cookie_transfer/`. */
  readonly path: string
  /** The part before the prefix: empty, or `/shop`. It is removed when forwarding. */
  readonly pathPrefix: string
  /** The cookie path that this point serves: `/` or `/shop`. */
  readonly cookiePath: string
}

export type PointFault = {
  readonly kind: 'invalid' | 'prefix'
  /** What is wrong, as a clause: "it has a query". */
  readonly reason: string
}

/**
 * Parses one URL as a continuation point.
 *
 * The raw text is checked first, because the WHATWG parser silently repairs what would never match on the wire (dot
 * segments, backslashes, tabs).
 */
export function parsePoint(text: string, prefix: string): Point | PointFault {
  const reason = invalidReason(text)
  if (reason !== undefined) return { kind: 'invalid', reason }
  const url = new URL(text)
  const path = toRequestedPath(url.pathname)
  if (!path.endsWith(prefix)) {
    return { kind: 'prefix', reason: `its path does not end with ${prefix}` }
  }
  if (path.indexOf(prefix) !== path.length - prefix.length) {
    return { kind: 'prefix', reason: `its path contains ${prefix} more than once` }
  }
  const pathPrefix = path.slice(0, path.length - prefix.length)
  return {
    url: `${url.origin}${path}`,
    origin: url.origin,
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    authority: url.host,
    host: url.hostname,
    path,
    pathPrefix,
    cookiePath: pathPrefix === '' ? '/' : pathPrefix,
  }
}

/** Distinguishes a point from a fault. */
export function isPoint(parsed: Point | PointFault): parsed is Point {
  return 'origin' in parsed
}

function invalidReason(text: string): string | undefined {
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return 'it contains white space, a control character or a backslash'
  const parts = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(text)
  if (parts === null) return 'it is not an absolute http or https URL'
  const [, , authority = '', path = '', query, fragment] = parts
  if (authority.includes('@')) return 'it has credentials'
  if (query !== undefined) return 'it has a query'
  if (fragment !== undefined) return 'it has a fragment'
  if (findDotSegment(path) !== undefined) return 'its path contains a dot segment'
  if (authority === '' || !canParseUrl(text)) return 'its host or port is not valid'
  return undefined
}
