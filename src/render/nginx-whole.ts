import { NOT_STORED } from '../forward/field-law.ts'
import type { ForwardTarget } from './forward-target.ts'
import { block, separate } from './indent.ts'
import { LARGE_HEADS, toPathMap, toPointLocations, toRefusal } from './nginx-location.ts'
import { type SiteOrigin, toCertificateFile } from './origins.ts'
import { quoteNginx } from './quote.ts'
import { RAW_REFUSED } from './refused.ts'
import { type Site, toPurpose } from './site.ts'

/** A complete nginx.conf, for a machine where nginx has no other sites. */
export function renderNginx(site: Site): string {
  const lines = separate([
    [...preface(site), '', 'worker_processes auto;', 'worker_rlimit_nofile 8192;'],
    block('events', ['worker_connections 4096;']),
    block('http', http(site)),
  ])
  return `${lines.join('\n')}\n`
}

function preface(site: Site): string[] {
  return [
    `# ${toPurpose('nginx', site)}`,
    '#',
    '# A complete nginx.conf. Check it with: nginx -t -c FILE. If nginx already serves the site, omit --whole.',
    ...(site.target.kind === 'route' ? [] : keyPreface),
  ]
}

const keyPreface = [
  '#',
  '# nginx reads no environment: put the widget keys into continuation-point/keys.map next to this file, one line each,',
  '#   NAME "the key";   # NAME is the one after continuation_key_name below',
  '# readable only by root. Without its key a point answers 503.',
]

function http(site: Site): string[] {
  const { target } = site
  return separate([
    [
      '# Every request carries cookies, so a request head may be large.',
      `large_client_header_buffers ${LARGE_HEADS} ${site.headerBytes};`,
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
    logs(site),
    hostMap,
    [
      '# Refused, since servers interpret them differently: dot segments in any encoding, backslashes, encoded controls.',
      `map $request_uri $continuation_refused { "~*${RAW_REFUSED}" 1; }`,
    ],
    [
      '# The point’s path without its last slash.',
      ...block('map $request_uri $continuation_slashed', [
        'default "";',
        `"~^(?<continuation_bare>[^?]*)(?<continuation_query>.*)$" "$continuation_bare/$continuation_query";`,
      ]),
    ],
    authorityMap(site),
    [
      '# What is forwarded: the path as received, in forward mode without the cookie path. nginx itself matches decoded ones.',
      ...toPathMap(site.origins),
    ],
    clientAddressMap(site),
    ...(target.kind === 'route'
      ? [
          block('upstream continuation_point_serve', [
            `server ${target.host}:${target.port};`,
            'keepalive 32;',
          ]),
        ]
      : forwardMaps(site, target)),
    ...refusingServers(site),
    ...site.origins.map((origin) => serverBlock(site, origin)),
  ])
}

function logs({ accessLog }: Site): string[] {
  const errors = [
    '# Messages below crit contain the query, the client’s address and the Referer.',
    'error_log /var/log/nginx/error.log crit;',
  ]
  if (!accessLog) return [...errors, 'access_log off;']
  return [
    ...errors,
    '# Logs no query, no cookie, no address.',
    "log_format continuation_point '$time_iso8601 $status $request_method $host $request_time';",
    'access_log /var/log/nginx/access.log continuation_point;',
  ]
}

const hostMap = [
  '# Host as received, port included; with HTTP/3 nginx has it only in $host.',
  ...block('map $http_host $continuation_host', ['default $http_host;', '"" $host:$server_port;']),
]

function authorityMap({ origins }: Site): string[] {
  return [
    '# nginx selects a server only by name; the port of Host must match too.',
    ...block('map "$continuation_origin $continuation_host" $continuation_known_host', [
      'default "";',
      ...origins.flatMap(({ url, authorities }) =>
        authorities.map((authority) => `${quoteNginx(`${url} ${authority}`)} 1;`),
      ),
    ]),
  ]
}

function clientAddressMap({ clientAddress, trustedBlocks }: Site): string[] {
  if (clientAddress === 'omit') return []
  return [
    '# Only a trusted proxy in front may set the client’s address (listen.trustedProxies).',
    ...block('geo $remote_addr $continuation_peer', [
      'default other;',
      ...trustedBlocks.map((addresses) => `${addresses} trusted;`),
    ]),
    ...block('map "$continuation_peer $http_x_forwarded_for" $continuation_forwarded_for', [
      'default $remote_addr;',
      '"~^trusted (?<continuation_client>.+)$" "$continuation_client, $remote_addr";',
    ]),
  ]
}

function forwardMaps({ nameServers }: Site, target: ForwardTarget): string[][] {
  return [
    block('map $continuation_key_name $continuation_widget_key', [
      'default "";',
      'include continuation-point/*.map;',
    ]),
    [
      '# A response without Cache-Control must not be cached.',
      ...block('map $upstream_http_cache_control $continuation_cache_control', [
        'default "";',
        `"" "${NOT_STORED}";`,
      ]),
    ],
    target.hostKind === 'address' || target.host === 'localhost'
      ? []
      : [
          '# The service is resolved again when its DNS record expires; nginx does so only with name servers',
          '# that are listed here. These are those of the machine that rendered this file.',
          `resolver ${nameServers.join(' ')};`,
          `resolver_timeout 5s;`,
        ],
  ]
}

function refusingServers({ origins }: Site): string[][] {
  return [...new Set(origins.map(toListen))].map((listen) => [
    '# Any other host.',
    ...block('server', [
      `listen ${listen} default_server;`,
      ...(listen.endsWith(' ssl') ? ['ssl_reject_handshake on;'] : []),
      'return 421;',
    ]),
  ])
}

function serverBlock(site: Site, origin: SiteOrigin): string[] {
  return [
    `# ${origin.url}`,
    ...block(
      'server',
      separate([
        [
          `listen ${toListen(origin)};`,
          `# listen [::]:${toListen(origin)};   # if the machine has IPv6`,
          `server_name ${quoteNginx(origin.host)};`,
        ],
        origin.scheme === 'http'
          ? []
          : [
              '# TO FILL IN: your certificate with its chain, and its key.',
              `ssl_certificate ${quoteNginx(toCertificateFile(origin, 'crt'))};`,
              `ssl_certificate_key ${quoteNginx(toCertificateFile(origin, 'key'))};`,
            ],
        ...origin.points.flatMap((point) => toPointLocations(site, origin, point)),
        block('location /', [...toRefusal('$continuation_refused', 400), 'return 404;']),
      ]),
    ),
  ]
}

function toListen({ scheme, port }: SiteOrigin): string {
  return scheme === 'https' ? `${port} ssl` : `${port}`
}
