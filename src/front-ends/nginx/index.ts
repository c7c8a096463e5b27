import { NOT_STORED } from '../../forward/field-rules.ts'
import {
  block,
  type Explained,
  explain,
  quoteDecodedRegex,
  quoteNginx,
  quoteRegex,
  separate,
  toDuration,
} from '../config-text.ts'
import { RESPONSE_REMOVED, requestRemoved } from '../fields.ts'
import type { ForwardTarget, RouteTarget } from '../forward-target.ts'
import type { SiteOrigin } from '../origins.ts'
import { type FrontEnd, keyStep, type Part, pointPart } from '../part.ts'
import { type Site, toWaitMs } from '../site.ts'

const HOME = { folder: '/etc/nginx', file: 'nginx.conf' }

export const nginx: FrontEnd = {
  name: 'nginx',
  title: 'nginx',
  parts: renderParts,
  home: HOME,
  apply: () => 'nginx -t && nginx -s reload',
  undo: 'remove the include',
}

/** What an nginx that serves the site already includes: the locations, a snippet with what all points have in common, and what is for http. */
function renderParts(site: Site, folder = HOME.folder): readonly Part[] {
  const { target } = site
  const keys = keyStep(
    'Make this file, which only root may read, with the widget key in its only line',
    site,
    (keyName) => `${folder}/${renderKeyFile(keyName)}:   set $continuation_widget_key "the key";`,
  )
  const lines = target.kind === 'route' ? routeLines(site, target) : forwardLines(site, target)
  return [
    locationsPart(site),
    pointPart(SNIPPET, site, keys, lines),
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

function routeLines(site: Site, { host, port }: RouteTarget): string[] {
  return explain([
    [`proxy_pass http://${host}:${port};`, 'serve'],
    HTTP_VERSION,
    ['proxy_set_header Host $continuation_host;', 'as the visitor sent it'],
    ['proxy_set_header X-Forwarded-Proto $scheme;', 'write https if TLS ends in front of nginx'],
    clientAddress(site),
    ['proxy_set_header X-Forwarded-Host "";', 'serve would believe a visitor’s own'],
    ['proxy_set_header Forwarded "";', 'the same'],
    REQUEST_ID,
    [`proxy_read_timeout ${toDuration(toWaitMs(site))};`, 'serve answers before that, and says why'],
    ['client_max_body_size 0;', 'serve has the limit'],
    ...BUFFERS,
  ])
}

function forwardLines(site: Site, target: ForwardTarget): string[] {
  const { connectMs, bodyBytes, nameServers } = site
  const { scheme, port, hostKind } = target
  const authority = hostKind === 'localhost' ? `127.0.0.1:${port}` : target.authority
  return [
    ...block('if ($continuation_path = "")', ['return 404;']),
    ...explain([
      hostKind === 'name' && [`resolver ${nameServers.join(' ')};`, 'of the machine that wrote this'],
      [`proxy_pass ${scheme}://${authority}$continuation_path;`, 'the service'],
      HTTP_VERSION,
      ['proxy_set_header X-Widget-Key $continuation_widget_key;', 'which account it is for'],
      ['proxy_set_header X-Continuation-Origin $continuation_origin;', 'which site it is from'],
      clientAddress(site),
      REQUEST_ID,
      [`proxy_connect_timeout ${toDuration(connectMs)};`, 'timeouts.connect'],
      [`proxy_read_timeout ${toDuration(toWaitMs(site))};`, 'timeouts.headers and idle'],
      [`client_max_body_size ${bodyBytes ?? 0};`, 'limits.bodyBytes'],
      ...BUFFERS,
      [`include ${SERVICE};`, 'TLS, and headers that do not pass'],
    ]),
  ]
}

/** What a point that forwards by itself includes: how the service is verified, and which fields do not pass. */
function servicePart(site: Site, target: ForwardTarget): Part {
  const removed = requestRemoved(site).filter((name) => !NGINX_REMOVES.includes(name))
  return {
    file: SERVICE,
    about: 'For every point: verifies the service, and lists the headers that do not pass',
    steps: [],
    lines: separate([
      tls(target),
      [
        '# What a visitor’s request claims about its route.',
        ...removed.map((name) => `proxy_set_header ${name} "";`),
      ],
      [
        '# What would affect more of the site than this response.',
        ...RESPONSE_REMOVED.filter((name) => !NGINX_ORDERS.includes(name)).map(
          (name) => `proxy_hide_header ${name};`,
        ),
        '# nginx must not obey these: with X-Accel-Redirect it would send a file of the site.',
        `proxy_ignore_headers ${NGINX_ORDERS};`,
        'add_header Cache-Control $continuation_cache_control always;',
      ],
    ]),
  }
}

function tls({ scheme, hostKind, authority, caFile }: ForwardTarget): string[] {
  const isLocal = hostKind === 'localhost'
  const name = isLocal ? [`proxy_set_header Host ${authority};`] : []
  if (scheme === 'http') return name
  return [
    ...name,
    ...explain([
      ['proxy_ssl_server_name on;', 'the name of the service in TLS'],
      isLocal && ['proxy_ssl_name localhost;'],
      ['proxy_ssl_verify on;', 'its certificate, which nginx does not verify by default'],
      ['proxy_ssl_verify_depth 8;', 'with intermediates'],
      [`proxy_ssl_trusted_certificate ${quoteNginx(caFile)};`, 'against these authorities'],
      ['proxy_ssl_protocols TLSv1.2 TLSv1.3;', 'before 1.23.4 nginx speaks no 1.3 by default'],
    ]),
  ]
}

function clientAddress({ clientAddress }: Site): Explained {
  return (
    clientAddress === 'append' && ['proxy_set_header X-Forwarded-For $remote_addr;', 'the visitor’s address']
  )
}

function httpPart({ headerBytes, target, origins }: Site): Part {
  return {
    file: 'conf.d/continuation-point.conf',
    about: 'Limits and maps for http { }',
    steps: [
      {
        what: 'In http { }, where most packages of nginx have it already',
        lines: ['include conf.d/*.conf;'],
      },
    ],
    lines: separate([
      [
        '# Every request carries cookies. If http { } has this line already, raise that one and delete this one.',
        `large_client_header_buffers 8 ${headerBytes};`,
      ],
      ...(target.kind === 'route'
        ? [HOST_MAP]
        : [renderOriginMap(origins), renderPathMap(origins), CACHE_CONTROL_MAP]),
    ]),
  }
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
  return [
    '# Where a host has several origins, scheme and port decide. If TLS ends in front of nginx, write https instead of $scheme.',
    ...block('map $scheme://$host:$server_port $continuation_origin', entries),
  ]
}

/** Sets `$continuation_path`, the path for the service; empty if the origin, or the path as received, has no point. */
function renderPathMap(origins: readonly SiteOrigin[]): string[] {
  const entries = origins.flatMap(({ url, points }) =>
    points.map(({ path, strippedPath }) => {
      const kept = quoteRegex(path.slice(strippedPath.length))
      return `"~^${quoteRegex(`${url}${strippedPath}`)}(?<continuation_rest>${kept}.*)$" $continuation_rest;`
    }),
  )
  return [
    '# What the service gets: the path as received, without the cookie path. nginx itself matches decoded ones.',
    ...block('map $continuation_origin$request_uri $continuation_path', entries),
  ]
}

const HTTP_VERSION: Explained = ['proxy_http_version 1.1;', 'nginx speaks 1.0 by default']
const REQUEST_ID: Explained = ['proxy_set_header X-Request-Id $request_id;', 'a new one, not the visitor’s']
const BUFFERS: readonly Explained[] = [
  ['client_body_buffer_size 1m;', 'a request is kept in memory until it is complete'],
  ['proxy_buffering off;', 'a response goes on as it comes'],
  ['proxy_buffer_size 64k;', 'all its cookies fit'],
  ['proxy_buffers 4 64k;', 'nginx asks for it with the line above'],
]

const CACHE_CONTROL_MAP = [
  '# A response without Cache-Control must not be cached.',
  `map $upstream_http_cache_control $continuation_cache_control { "" "${NOT_STORED}"; }`,
]
const HOST_MAP = [
  '# Host with its port. Over HTTP/3 nginx has it only in $host.',
  ...block('map $http_host $continuation_host', ['"" $host:$server_port;', 'default $http_host;']),
]
const LOCATIONS = 'snippets/continuation-point-locations.conf'
const SNIPPET = 'snippets/continuation-point.conf'
const SERVICE = 'snippets/continuation-point-service.conf'
/** Response fields that nginx obeys. */
const NGINX_ORDERS = 'X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset'
/** Removed by nginx by default. */
const NGINX_REMOVES = ['Keep-Alive', 'TE', 'Upgrade']
