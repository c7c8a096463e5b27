import type { PointConfig } from '../config/config.ts'
import { DEFAULT_PORT } from '../http/authority.ts'
import type { ParsedPoint } from '../points/parse-points.ts'

export type SiteOrigin = Readonly<ReturnType<typeof groupByOrigin>[number]>

/** Groups points by origin, both in the order of the config. */
export function groupByOrigin(
  parsed: readonly ParsedPoint[],
  keepCookiePath: boolean,
  nameKey: (point: PointConfig) => string,
) {
  return groupBy(parsed, ({ point }) => point.origin).map(([{ point: first }, own]) => ({
    /** The value of X-Continuation-Origin. */
    url: first.origin,
    scheme: first.scheme,
    /** Without port; an IPv6 literal keeps its brackets. */
    host: first.host,
    /** The Host values that a client may send: without and with the default port. */
    authorities:
      first.authority === first.host
        ? [first.host, `${first.host}:${DEFAULT_PORT[first.scheme]}`]
        : [first.authority],
    points: own.map(({ point, config }) => ({
      /** What a request-target of this point starts with, undecoded. */
      path: point.path,
      /** The part that is removed before forwarding: empty, or `/shop`. */
      strippedPath: keepCookiePath ? '' : point.pathPrefix,
      /** Name under which the front end finds the widget key, if it needs it; the key itself is never rendered. */
      keyName: nameKey(config),
    })),
  }))
}

export type SiteHost = Readonly<ReturnType<typeof groupByHost>[number]>

/** The points of each host, for front ends that leave it to `serve` to tell its origins apart. */
export function groupByHost(origins: readonly SiteOrigin[]) {
  return groupBy(origins, ({ host }) => host).map(([{ host }, own]) => ({
    host,
    authorities: [...new Set(own.flatMap(({ authorities }) => authorities))],
    paths: [...new Set(own.flatMap(({ points }) => points.map(({ path }) => path)))],
  }))
}

/** The items with the same key, each group with its first one. */
function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [first: T, own: T[]])[] {
  const groups = new Map<string, readonly [first: T, own: T[]]>()
  for (const item of items) {
    const known = groups.get(keyOf(item))
    if (known === undefined) groups.set(keyOf(item), [item, [item]])
    else known[1].push(item)
  }
  return [...groups.values()]
}

export function listKeyNames(origins: readonly Pick<SiteOrigin, 'points'>[]): string[] {
  return [...new Set(origins.flatMap(({ points }) => points.map(({ keyName }) => keyName)))]
}

/** A host, or the URL of an origin, as part of a file's name. */
export function toSlug(name: string): string {
  return name
    .replace(/^https:\/\//, '')
    .replace('://', '-')
    .replace(/[^A-Za-z0-9.-]/g, '_')
}
