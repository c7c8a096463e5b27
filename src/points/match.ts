import type { OriginPoints, PointTable, ServedPoint } from './compile.ts'

/** A request that a point owns. */
export interface Match {
  readonly kind: 'match'
  readonly point: ServedPoint
}

/** A request that no point owns, and why. */
export type Mismatch =
  | { readonly kind: 'unknown-authority' }
  | { readonly kind: 'other-scheme' }
  | { readonly kind: 'ambiguous-scheme' }
  | { readonly kind: 'unknown-path' }
  /** The URL of a point without its last slash. */
  | { readonly kind: 'bare-path'; readonly point: ServedPoint }

/**
 * Decides which point owns a request.
 *
 * @param authority the request's authority, `host[:port]` in lower case
 * @param scheme the scheme, if TLS or a trusted proxy says it; otherwise the authority's only one in the config is used
 * @param path the raw path of the request-target, as it will be forwarded
 */
export function matchPoint(
  table: PointTable,
  authority: string,
  scheme: 'http' | 'https' | undefined,
  path: string,
): Match | Mismatch {
  const schemes = table.byAuthority.get(authority)
  if (schemes === undefined) return UNKNOWN_AUTHORITY
  if (scheme === undefined && schemes.http !== undefined && schemes.https !== undefined)
    return AMBIGUOUS_SCHEME
  const origin = scheme === undefined ? (schemes.https ?? schemes.http) : schemes[scheme]
  if (origin === undefined) return OTHER_SCHEME
  return matchPath(origin, table.prefix, path)
}

/**
 * The path of a point ends with the prefix and does not contain it twice, so only the part of `path` up to the end of
 * its first prefix can be a point's: one lookup is enough.
 */
function matchPath(origin: OriginPoints, prefix: string, path: string): Match | Mismatch {
  const prefixAt = path.indexOf(prefix)
  if (prefixAt !== -1) {
    const point = origin.byPath.get(path.slice(0, prefixAt + prefix.length))
    return point === undefined ? UNKNOWN_PATH : { kind: 'match', point }
  }
  const bare = origin.byBarePath.get(path)
  return bare === undefined ? UNKNOWN_PATH : { kind: 'bare-path', point: bare }
}

const UNKNOWN_AUTHORITY: Mismatch = { kind: 'unknown-authority' }
const OTHER_SCHEME: Mismatch = { kind: 'other-scheme' }
const AMBIGUOUS_SCHEME: Mismatch = { kind: 'ambiguous-scheme' }
const UNKNOWN_PATH: Mismatch = { kind: 'unknown-path' }
