import type { Config } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import { parseAuthority } from '../http/authority.ts'
import { PLAIN_HOST } from './origins.ts'

/** `serve`, as a front end reaches it. */
export interface RouteTarget {
  readonly kind: 'route'
  /** An IPv6 literal keeps its brackets. */
  readonly host: string
  readonly port: number
}

/** Reads `HOST:PORT` of `serve`. */
export function toRouteTarget(
  { listen }: Config,
  upstream: string,
): { readonly target: RouteTarget } | { readonly problems: readonly Problem[] } {
  const authority = parseAuthority(upstream)
  const problems: Problem[] = []
  if (authority?.port === undefined || authority.port === 0 || !PLAIN_HOST.test(authority.host)) {
    problems.push({
      location: { file: 'command line', pointer: '--upstream' },
      message: 'this is no HOST:PORT',
      expected: 'where serve listens, such as 127.0.0.1:8080 or [::1]:8080',
    })
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
