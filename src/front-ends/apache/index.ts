import { NOT_STORED } from '../../forward/field-rules.ts'
import { indent, quoteDecodedRegex, quoteRegex } from '../config-text.ts'
import type { ForwardTarget, RouteTarget } from '../forward-target.ts'
import { groupByHost, type SiteOrigin, toSlug } from '../origins.ts'
import { type FrontEnd, keyStep, type Part, pointPart, removalPart } from '../part.ts'
import { type Site, toWaitMs } from '../site.ts'

export const apache: FrontEnd = {
  name: 'apache',
  title: 'Apache httpd',
  parts: renderParts,
  home: { folder: '/etc/apache2', file: 'apache2.conf' },
  apply: () => 'apachectl configtest && apachectl graceful',
  undo: 'remove the Include, run a2disconf continuation-point',
}

/** What a virtual host includes: a file for each host, one with what all points have in common, and the limits of the server. */
function renderParts(site: Site): readonly Part[] {
  const { target } = site
  const keys = keyStep(
    'httpd reads the widget keys from its environment, on Debian from envvars',
    site,
    (keyName) => `export ${keyName}=…`,
  )
  if (target.kind === 'route')
    return [...routeHosts(site, target), pointPart(POINT, site, keys, routeLines(site)), serverPart(site)]
  return [
    ...site.origins.map((origin) => forwardHost(site, target, origin)),
    pointPart(POINT, site, keys, forwardLines(site)),
    removalPart(SERVICE, site, {
      request: (name) => `RequestHeader unset ${name}`,
      response: (name) => `Header unset ${name}`,
    }),
    serverPart(site),
  ]
}

/** `serve` itself distinguishes the origins of a host. */
function routeHosts(site: Site, { host: serve, port }: RouteTarget): Part[] {
  const wait = ` timeout=${Math.ceil(toWaitMs(site) / 1000)}`
  return groupByHost(site.origins).map(({ host, paths }) =>
    hostPart(
      host,
      paths.flatMap((path) => location(path.slice(0, -1), '', `http://${serve}:${port}`, [], wait)),
    ),
  )
}

/** A virtual host may have several names, and then includes several of these; a name without the point is refused. */
function forwardHost(
  { origins }: Site,
  target: ForwardTarget,
  { url, authorities, points }: SiteOrigin,
): Part {
  const matchHosts = (hosts: readonly string[]) => `m!^(?:${hosts.map(quoteRegex).join('|')})$!i`
  const listHosts = (path: string) =>
    origins
      .filter((each) => each.points.some((point) => point.path === path))
      .flatMap((each) => each.authorities)
  const lines = points.flatMap(({ path, strippedPath, keyName }) =>
    location(path, strippedPath, `${target.scheme}://${target.authority}`, [
      ...section(`If "%{HTTP_HOST} =~ ${matchHosts(authorities)}"`, [
        `RequestHeader set X-Widget-Key "expr=%{osenv:${keyName}}"`,
        `RequestHeader set X-Continuation-Origin "${url}"`,
      ]),
      ...section(`If "%{HTTP_HOST} !~ ${matchHosts(listHosts(path))}"`, ['Require all denied']),
    ]),
  )
  return hostPart(url, ['# It would echo httpOnly cookies.', 'TraceEnable Off', ...lines])
}

function hostPart(name: string, lines: readonly string[]): Part {
  const file = `continuation-point/${toSlug(name)}.conf`
  return {
    file,
    about: `The continuation points of ${name}`,
    steps: [{ what: `In the virtual host of ${name}, before its other rules`, lines: [`Include ${file}`] }],
    lines: [
      '# An encoded slash in a path stays one.',
      'AllowEncodedSlashes NoDecode',
      '# Rules of the site that come later would give the points to its own pages.',
      'RewriteEngine On',
      ...lines,
    ],
  }
}

/**
 * A location without a slash at its end matches the path and everything below it, and keeps all slashes; that suits
 * `serve`, which adds a missing last slash. `nocanon` forwards the path as received. A path with special characters is
 * forwarded by a rule on the request line instead.
 */
function location(
  path: string,
  stripped: string,
  address: string,
  lines: readonly string[],
  wait = '',
): string[] {
  const inside = [...lines, `Include ${POINT}`]
  const kept = path.slice(stripped.length)
  if (/^[A-Za-z0-9/_.~-]+$/.test(path)) {
    return [
      `RewriteRule "^${quoteRegex(path)}" "-" [END]`,
      ...section(`Location ${path}`, [`ProxyPass ${address}${kept} nocanon ${WORKER}${wait}`, ...inside]),
    ]
  }
  const pattern = `${quoteRegex(stripped)}(${quoteRegex(kept)}[^?\\s]*)`
  return [
    `RewriteCond "%{THE_REQUEST}" "^\\S+ (?:https?://[^/ ]*)?${pattern}"`,
    `RewriteRule "^" "${address}%1" [P,NE]`,
    ...section(`LocationMatch "^${quoteDecodedRegex(path)}"`, inside),
  ]
}

function routeLines({ clientAddress }: Site): string[] {
  return [
    '# If TLS ends in front of httpd, write https instead of the variable.',
    'RequestHeader set X-Forwarded-Proto "expr=%{REQUEST_SCHEME}"',
    '# serve believes httpd, which sets X-Forwarded-For and -Host itself: a visitor’s own must not get through.',
    ...(clientAddress === 'omit' ? [] : ['RequestHeader unset X-Forwarded-For']),
    'RequestHeader unset X-Forwarded-Host',
    'RequestHeader unset Forwarded',
    '# httpd removes what Connection names after the headers are set here: a visitor could remove them.',
    'RequestHeader edit* Connection "(?i)x-(?:forwarded-proto|request-id)" ","',
    ...REQUEST_ID,
  ]
}

function forwardLines({ clientAddress }: Site): string[] {
  return [
    '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls, backslashes.',
    ...section(`If "%{THE_REQUEST} =~ m!${REFUSED}!i"`, ['Require all denied']),
    '# httpd adds no X-Forwarded-Host and -Server.',
    'ProxyAddHeaders Off',
    ...(clientAddress === 'omit' ? [] : ['RequestHeader set X-Forwarded-For "expr=%{REMOTE_ADDR}"']),
    ...REQUEST_ID,
    '# httpd removes what Connection names after the headers are set here: a visitor could remove them.',
    'RequestHeader edit* Connection "(?i)x-(?:widget-key|continuation-origin|forwarded-for|request-id)" ","',
    '# With a Link of a 103, httpd would push pages of the site.',
    'SetEnv proxy-interim-response Suppress',
    '# A response without Cache-Control must not be cached.',
    `Header setifempty Cache-Control "${NOT_STORED}"`,
    `Include ${SERVICE}`,
  ]
}

function serverPart({ headerBytes, target }: Site): Part {
  return {
    file: 'conf-available/continuation-point.conf',
    about:
      'Every request carries cookies, so a request head may be large. Virtual hosts that are read before this file keep their limits',
    steps: [
      {
        what: 'Enable what the points need; conf-enabled has to be included before the virtual hosts, as on Debian',
        lines: [
          `a2enmod headers proxy_http rewrite unique_id${target.kind === 'forward' ? ' ssl' : ''}`,
          'a2enconf continuation-point',
        ],
      },
    ],
    lines: [
      `LimitRequestLine ${headerBytes}`,
      `LimitRequestFieldSize ${headerBytes}`,
      'LimitRequestFields 256',
      ...(target.kind === 'forward' && target.scheme === 'https' ? tls(target) : []),
    ],
  }
}

function tls({ authority, caFile }: ForwardTarget): string[] {
  return [
    '# The certificate is verified against the name; httpd does not do that by default.',
    ...section(`Proxy "https://${authority}"`, [
      'SSLProxyEngine On',
      'SSLProxyVerify require',
      'SSLProxyVerifyDepth 8',
      `SSLProxyCACertificateFile "${caFile}"`,
    ]),
  ]
}

/** `head` begins with the name of the section. */
function section(head: string, lines: readonly string[]): string[] {
  return [`<${head}>`, ...indent(lines), `</${head.split(' ', 1)}>`]
}

const REQUEST_ID = ['# A new one, not the visitor’s.', 'RequestHeader set X-Request-Id "%{UNIQUE_ID}e"']
const POINT = 'continuation-point/point.conf'
const SERVICE = 'continuation-point/service.conf'
/** A reused connection would not resolve the name again, and a failure would disable the point for a minute. */
const WORKER = 'disablereuse=On retry=0'

const REFUSED = String.raw`^\S+ [^?\s]*(?:(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|\s)|\x5c|%0a|%0d|%00|#)`
