import { NOT_STORED } from '../forward/field-law.ts'
import type { ForwardTarget } from './forward-target.ts'
import type { FrontEnd } from './front-end.ts'
import { indent, separate } from './indent.ts'
import { toPointLocations, toRefusal } from './nginx-location.ts'
import { quoteNginx } from './nginx-quote.ts'
import type { SiteOrigin } from './origins.ts'
import { quoteRegex } from './regex-quote.ts'
import type { Site } from './site.ts'

export const nginx: FrontEnd = {
  name: 'nginx',
  title: 'nginx',
  output: 'A whole nginx.conf, for nginx 1.19 or later.',
  gaps: [
    'Fields with unusual names (an underscore, a dot) are dropped, not only those that look like ours.',
    'Fields that Connection names are forwarded; nothing of ours can be among them.',
    'No Via is added and none is looked for: a loop is not noticed.',
    'In forward mode every call opens a connection of its own to the service.',
    'When an address of the service breaks off, GET, PUT and other idempotent calls without a body go to the next.',
    'Its own error pages are nginx’s.',
  ],
  render,
}

function render(site: Site): string {
  const lines = separate([
    [...preface(site), '', 'worker_processes auto;', 'worker_rlimit_nofile 8192;'],
    ['events {', '  worker_connections 4096;', '}'],
    ['http {', ...indent(http(site)), '}'],
  ])
  return `${lines.join('\n')}\n`
}

function preface({ target }: Site): string[] {
  const sets = '#   /etc/nginx/conf.d/continuation-point.conf   everything in http { } but the server blocks'
  return [
    target.kind === 'route'
      ? '# nginx in front of `continuation-point serve`: routes the continuation points to it.'
      : '# nginx as continuation point: forwards the calls of the widget to the service by itself.',
    '#',
    '# Check it with: nginx -t -c FILE. It is a whole nginx.conf. Where nginx serves the site already, move',
    sets,
    '#   the locations of each server block                 into the server block that has the same name',
    '#',
    '# Points on https listen in plain HTTP: whoever ends TLS sends its requests here. To end TLS here, replace',
    '# the listen line with   listen 443 ssl; ssl_certificate FILE; ssl_certificate_key FILE;',
    ...(target.kind === 'route' ? [] : keyPreface),
  ]
}

const keyPreface = [
  '#',
  '# nginx reads no environment: put the widget keys into continuation-point/keys.map beside this file, one line each,',
  '#   NAME "the key";   # NAME is the one that stands after continuation_key_name below',
  '# readable by root alone. Without its key a point answers 503.',
]

function http(site: Site): string[] {
  const { target } = site
  return separate([
    [
      '# Cookies travel with every call: a head may be large.',
      `large_client_header_buffers 8 ${site.headerBytes};`,
      `client_header_timeout ${site.idleMs}ms;`,
      'server_names_hash_bucket_size 512;',
      'map_hash_bucket_size 1024;',
      'variables_hash_bucket_size 256;',
    ],
    [
      '# Fields whose names nginx would fold into one of ours are dropped: X_Widget_Key is X-Widget-Key to a CGI.',
      'underscores_in_headers off;',
      'ignore_invalid_headers on;',
    ],
    [
      '# A relative Location keeps the scheme that the browser sees.',
      'absolute_redirect off;',
      'server_tokens off;',
    ],
    accessLog(site),
    [
      '# Octets that servers disagree about are refused: dot segments however spelled, backslashes, encoded controls.',
      'map $request_uri $continuation_refused {',
      '  default "";',
      String.raw`  "~*^[^?]*(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|$)" 1;`,
      String.raw`  "~*^[^?]*(?:\x5c|%0a|%0d|%00)" 1;`,
      '  "~#" 1;',
      '}',
    ],
    [
      '# The point without its last slash.',
      'map $request_uri $continuation_slashed {',
      '  default "";',
      `  "~^(?<continuation_bare>[^?]*)(?<continuation_query>.*)$" "$continuation_bare/$continuation_query";`,
      '}',
    ],
    authorityMap(site),
    pathMap(site),
    clientAddressMap(site),
    ...(target.kind === 'route' ? [upstreamBlock(site)] : forwardMaps(site, target)),
    ...refusingServers(site),
    ...site.origins.map((origin) => serverBlock(site, origin)),
  ])
}

function accessLog({ accessLog: state }: Site): string[] {
  if (state === 'off') return ['access_log off;']
  return [
    '# No query, no cookie, no address.',
    "log_format continuation_point '$time_iso8601 $status $request_method $host $request_time';",
    'access_log /var/log/nginx/access.log continuation_point;',
  ]
}

function authorityMap({ origins }: Site): string[] {
  return [
    '# nginx chooses a server by name alone; the port of Host counts too.',
    'map "$continuation_origin $http_host" $continuation_known_host {',
    '  default "";',
    ...origins.flatMap(({ url, authorities }) =>
      authorities.map((authority) => `  ${quoteNginx(`${url} ${authority}`)} 1;`),
    ),
    '}',
  ]
}

function pathMap({ origins, target }: Site): string[] {
  const taken = origins.flatMap(({ points }) => points)
  const entries = taken.map(({ path, strippedPath }) => {
    const kept = quoteRegex(path.slice(strippedPath.length))
    return `  "~^${quoteRegex(strippedPath)}(?<continuation_rest>${kept}.*)$" $continuation_rest;`
  })
  return [
    target.kind === 'route'
      ? '# The octets that arrived must be those of a point: nginx matches what it decoded.'
      : '# What the service gets: the octets that arrived, less the cookie path. nginx itself matches decoded ones.',
    'map $request_uri $continuation_path {',
    '  default "";',
    ...new Set(entries),
    '}',
  ]
}

function clientAddressMap({ clientAddress, trustedBlocks }: Site): string[] {
  if (clientAddress === 'omit') return []
  return [
    '# Only a trusted proxy in front may say who the client is (listen.trustedProxies).',
    'geo $remote_addr $continuation_peer {',
    '  default other;',
    ...trustedBlocks.map((block) => `  ${block} trusted;`),
    '}',
    'map "$continuation_peer $http_x_forwarded_for" $continuation_forwarded_for {',
    '  default $remote_addr;',
    '  "~^trusted (?<continuation_client>.+)$" "$continuation_client, $remote_addr";',
    '}',
  ]
}

function upstreamBlock({ target }: Site): string[] {
  return [
    'upstream continuation_point_serve {',
    `  server ${target.host}:${target.port};`,
    '  keepalive 32;',
    '}',
  ]
}

function forwardMaps({ nameServers }: Site, target: ForwardTarget): string[][] {
  return [
    [
      'map $continuation_key_name $continuation_widget_key {',
      '  default "";',
      '  include continuation-point/*.map;',
      '}',
    ],
    [
      '# An answer that says nothing about caches is nobody else’s.',
      'map $upstream_http_cache_control $continuation_cache_control {',
      '  default "";',
      `  "" "${NOT_STORED}";`,
      '}',
    ],
    target.hostKind === 'address' || target.host === 'localhost'
      ? []
      : [
          '# The service is looked up again when its DNS answer expires; nginx does so only through name servers',
          '# that are named here. These are the ones of the machine that rendered this file.',
          `resolver ${nameServers.join(' ')};`,
          `resolver_timeout 5s;`,
        ],
  ]
}

function refusingServers({ origins }: Site): string[][] {
  const ports = [...new Set(origins.map(({ listenPort }) => listenPort))]
  return ports.map((port) => [
    '# A name that no point has.',
    'server {',
    `  listen ${port} default_server;`,
    '  return 421;',
    '}',
  ])
}

function serverBlock(site: Site, origin: SiteOrigin): string[] {
  return [
    `# ${origin.url}`,
    'server {',
    ...indent(
      separate([
        [
          `listen ${origin.listenPort};`,
          `# listen [::]:${origin.listenPort};   # where the machine has IPv6`,
          `server_name ${quoteNginx(origin.host)};`,
        ],
        ...origin.points.flatMap((point) => toPointLocations(site, origin, point)),
        ['location / {', ...indent(toRefusal('$continuation_refused', 400)), '  return 404;', '}'],
      ]),
    ),
    '}',
  ]
}
