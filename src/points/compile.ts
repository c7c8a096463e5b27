import type { Secret } from '../config/secret.ts'
import type { Point } from './point.ts'

/** A point with the key that forwarding needs. */
export interface ServedPoint extends Point {
  readonly widgetKey: Secret
}

export interface OriginPoints {
  readonly byPath: ReadonlyMap<string, ServedPoint>
  /** The same points by their path without its last slash. */
  readonly byBarePath: ReadonlyMap<string, ServedPoint>
}

/** The points of one authority, in one of its spellings (with or without the default port). */
export interface AuthorityPoints {
  readonly http?: OriginPoints
  readonly https?: OriginPoints
}

/** Compiled once when the config is loaded; a lookup takes the same time for one point and for ten thousand. */
export interface PointTable {
  readonly prefix: string
  readonly byAuthority: ReadonlyMap<string, AuthorityPoints>
}

/** Compiles points into the table for `matchPoint`. `prefix` is the service's, with both slashes. */
export function compilePoints(points: readonly ServedPoint[], prefix: string): PointTable {
  const byAuthority = new Map<string, { http?: MutableOriginPoints; https?: MutableOriginPoints }>()
  for (const point of points) {
    for (const spelling of spellings(point)) {
      const authority = byAuthority.get(spelling) ?? {}
      byAuthority.set(spelling, authority)
      const origin = authority[point.scheme] ?? { byPath: new Map(), byBarePath: new Map() }
      authority[point.scheme] = origin
      origin.byPath.set(point.path, point)
      origin.byBarePath.set(point.path.slice(0, -1), point)
    }
  }
  return { prefix, byAuthority }
}

interface MutableOriginPoints {
  byPath: Map<string, ServedPoint>
  byBarePath: Map<string, ServedPoint>
}

/** The authority without and with its default port: equivalent by RFC 9110 section 4.2.3. */
function spellings(point: Point): string[] {
  if (point.authority !== point.host) return [point.authority]
  return [point.authority, `${point.host}:${point.scheme === 'https' ? 443 : 80}`]
}
