import type { ForwardTarget } from '../forward-target.ts'
import { block } from '../indent.ts'
import type { SiteOrigin } from '../origins.ts'
import { quoteDecodedRegex, quoteNginx, quoteRegex } from '../quote.ts'

/** nginx matches decoded paths: a path with encoded bytes is matched by a pattern of bytes. */
export function renderLocationMatch(path: string): string {
  return path.includes('%') ? `~ "^${quoteDecodedRegex(path)}"` : `^~ ${quoteNginx(path)}`
}

/** Sets `$continuation_path`, the path for the service; empty if the host, or the path as received, belongs to no point. */
export function renderPathMap(origins: readonly SiteOrigin[]): string[] {
  const entries = origins.flatMap(({ host, points }) =>
    points.map(({ path, strippedPath }) => {
      const kept = quoteRegex(path.slice(strippedPath.length))
      return `"~^${quoteRegex(`${host}${strippedPath}`)}(?<continuation_rest>${kept}.*)$" $continuation_rest;`
    }),
  )
  return block('map $host$request_uri $continuation_path', [...new Set(entries)])
}

/** A response of nginx itself; `return` is the only safe directive in an `if` inside a location. */
export function renderRefusal(condition: string, status: number): string[] {
  return block(`if (${condition})`, [`return ${status};`])
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

/** Response fields that nginx obeys: with X-Accel-Redirect it would send a file of the site. */
export const NGINX_ORDERS =
  'X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset'
/** How many lines of a head may have the maximum length. */
export const LARGE_HEADS = 8
