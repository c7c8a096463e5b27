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
  const origins = new Map(parsed.map(({ point }) => [point.origin, point]))
  return [...origins].map(([url, { scheme, host, authority }]) => ({
    /** The value of X-Continuation-Origin. */
    url,
    scheme,
    /** Without port; an IPv6 literal keeps its brackets. */
    host,
    /** The Host values that a client may send: without and with the default port. */
    authorities: authority === host ? [host, `${host}:${DEFAULT_PORT[scheme]}`] : [authority],
    points: parsed
      .filter(({ point }) => point.origin === url)
      .map(({ point, config }) => ({
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
  return [...new Set(origins.map(({ host }) => host))].map((host) => {
    const own = origins.filter((origin) => origin.host === host)
    return {
      host,
      authorities: [...new Set(own.flatMap(({ authorities }) => authorities))],
      paths: [...new Set(own.flatMap(({ points }) => points.map(({ path }) => path)))],
    }
  })
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
