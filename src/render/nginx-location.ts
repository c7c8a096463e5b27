import { RESPONSE_REMOVED, ROUTE_REMOVED, requestRemoved } from './fields.ts'
import type { ForwardTarget } from './forward-target.ts'
import { indent, separate } from './indent.ts'
import { quoteNginx } from './nginx-quote.ts'
import type { SiteOrigin, SitePoint } from './origins.ts'
import { quoteDecodedRegex, quoteRegex } from './regex-quote.ts'
import type { Site } from './site.ts'

/** The location blocks of one point: without its last slash, and with it. They read the maps that `nginx` writes. */
export function toPointLocations(site: Site, origin: SiteOrigin, point: SitePoint): string[][] {
  return [bareLocation(point), location(site, origin, point)]
}

function bareLocation({ path }: SitePoint): string[] {
  return [
    `location ${toLocationMatch('exact', path.slice(0, -1))} {`,
    '  if ($request_method !~ "^(?:GET|HEAD)$") {',
    '    return 404;',
    '  }',
    '  return 308 $continuation_slashed;',
    '}',
  ]
}

function location(site: Site, origin: SiteOrigin, point: SitePoint): string[] {
  return [
    `location ${toLocationMatch('prefix', point.path)} {`,
    ...indent(
      separate([
        [`set $continuation_origin ${quoteNginx(origin.url)};`, ...refusals()],
        site.target.kind === 'route' ? route(site, origin) : forward(site, site.target, point),
        passThrough(site),
      ]),
    ),
    '}',
  ]
}

/** nginx matches decoded paths: one that holds encoded octets is matched by a pattern of octets. */
export function toLocationMatch(kind: 'exact' | 'prefix', path: string): string {
  if (path.includes('%')) return `~ "^${quoteDecodedRegex(path)}${kind === 'exact' ? '$' : ''}"`
  return `${kind === 'exact' ? '=' : '^~'} ${quoteNginx(path)}`
}

/** Gives `$continuation_path`, what the service or `serve` gets: empty where the octets that arrived are no point's. */
export function toPathMap(origins: readonly SiteOrigin[]): string[] {
  const points = origins.flatMap((origin) => origin.points)
  const entries = points.map(({ path, strippedPath }) => {
    const kept = quoteRegex(path.slice(strippedPath.length))
    return `  "~^${quoteRegex(strippedPath)}(?<continuation_rest>${kept}.*)$" $continuation_rest;`
  })
  return ['map $request_uri $continuation_path {', ...new Set(entries), '}']
}

function refusals(): string[] {
  return [
    ...toRefusal('$continuation_known_host = ""', 421),
    ...toRefusal('$continuation_refused', 400),
    ...toRefusal('$continuation_path = ""', 404),
  ]
}

/** An answer of nginx's own; `return` is the one thing that `if` does safely inside a location. */
export function toRefusal(condition: string, status: number): string[] {
  return [`if (${condition}) {`, `  return ${status};`, '}']
}

function route(site: Site, origin: SiteOrigin): string[] {
  return [
    '# serve decides by these, and believes them from its trusted proxies only.',
    'proxy_pass http://continuation_point_serve;',
    'proxy_http_version 1.1;',
    'proxy_set_header Connection "";',
    'proxy_set_header Host $continuation_host;',
    'proxy_set_header X-Forwarded-Host $continuation_host;',
    `proxy_set_header X-Forwarded-Proto ${origin.scheme};`,
    forwardedFor(site),
    ...ROUTE_REMOVED.map((name) => `proxy_set_header ${name} "";`),
  ]
}

function forward(site: Site, target: ForwardTarget, { keyName = '' }: SitePoint): string[] {
  const { scheme, host, port } = target
  const address = host === 'localhost' ? '127.0.0.1' : host
  return separate([
    [
      `set $continuation_key_name ${quoteNginx(keyName)};`,
      ...toRefusal('$continuation_widget_key = ""', 503),
    ],
    [
      '# A variable makes nginx look the name up at run time, and forward the path as it is.',
      `set $continuation_service ${quoteNginx(`${address}:${port}`)};`,
      `proxy_pass ${scheme}://$continuation_service$continuation_path;`,
      'proxy_http_version 1.1;',
    ],
    [
      '# What a client sends under these names never arrives: each is set anew or, when empty, left out.',
      `proxy_set_header Host ${quoteNginx(target.authority)};`,
      'proxy_set_header X-Widget-Key $continuation_widget_key;',
      'proxy_set_header X-Continuation-Origin $continuation_origin;',
      forwardedFor(site),
      ...requestRemoved(site).map((name) => `proxy_set_header ${name} "";`),
    ],
    scheme === 'http' ? [] : tls(target),
    [
      '# These would take effect on the whole origin of the site, not on the answer.',
      ...RESPONSE_REMOVED.map((name) => `proxy_hide_header ${name};`),
      'add_header Cache-Control $continuation_cache_control always;',
    ],
  ])
}

function forwardedFor({ clientAddress }: Site): string {
  const value = clientAddress === 'omit' ? '""' : '$continuation_forwarded_for'
  return `proxy_set_header X-Forwarded-For ${value};`
}

function tls({ host, caFile }: ForwardTarget): string[] {
  return [
    '# The certificate is verified against the name; nginx does neither by itself.',
    'proxy_ssl_server_name on;',
    `proxy_ssl_name ${quoteNginx(host)};`,
    'proxy_ssl_verify on;',
    'proxy_ssl_verify_depth 8;',
    `proxy_ssl_trusted_certificate ${quoteNginx(caFile)};`,
    'proxy_ssl_protocols TLSv1.2 TLSv1.3;',
  ]
}

function passThrough({ connectMs, headersMs, idleMs, bodyBytes }: Site): string[] {
  return [
    '# Redirects, cookies, bodies and error pages pass untouched and at once; nothing is kept.',
    'proxy_redirect off;',
    'proxy_intercept_errors off;',
    'proxy_cache off;',
    'gzip off;',
    'proxy_buffering off;',
    'proxy_request_buffering off;',
    'proxy_buffer_size 64k;',
    'proxy_buffers 8 64k;',
    `client_max_body_size ${bodyBytes ?? 0};`,
    'proxy_pass_header Server;',
    'proxy_pass_header Date;',
    '# Nothing that the service sends is an instruction to nginx.',
    `proxy_ignore_headers ${NGINX_ORDERS};`,
    `proxy_connect_timeout ${connectMs}ms;`,
    `proxy_read_timeout ${headersMs}ms;`,
    `proxy_send_timeout ${idleMs}ms;`,
    `client_body_timeout ${idleMs}ms;`,
    `send_timeout ${idleMs}ms;`,
    '# Another address is asked when one can’t be reached; what was sent is sent again for no POST.',
    'proxy_next_upstream error;',
  ]
}

/** Fields of an answer that nginx obeys: by X-Accel-Redirect it would send a file of the site. */
export const NGINX_ORDERS =
  'X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset'
/** How many lines of a head may each be as long as the limit. */
export const LARGE_HEADS = 8
