import { NOT_STORED } from '../../forward/field-rules.ts'
import { OWNED_ALIASES, RESPONSE_REMOVED, requestRemoved } from '../fields.ts'
import type { ForwardTarget, RouteTarget } from '../forward-target.ts'
import { block, separate } from '../indent.ts'
import type { SiteOrigin } from '../origins.ts'
import { keyStep, type Part, pointPart } from '../part.ts'
import { RAW_REFUSED } from '../refused.ts'
import { type Site, toWaitMs } from '../site.ts'
import {
  LARGE_HEADS,
  NGINX_ORDERS,
  renderLocationMatch,
  renderOriginMap,
  renderPathMap,
  renderRefusal,
  tls,
} from './location.ts'

/** What an nginx that serves the site already includes: the locations, a snippet with what all points have in common, and maps and limits. */
export function renderParts(site: Site): readonly Part[] {
  const { target } = site
  const keys = keyStep(
    'Put the widget key into a file that only root may read, as this line',
    site,
    (keyName) => `${renderKeyFile(keyName)}:   set $continuation_widget_key "the key";`,
  )
  const groups = target.kind === 'route' ? routeGroups(site, target) : forwardGroups(site, target)
  return [locationsPart(site), pointPart(SNIPPET, site, keys, separate([...groups, QUIET])), httpPart(site)]
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
    [
      `proxy_pass http://${host}:${port};`,
      'proxy_http_version 1.1;',
      '# Host as received, port included; with HTTP/3 nginx has it only in $host.',
      'set $continuation_host $http_host;',
      'if ($http_host = "") { set $continuation_host $host:$server_port; }',
      '# nginx chooses the site by the host of a target that is a whole URL, so Host must not name another.',
      'set $continuation_hosts "$host $continuation_host";',
      ...renderRefusal(`$continuation_hosts !~* "^(\\S+) \\1\\.?(:\\d+)?$"`, 400),
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
      `proxy_send_timeout ${toWaitMs(site)}ms;`,
    ],
    [...passThrough('0', 'add_header Cache-Control "";'), 'proxy_hide_header X-Accel-Redirect;'],
  ]
}

function forwardGroups(site: Site, target: ForwardTarget): string[][] {
  const { scheme, host, port, authority, hostKind } = target
  const { connectMs, headersMs, idleMs, clientAddress } = site
  const isLocal = host === 'localhost'
  const removed = requestRemoved(site).filter((name) => !NGINX_REMOVES.includes(name))
  return [
    [
      '# Refused, since servers interpret them differently: dot segments in any encoding, backslashes, encoded controls.',
      ...renderRefusal(`$request_uri ~* "${RAW_REFUSED}"`, 400),
      ...renderRefusal('$continuation_path = ""', 404),
    ],
    [
      ...(hostKind === 'address' || isLocal
        ? []
        : [
            '# Resolved again when the DNS record expires, by the name servers of the machine that wrote this.',
            `resolver ${site.nameServers.join(' ')};`,
          ]),
      `proxy_pass ${scheme}://${isLocal ? `127.0.0.1:${port}` : authority}$continuation_path;`,
      'proxy_http_version 1.1;',
      ...(isLocal ? [`proxy_set_header Host ${authority};`] : []),
      'proxy_set_header X-Widget-Key $continuation_widget_key;',
      'proxy_set_header X-Continuation-Origin $continuation_origin;',
      ...(clientAddress === 'omit' ? [] : ['proxy_set_header X-Forwarded-For $remote_addr;']),
      ...REQUEST_ID,
      '# A POST is never sent twice.',
      'proxy_next_upstream error timeout;',
      `proxy_connect_timeout ${connectMs}ms;`,
      `proxy_read_timeout ${headersMs}ms;`,
      `proxy_send_timeout ${idleMs}ms;`,
    ],
    tls(target, isLocal ? ['proxy_ssl_name localhost;'] : []),
    [
      '# A client’s own fields of these names are never forwarded.',
      ...[...OWNED_ALIASES, ...removed].map((name) => `proxy_set_header ${name} "";`),
    ],
    [
      '# These would affect more of the site than this response.',
      ...RESPONSE_REMOVED.filter((name) => !NGINX_ORDERS.includes(name)).map(
        (name) => `proxy_hide_header ${name};`,
      ),
    ],
    passThrough(`${site.bodyBytes ?? 0}`, 'add_header Cache-Control $continuation_cache_control always;'),
  ]
}

/** @param cacheControl the line of `add_header`; any such line disables those of the site for the point */
function passThrough(bodyBytes: string, cacheControl: string): string[] {
  return [
    '# Bodies are passed unbuffered, whatever their size.',
    'proxy_buffering off;',
    'proxy_request_buffering off;',
    'proxy_buffer_size 64k;',
    'proxy_buffers 8 64k;',
    '# What else the sizes of the buffers must fit; nginx refuses smaller ones of the site.',
    'proxy_busy_buffers_size 128k;',
    'proxy_temp_file_write_size 128k;',
    'proxy_max_temp_file_size 0;',
    `client_max_body_size ${bodyBytes};`,
    '# Undoes settings of the site: requests and responses are not changed, copied or cached.',
    'proxy_method $request_method;',
    'proxy_pass_request_headers on;',
    'proxy_pass_request_body on;',
    'mirror off;',
    'gzip off;',
    'ssi off;',
    'charset off;',
    '# These need the sub and addition modules, which packages of nginx have; delete what nginx does not know.',
    'set $continuation_nothing "";',
    'sub_filter $continuation_nothing "";',
    'add_before_body "";',
    'add_after_body "";',
    'proxy_cache off;',
    'proxy_force_ranges off;',
    'expires off;',
    'proxy_redirect off;',
    'proxy_cookie_path off;',
    'proxy_cookie_domain off;',
    'proxy_cookie_flags off;',
    'userid off;',
    'proxy_pass_header Set-Cookie;',
    cacheControl,
    '# No error pages of the site: they would replace those of the service, and log the query.',
    'error_page 599 /;',
    '# nginx must not obey fields of a response.',
    `proxy_ignore_headers ${NGINX_ORDERS};`,
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
      ...(target.kind === 'route' ? [] : forwardMaps(origins)),
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
/** Removed by nginx by default. */
const NGINX_REMOVES = ['Keep-Alive', 'TE', 'Upgrade']
