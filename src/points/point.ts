import { parseHttpUrl, toRequestedPath } from '../http/url.ts'
import { findBaseUrlFault } from '../http/url-fault.ts'

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

export function parsePoint(text: string, prefix: string): Point | PointFault {
  const reason = findBaseUrlFault(text)
  if (reason !== undefined) return { kind: 'invalid', reason }
  const url = new URL(text)
  const path = toRequestedPath(url.pathname)
  if (!path.endsWith(prefix)) return { kind: 'prefix', reason: `its path does not end with ${prefix}` }
  if (path.indexOf(prefix) !== path.length - prefix.length)
    return { kind: 'prefix', reason: `its path contains ${prefix} more than once` }
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

/** The vendor's path that a URL ends with, in the service's form `/NAME_cookie_transfer/` (spec 4.9). */
export function findPrefix(url: string): string | undefined {
  const [prefix] = /\/[^/]+_cookie_transfer\/$/.exec(parseHttpUrl(url)?.pathname ?? '') ?? []
  return prefix
}

export function isPoint(parsed: Point | PointFault): parsed is Point {
  return 'origin' in parsed
}
