import type { Config } from '../config/config.ts'
import type { OrProblems } from '../config/problem.ts'
import { DEFAULT_PORT, parseAuthority } from '../http/authority.ts'
import { findPlainHttp, isIpHost, toCanonicalHost } from '../http/host.ts'

/** The address of the service for a front end. */
export interface ForwardTarget {
  readonly kind: 'forward'
  readonly scheme: 'http' | 'https'
  /** An IPv6 literal keeps its brackets. */
  readonly host: string
  readonly port: number
  /** The Host that the service expects. */
  readonly authority: string
  /** `name` if it has to be resolved, `address` if it is one. */
  readonly hostKind: 'name' | 'address' | 'localhost'
  /** File of the authorities that the service's certificate is verified against. */
  readonly caFile: string
}

/** Checks that a config has what a front end needs in forward mode. */
export function parseForwardTarget(config: Config): Parsed<ForwardTarget> {
  const { service, points, widgetKey, forward } = config
  const { url, ca, location } = service
  const plain = url === undefined ? undefined : findPlainHttp(new URL(url), 'every cookie')
  const problems = [
    url === undefined && {
      location,
      message: 'service.url is missing: it names the service that requests are forwarded to',
      expected: 'an origin such as https://cobrowse.example.net, here or in CONTINUATION_SERVICE_URL',
    },
    plain !== undefined && { location, message: `service.url is ${plain}`, expected: 'an https URL' },
    ...points
      .filter((point) => (point.widgetKey ?? widgetKey) === undefined)
      .map((point) => ({
        location: point.location,
        message: 'this point has no widget key: the service would not know the account',
        expected: 'a widgetKey here or for the whole config, such as "env:WIDGET_KEY"',
      })),
    ca !== undefined &&
      ca.kind !== 'file' && {
        location: ca.location,
        message: 'a web server or proxy reads certificate authorities only from a file on its own machine',
        expected: '"file:/path" to PEM text',
      },
    ca?.kind === 'file' &&
      !PLAIN_PATH.test(ca.path) && {
        location: ca.location,
        message: 'the path contains a character that has a meaning in their configs',
        expected: 'a path without quotes, backslashes, braces, dollar and percent signs',
      },
    forward.cookies !== 'all' && {
      location: { file: location.file, pointer: '/forward/cookies' },
      message: "web servers and proxies forward every cookie: they can't select some of a Cookie line",
      expected: '"all", or --mode route, where serve picks them',
    },
  ].filter((each) => each !== false)
  if (url === undefined || problems.length > 0) return { problems }
  const { protocol, hostname, port, host } = new URL(url)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return {
    target: {
      kind: 'forward',
      scheme,
      host: hostname,
      port: port === '' ? DEFAULT_PORT[scheme] : Number(port),
      authority: host,
      hostKind: hostname === 'localhost' ? 'localhost' : isIpHost(hostname) ? 'address' : 'name',
      caFile: ca?.kind === 'file' ? ca.path : SYSTEM_CA_FILE,
    },
  }
}

/** The bundle of Debian's ca-certificates, the same path on Alpine and Arch. */
export const SYSTEM_CA_FILE = '/etc/ssl/certs/ca-certificates.crt'
const PLAIN_PATH = /^[^\p{Cc}"'`\\{}$%#]+$/u

/** The address of `serve` for a front end. */
export interface RouteTarget {
  readonly kind: 'route'
  /** An IPv6 literal keeps its brackets. */
  readonly host: string
  readonly port: number
}

/** Parses `HOST:PORT` of `serve`; without it, uses the address of the config. */
export function parseRouteTarget(config: Config, upstream: string | undefined): Parsed<RouteTarget> {
  const { listen, pointsLocation } = config
  const { host, port } = parseAuthority(upstream ?? chooseListenAuthority(config)) ?? {}
  const isClear = host !== undefined && toCanonicalHost(host) !== undefined && Boolean(port)
  const expected = 'where serve listens, such as 127.0.0.1:8080 or [::1]:8080'
  const problems = [
    !isClear &&
      upstream === undefined && {
        location: { file: pointsLocation.file, pointer: '/listen' },
        message: 'listen does not say under which address and port a web server or proxy reaches serve',
        expected: `a fixed port, or --upstream: ${expected}`,
      },
    !isClear &&
      upstream !== undefined && {
        location: { file: 'command line', pointer: '--upstream' },
        message: 'this does not have the form HOST:PORT',
        expected,
      },
    listen.tls !== undefined && {
      location: listen.tls.cert.location,
      message:
        'a web server or proxy routes to serve in plain HTTP, and listen.tls makes serve listen with TLS',
      expected: 'no listen.tls if a web server or proxy is in front of serve',
    },
  ].filter((each) => each !== false)
  if (host === undefined || port === undefined || problems.length > 0) return { problems }
  return { target: { kind: 'route', host, port } }
}

type Parsed<Target> = OrProblems<{ readonly target: Target }>

/** A listener on all addresses is reached on loopback. */
function chooseListenAuthority({ listen: { host, port } }: Config): string {
  if (host === '0.0.0.0') return `127.0.0.1:${port}`
  if (host === '::') return `[::1]:${port}`
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
