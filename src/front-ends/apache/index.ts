import { NOT_STORED, OWNED } from '../../forward/field-rules.ts'
import { HOP_BY_HOP_NAMES } from '../../http/hop-by-hop.ts'
import { RESPONSE_REMOVED, requestRemoved, underscoreAliases } from '../fields.ts'
import type { ForwardTarget } from '../forward-target.ts'
import type { FrontEnd } from '../front-end.ts'
import { element, separate } from '../indent.ts'
import { groupByHost, type SiteOrigin, toSlug } from '../origins.ts'
import { keyStep, type Part, pointPart } from '../part.ts'
import { quoteDecodedRegex, quoteRegex } from '../quote.ts'
import { type Site, toTargetUrl, toWaitMs } from '../site.ts'

export const apache: FrontEnd = {
  name: 'apache',
  title: 'Apache httpd',
  parts: renderParts,
  home: { folder: '/etc/apache2', file: 'apache2.conf' },
  lastStep: () => ({
    what: 'Then test the config and reload it',
    lines: ['apachectl configtest && apachectl graceful'],
  }),
}

/** What a virtual host includes: a file for each host, one with what all points have in common, and the limits of the server. */
function renderParts(site: Site): readonly Part[] {
  const isRoute = site.target.kind === 'route'
  const keys = keyStep(
    'httpd reads the widget keys from its environment, on Debian from envvars',
    site,
    (keyName) => `export ${keyName}=…`,
  )
  const groups = isRoute ? routeGroups(site) : forwardGroups(site)
  return [
    ...(isRoute ? routeHosts(site) : site.origins.map((origin) => forwardHost(site, origin))),
    pointPart(POINT, site, keys, separate([...groups, QUIET])),
    serverPart(site),
  ]
}

/** `serve` itself distinguishes the origins of a host. */
function routeHosts(site: Site): Part[] {
  const wait = ` timeout=${Math.ceil(toWaitMs(site) / 1000)}`
  return groupByHost(site.origins).map(({ host, paths }) =>
    hostPart(
      host,
      paths.flatMap((path) => location(path.slice(0, -1), '', toTargetUrl(site.target), [], wait)),
    ),
  )
}

/** A virtual host may have several names, and then includes several of these; a name without the point is refused. */
function forwardHost({ origins, target }: Site, { url, authorities, points }: SiteOrigin): Part {
  const matchHosts = (hosts: readonly string[]) => `m!^(?:${hosts.map(quoteRegex).join('|')})$!i`
  const listHosts = (path: string) =>
    origins
      .filter((each) => each.points.some((point) => point.path === path))
      .flatMap((each) => each.authorities)
  const lines = points.flatMap(({ path, strippedPath, keyName }) =>
    location(path, strippedPath, toTargetUrl(target), [
      ...element(`If "%{HTTP_HOST} =~ ${matchHosts(authorities)}"`, [
        `RequestHeader set X-Widget-Key "expr=%{osenv:${keyName}}"`,
        `RequestHeader set X-Continuation-Origin "${url}"`,
      ]),
      ...element(`If "%{HTTP_HOST} !~ ${matchHosts(listHosts(path))}"`, ['Require all denied']),
    ]),
  )
  return hostPart(url, ['TraceEnable Off', ...lines])
}

function hostPart(name: string, lines: readonly string[]): Part {
  const file = `continuation-point/${toSlug(name)}.conf`
  return {
    file,
    about: `The continuation points of ${name}`,
    steps: [{ what: `In the virtual host of ${name}, before its other rules`, lines: [`Include ${file}`] }],
    lines: ['AllowEncodedSlashes NoDecode', 'RewriteEngine On', ...lines],
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
      // Rules of the site that come later would give the path to its own pages.
      `RewriteRule "^${quoteRegex(path)}" "-" [END]`,
      ...element(`Location ${path}`, [`ProxyPass ${address}${kept} nocanon ${WORKER}${wait}`, ...inside]),
    ]
  }
  const pattern = `${quoteRegex(stripped)}(${quoteRegex(kept)}[^?\\s]*)`
  return [
    `RewriteCond "%{THE_REQUEST}" "^\\S+ (?:https?://[^/ ]*)?${pattern}"`,
    `RewriteRule "^" "${address}%1" [P,NE]`,
    ...element(`LocationMatch "^${quoteDecodedRegex(path)}"`, inside),
  ]
}

function routeGroups({ clientAddress }: Site): string[][] {
  return [
    [
      '# If TLS ends in front of httpd, write https instead of the variable.',
      'RequestHeader set X-Forwarded-Proto "expr=%{REQUEST_SCHEME}"',
      '# serve trusts httpd, which adds X-Forwarded-* itself: a client’s own must not get through.',
      ...(clientAddress === 'omit' ? [] : ['RequestHeader unset X-Forwarded-For']),
      'RequestHeader unset X-Forwarded-Host',
      'RequestHeader unset Forwarded',
      ...CONNECTION_OPTIONS,
    ],
    REQUEST_ID,
  ]
}

function forwardGroups(site: Site): string[][] {
  // httpd removes the fields of a hop itself.
  const removed = requestRemoved(site).filter((name) => !HOP_BY_HOP_NAMES.includes(name))
  return [
    [
      '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls, backslashes.',
      ...element(`If "%{THE_REQUEST} =~ m!${REFUSED}!i"`, ['Require all denied']),
    ],
    [
      'ProxyAddHeaders Off',
      'ProxyPreserveHost Off',
      ...(site.clientAddress === 'omit' ? [] : ['RequestHeader set X-Forwarded-For "expr=%{REMOTE_ADDR}"']),
      ...CONNECTION_OPTIONS,
      '# A client’s own fields of these names are never forwarded.',
      ...[...OWNED, ...underscoreAliases(site), ...removed].map((name) => `RequestHeader unset ${name}`),
    ],
    REQUEST_ID,
    [
      '# These would affect more of the site than this response.',
      ...RESPONSE_REMOVED.map((name) => `Header unset ${name}`),
      '# A response without Cache-Control must not be cached.',
      `Header setifempty Cache-Control "${NOT_STORED}"`,
    ],
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
      '# One line for each request to a point, without query, address and Referer; the service gets the same id.',
      `GlobalLog "\${APACHE_LOG_DIR}/continuation-point.log" "%{%FT%T%z}t %{UNIQUE_ID}e %m %>s %D" env=continuation-point`,
      ...(target.kind === 'forward' && target.scheme === 'https' ? tls(target) : []),
    ],
  }
}

function tls({ authority, caFile }: ForwardTarget): string[] {
  return [
    '# The certificate is verified against the name; httpd does not do that by default.',
    ...element(`Proxy "https://${authority}"`, [
      'SSLProxyEngine On',
      'SSLProxyVerify require',
      'SSLProxyVerifyDepth 8',
      `SSLProxyCACertificateFile "${caFile}"`,
    ]),
  ]
}

const REQUEST_ID = [
  '# A new id for each request, whatever the client sent.',
  'RequestHeader set X-Request-Id "%{UNIQUE_ID}e"',
  'SetEnv continuation-point 1',
]
const POINT = 'continuation-point/point.conf'
/** A reused connection would not resolve the name again, and a failure would disable the point for a minute. */
const WORKER = 'disablereuse=On retry=0 responsefieldsize=65536'
const QUIET = [
  '# With a Link of a 103, httpd would push pages of the site.',
  'SetEnv proxy-interim-response Suppress',
  '# Messages below crit contain the client’s address and the Referer.',
  'LogLevel crit',
]
const CONNECTION_OPTIONS = [
  '# httpd removes what Connection lists after fields are set here: a client could remove ours. A comma is left, so that',
  '# no further name comes of what was on both sides.',
  'RequestHeader edit* Connection "(?i)x-(?:widget-key|continuation-origin|forwarded-[a-z]+|request-id)|cookie" ","',
]

const REFUSED = String.raw`^\S+ [^?\s]*(?:(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|\s)|\x5c|%0a|%0d|%00|#)`
