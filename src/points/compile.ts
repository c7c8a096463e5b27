import type { Secret } from '../config/secret.ts'
import type { Point } from './point.ts'

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
