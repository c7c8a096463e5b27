import type { PointConfig } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import { isPoint, type Point, parsePoint } from './point.ts'

/** A point with the config entry that it was parsed from. */
export interface ParsedPoint {
  readonly point: Point
  readonly config: PointConfig
}

/**
 * Parses all points of a config, for a command that can't continue with an invalid one: `url/invalid`, `url/prefix` and
 * `url/duplicate` of the checker, all problems at once.
 */
export function parsePoints(
  points: readonly PointConfig[],
  prefix: string,
): { readonly points: readonly ParsedPoint[] } | { readonly problems: readonly Problem[] } {
  const parsed: ParsedPoint[] = []
  const problems: Problem[] = []
  const seen = new Map<string, PointConfig>()
  for (const config of points) {
    const point = parsePoint(config.url, prefix)
    if (!isPoint(point)) {
      problems.push({
        location: config.location,
        message: `this is not a continuation point: ${point.reason} (url/${point.kind})`,
        expected: `scheme://host[/cookie-path]${prefix}`,
      })
      continue
    }
    const twin = seen.get(point.url)
    if (twin !== undefined) {
      problems.push({
        location: config.location,
        message: `this continuation point is listed already at ${twin.location.pointer} (url/duplicate): remove one of the two`,
      })
      continue
    }
    seen.set(point.url, config)
    parsed.push({ point, config })
  }
  return problems.length > 0 ? { problems } : { points: parsed }
}
