import type { Config, PointConfig } from '../config/config.ts'
import type { OrProblems, Problem } from '../config/problem.ts'
import { parsePoints } from '../points/parse-points.ts'
import {
  type ForwardTarget,
  parseForwardTarget,
  parseRouteTarget,
  type RouteTarget,
} from './forward-target.ts'
import { groupByOrigin, type SiteOrigin } from './origins.ts'

/** The input of every front end: the config from a front end's point of view. */
export interface Site
  extends Pick<Config['timeouts'], 'connectMs' | 'headersMs' | 'idleMs'>,
    Pick<Config['limits'], 'headerBytes' | 'bodyBytes'> {
  readonly origins: readonly SiteOrigin[]
  readonly target: RouteTarget | ForwardTarget
  readonly clientAddress: 'append' | 'omit'
  /** Name servers, for a front end that doesn't read them from the system; IPv6 in brackets. */
  readonly nameServers: readonly string[]
}

/** How long a front end waits: for `serve` longer than it may wait, for a connection and for the service, since its answer says what happened. */
export function toWaitMs({ target, connectMs, headersMs, idleMs }: Site): number {
  const longest = Math.max(headersMs, idleMs)
  return target.kind === 'forward' ? longest : connectMs + headersMs + longest + 5_000
}

/** Options besides the config. */
export interface SiteRequest {
  readonly mode: 'route' | 'forward'
  /** `HOST:PORT` of `serve`, if it differs from the config; used only in `route` mode. */
  readonly upstream: string | undefined
  readonly nameServers: readonly string[]
}

/** Checks that a config has what the mode needs, and reports all problems at once. Secrets stay references. */
export function resolveSite(
  config: Config,
  { mode, upstream, nameServers }: SiteRequest,
): OrProblems<{ readonly site: Site }> {
  const parsed = parsePoints(config.points, config.service.prefix)
  const target = mode === 'route' ? parseRouteTarget(config, upstream) : parseForwardTarget(config)
  const points = 'problems' in parsed ? [] : parsed.points
  // serve removes the cookie path itself.
  const keepsPath = mode === 'route' || config.service.keepCookiePath
  const origins = groupByOrigin(points, keepsPath, compileKeyNames(config))
  const problems = [
    ...('problems' in parsed ? parsed.problems : points.length === 0 ? [noPoint(config)] : []),
    ...('problems' in target ? target.problems : []),
  ]
  if ('problems' in target || problems.length > 0) return { problems }
  const { forward, timeouts, limits } = config
  return {
    site: {
      origins,
      target: target.target,
      clientAddress: forward.clientAddress,
      ...timeouts,
      ...limits,
      nameServers,
    },
  }
}

/**
 * Parses the name servers of a resolv.conf (resolv.conf(5)), IPv6 in brackets. An address with a zone is omitted: no front
 * end accepts it. If there are none, returns the address of systemd-resolved.
 */
export function parseNameServers(resolvConf: string): readonly string[] {
  const addresses = [...resolvConf.matchAll(/^[^\S\n]*nameserver[^\S\n]+([0-9A-Fa-f:.]+)[^\S\n]*$/gm)].map(
    ([, address = '']) => (address.includes(':') ? `[${address}]` : address),
  )
  return addresses.length === 0 ? ['127.0.0.53'] : addresses
}

function noPoint({ service, pointsLocation }: Config): Problem {
  const expected = `a list of URLs such as https://www.example.com${service.prefix}, here or in CONTINUATION_POINTS`
  return { location: pointsLocation, message: 'there is no continuation point to render', expected }
}

/** Names the widget keys for a front end: a variable keeps its name, the config's own is WIDGET_KEY, the others are numbered. */
function compileKeyNames({ points, widgetKey }: Config): (point: PointConfig) => string {
  const references = [widgetKey, ...points.map((point) => point.widgetKey)]
  const taken = new Set(references.flatMap((each) => (each?.kind === 'env' ? [each.name] : [])))
  return (point) => {
    const reference = point.widgetKey ?? widgetKey
    if (reference === undefined) return ''
    if (reference.kind === 'env') return reference.name
    let name = point.widgetKey === undefined ? 'WIDGET_KEY' : `WIDGET_KEY_${points.indexOf(point) + 1}`
    while (taken.has(name)) name += '_'
    return name
  }
}
