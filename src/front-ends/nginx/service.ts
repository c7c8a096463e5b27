import { explain, quoteNginx, separate } from '../config-text.ts'
import { RESPONSE_REMOVED, requestRemoved } from '../fields.ts'
import type { ForwardTarget } from '../forward-target.ts'
import type { Part } from '../part.ts'
import type { Site } from '../site.ts'

export const SERVICE = 'snippets/continuation-point-service.conf'

/** What a point that forwards by itself includes: how the service is verified, and which fields do not pass. */
export function servicePart(site: Site, target: ForwardTarget): Part {
  const removed = requestRemoved(site).filter((name) => !NGINX_REMOVES.includes(name))
  return {
    file: SERVICE,
    about: 'For every point: verifies the service, and lists the headers that do not pass',
    steps: [],
    lines: separate([
      tls(target),
      [
        '# What a visitor’s request says about the way here.',
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

function tls({ scheme, host, authority, caFile }: ForwardTarget): string[] {
  const isLocal = host === 'localhost'
  const name = isLocal ? [`proxy_set_header Host ${authority};`] : []
  if (scheme === 'http') return name
  return [
    ...name,
    ...explain([
      ['proxy_ssl_server_name on;', 'the name of the service in TLS'],
      ...(isLocal ? [['proxy_ssl_name localhost;'] as const] : []),
      ['proxy_ssl_verify on;', 'its certificate, which nginx does not verify by default'],
      ['proxy_ssl_verify_depth 8;', 'with intermediates'],
      [`proxy_ssl_trusted_certificate ${quoteNginx(caFile)};`, 'against these authorities'],
      ['proxy_ssl_protocols TLSv1.2 TLSv1.3;', 'before 1.23.4 nginx speaks no 1.3 by default'],
    ]),
  ]
}

/** Response fields that nginx obeys. */
const NGINX_ORDERS = 'X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset'
/** Removed by nginx by default. */
const NGINX_REMOVES = ['Keep-Alive', 'TE', 'Upgrade']
