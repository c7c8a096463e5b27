import type { Secret } from '../config/secret.ts'
import type { Point } from './point.ts'

/** The point that owns a request, the point whose last slash the URL lacks, or why there is neither. */
export type Match =
  | { readonly kind: 'match' | 'bare-path'; readonly point: ServedPoint }
  | { readonly kind: 'unknown-authority' | 'other-scheme' | 'ambiguous-scheme' | 'unknown-path' }

/**
 * Decides which point owns a request.
 *
 * @param authority the request's authority, `host[:port]` in lower case
 * @param scheme the scheme, if TLS or a trusted proxy says it; otherwise the authority's only one in the config is used
 * @param path the raw path of the request-target, as it will be forwarded
 */
export function matchPoint(
  { byAuthority, prefix }: PointTable,
  authority: string,
  scheme: 'http' | 'https' | undefined,
  path: string,
): Match {
  const schemes = byAuthority.get(authority)
  if (schemes === undefined) return { kind: 'unknown-authority' }
  if (scheme === undefined && schemes.http !== undefined && schemes.https !== undefined)
    return { kind: 'ambiguous-scheme' }
  const points = scheme === undefined ? (schemes.https ?? schemes.http) : schemes[scheme]
  if (points === undefined) return { kind: 'other-scheme' }
  // The path of a point ends with the prefix and does not contain it twice, so only the part of `path` up to the end of
  // its first prefix can be a point's: one lookup is enough.
  const prefixAt = path.indexOf(prefix)
  const isBare = prefixAt === -1
  const point = points.get(isBare ? `${path}/` : path.slice(0, prefixAt + prefix.length))
  if (point === undefined) return { kind: 'unknown-path' }
  return { kind: isBare ? 'bare-path' : 'match', point }
}

/** A point with the key that forwarding needs. */
export interface ServedPoint extends Point {
  readonly widgetKey: Secret
}

/** Compiled once when the config is loaded; a lookup takes the same time for one point and for ten thousand. */
export interface PointTable {
  readonly prefix: string
  /** For each spelling of an authority (with or without the default port), the points of each scheme by their path. */
  readonly byAuthority: ReadonlyMap<string, AuthorityPoints>
}

interface AuthorityPoints {
  http?: Map<string, ServedPoint>
  https?: Map<string, ServedPoint>
}

/** Compiles points into the table for `matchPoint`. `prefix` is the service's, with both slashes. */
export function compilePoints(points: readonly ServedPoint[], prefix: string): PointTable {
  const byAuthority = new Map<string, AuthorityPoints>()
  for (const point of points) {
    for (const spelling of spellings(point)) {
      const authority = byAuthority.get(spelling) ?? {}
      byAuthority.set(spelling, authority)
      authority[point.scheme] ??= new Map()
      authority[point.scheme]?.set(point.path, point)
    }
  }
  return { prefix, byAuthority }
}

/** The authority without and with its default port: equivalent by RFC 9110 section 4.2.3. */
function spellings(point: Point): string[] {
  if (point.authority !== point.host) return [point.authority]
  return [point.authority, `${point.host}:${point.scheme === 'https' ? 443 : 80}`]
}
