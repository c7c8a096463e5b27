import { NOT_STORED } from '../forward/field-law.ts'
import { OWNED_ALIASES, RESPONSE_REMOVED, requestRemoved } from './fields.ts'
import type { ForwardTarget } from './forward-target.ts'
import { separate } from './indent.ts'
import { LARGE_HEADS, NGINX_ORDERS, toLocationMatch, toPathMap, toRefusal } from './nginx-location.ts'
import type { SiteOrigin, SitePoint } from './origins.ts'
import type { Part } from './part.ts'
import { quoteNginx } from './quote.ts'
import { RAW_REFUSED } from './refused.ts'
import type { RouteTarget } from './route-target.ts'
import type { Site } from './site.ts'

/** What an nginx that serves the site already includes: a file for each host, and one with what all points have in common. */
export function toNginxParts(site: Site): readonly Part[] {
  const { target } = site
  if (target.kind === 'route') return [...routeHosts(site), routeSnippet(site, target)]
  return [
    ...site.origins.map((origin) => forwardHost(site, origin)),
    forwardSnippet(site, target),
    forwardMaps(site),
  ]
}

/** `serve` itself distinguishes the origins of a host. */
function routeHosts(site: Site): Part[] {
  const hosts = [...new Set(site.origins.map(({ host }) => host))]
  return hosts.map((host) => {
    const points = site.origins.filter((origin) => origin.host === host).flatMap((origin) => origin.points)
    const paths = [...new Set(points.map(({ path }) => path))]
    return hostPart(site, host, host, [
      ...paths.map((path) => `location ${toLocationMatch('prefix', path)} { include ${SNIPPET}; }`),
    ])
  })
}

function forwardHost(site: Site, { url, points }: SiteOrigin): Part {
  return hostPart(site, url, toSlug(url), [
    `set $continuation_origin ${quoteNginx(url)};`,
    ...points.flatMap(({ path, keyName = '' }: SitePoint) => [
      `location ${toLocationMatch('prefix', path)} {`,
      `  include ${toKeyFile(keyName)};`,
      `  include ${SNIPPET};`,
      '}',
    ]),
  ])
}

function hostPart({ headerBytes }: Site, name: string, slug: string, lines: readonly string[]): Part {
  const file = `snippets/continuation-point-${slug.replace(/[^A-Za-z0-9.-]/g, '_')}.conf`
  return {
    file,
    about: `The continuation points of ${name}`,
    steps: [{ what: `In the server block of ${name}`, lines: [`include ${file};`] }],
    lines: [`large_client_header_buffers ${LARGE_HEADS} ${headerBytes};`, ...lines],
  }
}

function routeSnippet(site: Site, { host, port }: RouteTarget): Part {
  return {
    file: SNIPPET,
    about: 'For every point: forwards to `continuation-point serve`',
    steps: [],
    lines: separate([
      [
        `proxy_pass http://${host}:${port};`,
        'proxy_http_version 1.1;',
        '# Host as received, port included; with HTTP/3 nginx has it only in $host.',
        'set $continuation_host $http_host;',
        'if ($http_host = "") { set $continuation_host $host:$server_port; }',
        'proxy_set_header Host $continuation_host;',
        '# If TLS ends in front of nginx, write https instead of $scheme.',
        'proxy_set_header X-Forwarded-Proto $scheme;',
        ...(site.clientAddress === 'omit' ? [] : ['proxy_set_header X-Forwarded-For $remote_addr;']),
        '# serve trusts nginx: a client’s own fields must not get through.',
        'proxy_set_header X-Forwarded-Host "";',
        'proxy_set_header Forwarded "";',
        ...routeTimeouts(site),
      ],
      passThrough('0', 'add_header Cache-Control "";'),
      quiet('serve has a log without them'),
    ]),
  }
}

/** nginx times out after 60 s: if the config lets serve wait longer, nginx has to wait longer too. */
function routeTimeouts({ connectMs, headersMs, idleMs }: Site): string[] {
  const longestMs = connectMs + Math.max(headersMs, idleMs)
  if (longestMs < NGINX_TIMEOUT_MS) return []
  return ['proxy_read_timeout', 'proxy_send_timeout'].map((name) => `${name} ${longestMs + 5_000}ms;`)
}

function forwardSnippet(site: Site, target: ForwardTarget): Part {
  const { scheme, host, port, authority, hostKind } = target
  const { connectMs, headersMs, idleMs, clientAddress } = site
  const isLocal = host === 'localhost'
  const keys = site.origins.flatMap(({ points }) => points).map(({ keyName = '' }) => toKeyFile(keyName))
  return {
    file: SNIPPET,
    about: 'For every point: forwards to the service, with the required fields',
    steps: [
      {
        what: 'Put the widget key into a file that only root may read, as this line',
        lines: [...new Set(keys)].map((file) => `${file}:   set $continuation_widget_key "the key";`),
      },
    ],
    lines: separate([
      [
        '# Refused, since servers interpret them differently: dot segments in any encoding, backslashes, encoded controls.',
        ...toRefusal(`$request_uri ~* "${RAW_REFUSED}"`, 400),
        ...toRefusal('$continuation_path = ""', 404),
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
        `proxy_connect_timeout ${connectMs}ms;`,
        `proxy_read_timeout ${headersMs}ms;`,
        `proxy_send_timeout ${idleMs}ms;`,
      ],
      scheme === 'http' ? [] : tls(target),
      [
        '# A client’s own fields of these names are never forwarded.',
        ...[...OWNED_ALIASES, ...removedHere(site)].map((name) => `proxy_set_header ${name} "";`),
      ],
      [
        '# These would affect the whole origin of the site, not only this response.',
        ...RESPONSE_REMOVED.map((name) => `proxy_hide_header ${name};`),
      ],
      passThrough(`${site.bodyBytes ?? 0}`, 'add_header Cache-Control $continuation_cache_control always;'),
      quiet('switch one on while you look for a fault'),
    ]),
  }
}

function removedHere(site: Site): readonly string[] {
  const others = site.clientAddress === 'omit' ? ['X-Forwarded-For'] : []
  return [...others, ...requestRemoved(site).filter((name) => !NGINX_REMOVES.includes(name))]
}

function tls({ host, caFile }: ForwardTarget): string[] {
  return [
    '# The certificate is verified against the name; nginx does neither by default.',
    'proxy_ssl_server_name on;',
    ...(host === 'localhost' ? ['proxy_ssl_name localhost;'] : []),
    'proxy_ssl_verify on;',
    'proxy_ssl_verify_depth 8;',
    `proxy_ssl_trusted_certificate ${quoteNginx(caFile)};`,
    'proxy_ssl_protocols TLSv1.2 TLSv1.3;',
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
    `client_max_body_size ${bodyBytes};`,
    '# Undoes settings of the site: responses are not changed and not cached.',
    'gzip off;',
    'proxy_cache off;',
    'proxy_redirect off;',
    'proxy_cookie_path off;',
    cacheControl,
    '# No error pages of the site: they would replace those of the service, and log the query.',
    'error_page 599 /;',
    '# nginx must not obey fields of a response.',
    `proxy_ignore_headers ${NGINX_ORDERS};`,
  ]
}

function quiet(instead: string): string[] {
  return [
    `# Lines of these logs have query, address and Referer; ${instead}.`,
    'access_log off;',
    'error_log /var/log/nginx/error.log crit;',
  ]
}

function forwardMaps({ origins }: Site): Part {
  return {
    file: 'conf.d/continuation-point.conf',
    about: 'Goes into http { }, where most packages of nginx include conf.d/*.conf',
    steps: [],
    lines: separate([
      [
        '# What the service gets: the received octets without the cookie path. nginx itself matches decoded ones.',
        ...toPathMap(origins),
      ],
      [
        '# A response without Cache-Control must not be cached.',
        `map $upstream_http_cache_control $continuation_cache_control { "" "${NOT_STORED}"; }`,
      ],
    ]),
  }
}

function toKeyFile(keyName: string): string {
  return `continuation-point/${keyName}.conf`
}

function toSlug(url: string): string {
  return url.replace(/^https:\/\//, '').replace('://', '-')
}

const SNIPPET = 'snippets/continuation-point.conf'
const NGINX_TIMEOUT_MS = 60_000
/** Removed by nginx by default. */
const NGINX_REMOVES = ['Keep-Alive', 'TE', 'Upgrade']
