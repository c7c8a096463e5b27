import { NOT_STORED } from '../../forward/field-rules.ts'
import type { ForwardTarget, RouteTarget } from '../forward-target.ts'
import { block, separate } from '../indent.ts'
import type { SiteOrigin } from '../origins.ts'
import { keyStep, type Part, pointPart } from '../part.ts'
import { quoteDecodedRegex, quoteNginx, quoteRegex } from '../quote.ts'
import { type Site, toWaitMs } from '../site.ts'
import { servicePart } from './service.ts'

/** What an nginx that serves the site already includes: the locations, a snippet with what all points have in common, and maps and limits. */
export function renderParts(site: Site): readonly Part[] {
  const { target } = site
  const keys = keyStep(
    'Put the widget key into a file that only root may read, as this line',
    site,
    (keyName) => `${renderKeyFile(keyName)}:   set $continuation_widget_key "the key";`,
  )
  const groups = target.kind === 'route' ? routeGroups(site, target) : forwardGroups(site, target)
  return [
    locationsPart(site),
    pointPart(SNIPPET, site, keys, separate([...groups, passThrough(site), QUIET])),
    ...(target.kind === 'route' ? [] : [servicePart(site, target)]),
    httpPart(site),
  ]
}

/**
 * One file for all origins, since a server block may have several names, schemes and ports. `serve` distinguishes them, and
 * so does `$continuation_path`, which is empty for an origin without the point.
 */
function locationsPart({ origins, target }: Site): Part {
  const list = origins.map(({ url }) => url).join(', ')
  const paths = [...new Set(origins.flatMap(({ points }) => points.map(({ path }) => path)))]
  return {
    file: LOCATIONS,
    about: `The continuation points of ${list}`,
    steps: [{ what: `Once in each server block that serves ${list}`, lines: [`include ${LOCATIONS};`] }],
    lines: paths.flatMap((path) =>
      block(`location ${renderLocationMatch(path)}`, [
        ...(target.kind === 'route' ? [] : renderKeyLines(path, origins)),
        `include ${SNIPPET};`,
      ]),
    ),
  }
}

/** Origins may have a path in common whose keys differ. */
function renderKeyLines(path: string, origins: readonly SiteOrigin[]): string[] {
  const keys = origins.flatMap(({ url, points }) =>
    points.filter((point) => point.path === path).map(({ keyName }) => ({ url, keyName })),
  )
  const [one = '', ...more] = new Set(keys.map(({ keyName }) => keyName))
  if (more.length === 0) return [`include ${renderKeyFile(one)};`]
  return keys.flatMap(({ url, keyName }) =>
    block(`if ($continuation_origin = "${url}")`, [`include ${renderKeyFile(keyName)};`]),
  )
}

function routeGroups(site: Site, { host, port }: RouteTarget): string[][] {
  return [
    renderRefusal('$continuation_host = ""', 400),
    [
      `proxy_pass http://${host}:${port};`,
      'proxy_http_version 1.1;',
      'proxy_set_header Host $continuation_host;',
      '# If TLS ends in front of nginx, write https instead of $scheme.',
      'proxy_set_header X-Forwarded-Proto $scheme;',
      ...(site.clientAddress === 'omit' ? [] : ['proxy_set_header X-Forwarded-For $remote_addr;']),
      '# serve trusts nginx: a client’s own fields must not get through.',
      'proxy_set_header X-Forwarded-Host "";',
      'proxy_set_header Forwarded "";',
      ...REQUEST_ID,
      '# serve times out first, and its answer says why.',
      `proxy_read_timeout ${toWaitMs(site)}ms;`,
    ],
  ]
}

function forwardGroups({ connectMs, headersMs, clientAddress, nameServers }: Site, target: ForwardTarget) {
  const { scheme, host, port, authority, hostKind } = target
  const isLocal = host === 'localhost'
  return [
    renderRefusal('$continuation_path = ""', 404),
    [
      ...(hostKind === 'address' || isLocal
        ? []
        : [
            '# Resolved again when the DNS record expires, by the name servers of the machine that wrote this.',
            `resolver ${nameServers.join(' ')};`,
          ]),
      `proxy_pass ${scheme}://${isLocal ? `127.0.0.1:${port}` : authority}$continuation_path;`,
      'proxy_http_version 1.1;',
      'proxy_set_header X-Widget-Key $continuation_widget_key;',
      'proxy_set_header X-Continuation-Origin $continuation_origin;',
      ...(clientAddress === 'omit' ? [] : ['proxy_set_header X-Forwarded-For $remote_addr;']),
      ...REQUEST_ID,
      `proxy_connect_timeout ${connectMs}ms;`,
      `proxy_read_timeout ${headersMs}ms;`,
    ],
  ]
}

function passThrough({ target, bodyBytes }: Site): string[] {
  const isRoute = target.kind === 'route'
  return [
    ...(isRoute
      ? []
      : ['# Verifies the service, and lists the fields that do not pass.', `include ${SERVICE};`]),
    'proxy_redirect off;',
    'proxy_cache off;',
    '# Requests are buffered, so slow clients hold no connection; responses go on as they come.',
    'proxy_buffering off;',
    'proxy_buffer_size 64k;',
    'proxy_buffers 4 64k;',
    `client_max_body_size ${isRoute ? 0 : (bodyBytes ?? 0)};`,
  ]
}

/**
 * A server block may have a limit of its own, and nginx refuses two in one block. The default server's is for what comes
 * before Host, such as a long query, the block's own for what comes after it.
 */
function httpPart({ headerBytes, target, origins }: Site): Part {
  const limit = `large_client_header_buffers ${LARGE_HEADS} ${headerBytes};`
  return {
    file: 'conf.d/continuation-point.conf',
    about: 'Goes into http { }, where most packages of nginx include conf.d/*.conf',
    steps: [{ what: SMALLER, lines: [limit] }],
    lines: separate([
      [
        '# Every request carries cookies. If http { } has this line already, raise that one and delete this one.',
        limit,
      ],
      ...(target.kind === 'route' ? [HOST_MAP] : forwardMaps(origins)),
      [
        '# One line for each request to a point; the service gets the same id, and the log of serve has it.',
        "log_format continuation_point '$time_iso8601 $request_id $request_method $status $request_time';",
      ],
    ]),
  }
}

function forwardMaps(origins: readonly SiteOrigin[]): string[][] {
  return [
    [
      '# Where a host has several origins, scheme and port decide. If TLS ends in front of nginx, write https instead of $scheme.',
      ...renderOriginMap(origins),
    ],
    [
      '# What the service gets: the path as received, without the cookie path. nginx itself matches decoded ones.',
      ...renderPathMap(origins),
    ],
    [
      '# A response without Cache-Control must not be cached.',
      `map $upstream_http_cache_control $continuation_cache_control { "" "${NOT_STORED}"; }`,
    ],
  ]
}

function renderKeyFile(keyName: string): string {
  return `continuation-point/${keyName}.conf`
}

/** nginx matches decoded paths: a path with encoded bytes is matched by a pattern of bytes. */
function renderLocationMatch(path: string): string {
  return path.includes('%') ? `~ "^${quoteDecodedRegex(path)}"` : `^~ ${quoteNginx(path)}`
}

/** Sets `$continuation_origin`: by the host alone if it has one origin, else by the scheme, and by the port if need be. */
function renderOriginMap(origins: readonly SiteOrigin[]): string[] {
  const entries = origins.map(({ url, scheme, host, authorities }) => {
    const others = origins.filter((other) => other.host === host && other.url !== url)
    const start = others.length === 0 ? '' : `^${scheme}`
    const isOneOfPorts = others.some((other) => other.scheme === scheme)
    const port = isOneOfPorts ? `${authorities.at(-1)?.slice(host.length)}$` : ':'
    return `"~${start}${quoteRegex(`://${host}`)}${port}" ${url};`
  })
  return block('map $scheme://$host:$server_port $continuation_origin', entries)
}

/** Sets `$continuation_path`, the path for the service; empty if the origin, or the path as received, has no point. */
function renderPathMap(origins: readonly SiteOrigin[]): string[] {
  const entries = origins.flatMap(({ url, points }) =>
    points.map(({ path, strippedPath }) => {
      const kept = quoteRegex(path.slice(strippedPath.length))
      return `"~^${quoteRegex(`${url}${strippedPath}`)}(?<continuation_rest>${kept}.*)$" $continuation_rest;`
    }),
  )
  return block('map $continuation_origin$request_uri $continuation_path', [`"~*${REFUSED}" "";`, ...entries])
}

/** A response of nginx itself; `return` is the only safe directive in an `if` inside a location. */
function renderRefusal(condition: string, status: number): string[] {
  return block(`if (${condition})`, [`return ${status};`])
}

/** What servers interpret differently: dot segments in any encoding, backslashes, encoded controls, a number sign. */
const REFUSED = String.raw`^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e){1,2}(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)|#`

/** Empty where Host names another host than a target that is a whole URL, by which nginx chooses the site. */
const HOST_MAP = [
  '# Host as received, port included; with HTTP/3 nginx has it only in $host. Empty if the target is a URL of another host.',
  ...block('map "$host $http_host" $continuation_host', [
    String.raw`"~*^(\S+) \1\.?(?::\d+)?$" $http_host;`,
    String.raw`"~^\S+ $" $host:$server_port;`,
  ]),
]
const REQUEST_ID = [
  '# A new id for each request, whatever the client sent.',
  'proxy_set_header X-Request-Id $request_id;',
]
const QUIET = [
  '# The usual lines contain the query, the client’s address and the Referer, so neither log has them.',
  'access_log /var/log/nginx/continuation-point.log continuation_point;',
  'error_log /var/log/nginx/error.log crit;',
]
const SMALLER = 'Only where a server block, or the default one of its port, has a smaller limit of its own'
const LOCATIONS = 'snippets/continuation-point-locations.conf'
const SNIPPET = 'snippets/continuation-point.conf'
const SERVICE = 'snippets/continuation-point-service.conf'
/** How many lines of a head may have the maximum length. */
const LARGE_HEADS = 8
