import { OWNED_ALIASES, RESPONSE_REMOVED, requestRemoved } from '../fields.ts'
import type { ForwardTarget } from '../forward-target.ts'
import { separate } from '../indent.ts'
import type { Part } from '../part.ts'
import { quoteNginx } from '../quote.ts'
import type { Site } from '../site.ts'

/** What a point that forwards by itself includes: how the service is verified, and which fields do not pass. */
export function servicePart(site: Site, target: ForwardTarget): Part {
  const removed = requestRemoved(site).filter((name) => !NGINX_REMOVES.includes(name))
  return {
    file: 'snippets/continuation-point-service.conf',
    about: 'For every point: verifies the service, and lists the fields that do not pass',
    steps: [],
    lines: separate([
      tls(target),
      [
        '# A client’s own fields of these names are never forwarded.',
        ...[...OWNED_ALIASES, ...removed].map((name) => `proxy_set_header ${name} "";`),
      ],
      [
        '# These would affect more of the site than this response.',
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

function tls({ scheme, host, authority, caFile }: ForwardTarget): string[] {
  const isLocal = host === 'localhost'
  const name = isLocal ? [`proxy_set_header Host ${authority};`] : []
  if (scheme === 'http') return name
  return [
    ...name,
    '# Verifies the certificate and its name; nginx does neither by default.',
    'proxy_ssl_server_name on;',
    ...(isLocal ? ['proxy_ssl_name localhost;'] : []),
    'proxy_ssl_verify on;',
    'proxy_ssl_verify_depth 8;',
    `proxy_ssl_trusted_certificate ${quoteNginx(caFile)};`,
    'proxy_ssl_protocols TLSv1.2 TLSv1.3;',
  ]
}

/** Response fields that nginx obeys. */
const NGINX_ORDERS = 'X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset'
/** Removed by nginx by default. */
const NGINX_REMOVES = ['Keep-Alive', 'TE', 'Upgrade']
