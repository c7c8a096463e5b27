import { NOT_STORED } from '../forward/field-law.ts'
import { OWNED_ALIASES, RESPONSE_REMOVED, requestRemoved } from './fields.ts'
import type { ForwardTarget } from './forward-target.ts'
import { separate } from './indent.ts'
import { LARGE_HEADS, NGINX_ORDERS, toLocationMatch, toPathMap, toRefusal } from './nginx-location.ts'
import { quoteNginx } from './nginx-quote.ts'
import type { SiteOrigin, SitePoint } from './origins.ts'
import type { Part } from './part.ts'
import { RAW_REFUSED } from './refused.ts'
import type { RouteTarget } from './route-target.ts'
import type { Site } from './site.ts'

/** What an nginx that serves the site already includes: a file for each host, and one that says what every point does. */
export function toNginxParts(site: Site): readonly Part[] {
  const { target } = site
  if (target.kind === 'route') return [...routeHosts(site), routeSnippet(site, target)]
  return [
    ...site.origins.map((origin) => forwardHost(site, origin)),
    forwardSnippet(site, target),
    forwardMaps(site),
  ]
}

/** `serve` tells the origins of a host apart by itself. */
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
    about: 'What every point does: it goes to `continuation-point serve`, which decides',
    steps: [],
    lines: separate([
      [
        `proxy_pass http://${host}:${port};`,
        'proxy_http_version 1.1;',
        '# Host as the visitor wrote it, port included; over HTTP/3 nginx has it in $host alone.',
        'set $continuation_host $http_host;',
        'if ($http_host = "") { set $continuation_host $host:$server_port; }',
        'proxy_set_header Host $continuation_host;',
        '# Where TLS ends before nginx, write https in place of $scheme.',
        'proxy_set_header X-Forwarded-Proto $scheme;',
        ...(site.clientAddress === 'omit' ? [] : ['proxy_set_header X-Forwarded-For $remote_addr;']),
        '# serve believes nginx: a client may not say these through it.',
        'proxy_set_header X-Forwarded-Host "";',
        'proxy_set_header Forwarded "";',
        ...routeTimeouts(site),
      ],
      passThrough('0', 'add_header Cache-Control "";'),
      quiet('serve has a log without them'),
    ]),
  }
}

/** nginx gives up after 60 s of silence: where the config lets serve wait longer, nginx must not be first. */
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
    about: 'What every point does: it goes to the service, with fields of our own',
    steps: [
      {
        what: 'Put the widget key into a file that root alone may read, this line',
        lines: [...new Set(keys)].map((file) => `${file}:   set $continuation_widget_key "the key";`),
      },
    ],
    lines: separate([
      [
        '# Octets that servers disagree about are refused: dot segments however spelled, backslashes, encoded controls.',
        ...toRefusal(`$request_uri ~* "${RAW_REFUSED}"`, 400),
        ...toRefusal('$continuation_path = ""', 404),
      ],
      [
        ...(hostKind === 'address' || isLocal
          ? []
          : [
              '# Looked up again when the DNS answer expires, at the name servers of the machine that wrote this.',
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
        '# What a client sends under these names never arrives.',
        ...[...OWNED_ALIASES, ...removedHere(site)].map((name) => `proxy_set_header ${name} "";`),
      ],
      [
        '# These would take effect on the whole origin of the site, not on the answer.',
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
    '# The certificate is verified against the name; nginx does neither by itself.',
    'proxy_ssl_server_name on;',
    ...(host === 'localhost' ? ['proxy_ssl_name localhost;'] : []),
    'proxy_ssl_verify on;',
    'proxy_ssl_verify_depth 8;',
    `proxy_ssl_trusted_certificate ${quoteNginx(caFile)};`,
    'proxy_ssl_protocols TLSv1.2 TLSv1.3;',
  ]
}

/** @param cacheControl the line of `add_header`; any such line keeps those of the site off the point */
function passThrough(bodyBytes: string, cacheControl: string): string[] {
  return [
    '# Bodies pass at once and whole, whatever their size.',
    'proxy_buffering off;',
    'proxy_request_buffering off;',
    'proxy_buffer_size 64k;',
    'proxy_buffers 8 64k;',
    `client_max_body_size ${bodyBytes};`,
    '# What the site may have set further out: an answer stays as it is, and is kept nowhere.',
    'gzip off;',
    'proxy_cache off;',
    'proxy_redirect off;',
    'proxy_cookie_path off;',
    cacheControl,
    '# None of the error pages of the site: they would replace those of the service, and log the query.',
    'error_page 599 /;',
    '# Nothing in an answer is an order to nginx.',
    `proxy_ignore_headers ${NGINX_ORDERS};`,
  ]
}

function quiet(instead: string): string[] {
  return [
    `# Lines of these logs hold query, address and Referer; ${instead}.`,
    'access_log off;',
    'error_log /var/log/nginx/error.log crit;',
  ]
}

function forwardMaps({ origins }: Site): Part {
  return {
    file: 'conf.d/continuation-point.conf',
    about: 'Belongs into http { }, where most packages of nginx include conf.d/*.conf',
    steps: [],
    lines: separate([
      [
        '# What the service gets: the octets that arrived, less the cookie path. nginx itself matches decoded ones.',
        ...toPathMap(origins),
      ],
      [
        '# An answer that says nothing about caches is nobody else’s.',
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
/** Left out by nginx without being told. */
const NGINX_REMOVES = ['Keep-Alive', 'TE', 'Upgrade']
