import type { Config } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import { parseAuthority } from '../http/authority.ts'
import { PLAIN_HOST } from './origins.ts'

/** The address of `serve` for a front end. */
export interface RouteTarget {
  readonly kind: 'route'
  /** An IPv6 literal keeps its brackets. */
  readonly host: string
  readonly port: number
}

/** Parses `HOST:PORT` of `serve`; without it, uses the address of the config. */
export function toRouteTarget(
  config: Config,
  upstream: string | undefined,
): { readonly target: RouteTarget } | { readonly problems: readonly Problem[] } {
  const { listen, pointsLocation } = config
  const authority = parseAuthority(upstream ?? toListenAuthority(config))
  const problems: Problem[] = []
  if (authority?.port === undefined || authority.port === 0 || !PLAIN_HOST.test(authority.host)) {
    const expected = 'where serve listens, such as 127.0.0.1:8080 or [::1]:8080'
    const inConfig = {
      location: { file: pointsLocation.file, pointer: '/listen' },
      message: 'listen does not say under which address and port a front end reaches serve',
      expected: `a fixed port, or --upstream: ${expected}`,
    }
    const location = { file: 'command line', pointer: '--upstream' }
    problems.push(upstream === undefined ? inConfig : { location, message: 'this is no HOST:PORT', expected })
  }
  if (listen.tls !== undefined) {
    problems.push({
      location: listen.tls.cert.location,
      message: 'a front end routes to serve in plain HTTP, and listen.tls makes serve listen with TLS',
      expected: 'no listen.tls where a front end stands before serve',
    })
  }
  if (authority?.port === undefined || problems.length > 0) return { problems }
  return { target: { kind: 'route', host: authority.host, port: authority.port } }
}

/** A listener on all addresses is reached on loopback. */
function toListenAuthority({ listen: { host, port } }: Config): string {
  if (host === '0.0.0.0') return `127.0.0.1:${port}`
  if (host === '::') return `[::1]:${port}`
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
