import { RESPONSE_REMOVED, ROUTE_REMOVED, requestRemoved } from './fields.ts'
import type { ForwardTarget } from './forward-target.ts'
import { block, separate } from './indent.ts'
import type { SiteOrigin, SitePoint } from './origins.ts'
import { quoteDecodedRegex, quoteNginx, quoteRegex } from './quote.ts'
import type { Site } from './site.ts'

/** The location blocks of one point: without its last slash, and with it. They use the maps of `nginx-whole`. */
export function toPointLocations(site: Site, origin: SiteOrigin, point: SitePoint): string[][] {
  return [bareLocation(point), location(site, origin, point)]
}

function bareLocation({ path }: SitePoint): string[] {
  return block(`location ${toLocationMatch('exact', path.slice(0, -1))}`, [
    ...toRefusal('$request_method !~ "^(?:GET|HEAD)$"', 404),
    'return 308 $continuation_slashed;',
  ])
}

function location(site: Site, origin: SiteOrigin, point: SitePoint): string[] {
  const groups = [
    [`set $continuation_origin ${quoteNginx(origin.url)};`, ...refusals()],
    site.target.kind === 'route' ? route(site, origin) : forward(site, site.target, point),
    passThrough(site),
  ]
  return block(`location ${toLocationMatch('prefix', point.path)}`, separate(groups))
}

/** nginx matches decoded paths: a path with encoded bytes is matched by a pattern of bytes. */
export function toLocationMatch(kind: 'exact' | 'prefix', path: string): string {
  if (path.includes('%')) return `~ "^${quoteDecodedRegex(path)}${kind === 'exact' ? '$' : ''}"`
  return `${kind === 'exact' ? '=' : '^~'} ${quoteNginx(path)}`
}

/** Sets `$continuation_path`, the path for the service or `serve`; empty if the path as received belongs to no point. */
export function toPathMap(origins: readonly SiteOrigin[]): string[] {
  const points = origins.flatMap((origin) => origin.points)
  const entries = points.map(({ path, strippedPath }) => {
    const kept = quoteRegex(path.slice(strippedPath.length))
    return `"~^${quoteRegex(strippedPath)}(?<continuation_rest>${kept}.*)$" $continuation_rest;`
  })
  return block('map $request_uri $continuation_path', [...new Set(entries)])
}

function refusals(): string[] {
  return [
    ...toRefusal('$continuation_known_host = ""', 421),
    ...toRefusal('$continuation_refused', 400),
    ...toRefusal('$continuation_path = ""', 404),
  ]
}

/** A response of nginx itself; `return` is the only safe directive in an `if` inside a location. */
export function toRefusal(condition: string, status: number): string[] {
  return block(`if (${condition})`, [`return ${status};`])
}

function route(site: Site, origin: SiteOrigin): string[] {
  return [
    '# serve uses these, and trusts them only from its trusted proxies.',
    'proxy_pass http://continuation_point_serve;',
    'proxy_http_version 1.1;',
    'proxy_set_header Connection "";',
    'proxy_set_header Host $continuation_host;',
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
      '# A variable makes nginx resolve the name at run time, and forward the path unchanged.',
      `set $continuation_service ${quoteNginx(`${address}:${port}`)};`,
      `proxy_pass ${scheme}://$continuation_service$continuation_path;`,
      'proxy_http_version 1.1;',
    ],
    [
      '# A client’s own fields of these names are never forwarded: each is replaced or, if empty, removed.',
      `proxy_set_header Host ${quoteNginx(target.authority)};`,
      'proxy_set_header X-Widget-Key $continuation_widget_key;',
      'proxy_set_header X-Continuation-Origin $continuation_origin;',
      forwardedFor(site),
      ...requestRemoved(site).map((name) => `proxy_set_header ${name} "";`),
    ],
    tls(target, [`proxy_ssl_name ${quoteNginx(host)};`]),
    [
      '# These would affect more of the site than this response.',
      ...RESPONSE_REMOVED.map((name) => `proxy_hide_header ${name};`),
      'add_header Cache-Control $continuation_cache_control always;',
    ],
  ])
}

function forwardedFor({ clientAddress }: Site): string {
  const value = clientAddress === 'omit' ? '""' : '$continuation_forwarded_for'
  return `proxy_set_header X-Forwarded-For ${value};`
}

/** @param name the line that names the service, if nginx does not take it from proxy_pass */
export function tls({ scheme, caFile }: ForwardTarget, name: readonly string[]): string[] {
  if (scheme === 'http') return []
  return [
    '# Verifies the certificate and its name; nginx does neither by default.',
    'proxy_ssl_server_name on;',
    ...name,
    'proxy_ssl_verify on;',
    'proxy_ssl_verify_depth 8;',
    `proxy_ssl_trusted_certificate ${quoteNginx(caFile)};`,
    'proxy_ssl_protocols TLSv1.2 TLSv1.3;',
  ]
}

function passThrough({ connectMs, headersMs, idleMs, bodyBytes }: Site): string[] {
  return [
    '# Redirects, cookies, bodies and error pages are passed unchanged and unbuffered; nothing is cached.',
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
    '# nginx must not obey fields of the service.',
    `proxy_ignore_headers ${NGINX_ORDERS};`,
    `proxy_connect_timeout ${connectMs}ms;`,
    `proxy_read_timeout ${headersMs}ms;`,
    `proxy_send_timeout ${idleMs}ms;`,
    `client_body_timeout ${idleMs}ms;`,
    `send_timeout ${idleMs}ms;`,
    '# Tries another address if one can’t be reached; a POST that was sent is not repeated.',
    'proxy_next_upstream error;',
  ]
}

/** Response fields that nginx obeys: with X-Accel-Redirect it would send a file of the site. */
export const NGINX_ORDERS =
  'X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset'
/** How many lines of a head may have the maximum length. */
export const LARGE_HEADS = 8
