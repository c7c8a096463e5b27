import type { PointTable, ServedPoint } from './compile.ts'

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
