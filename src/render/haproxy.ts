import type { FrontEnd } from './front-end.ts'
import { toHaproxyParts } from './haproxy-parts.ts'
import { renderHaproxy } from './haproxy-whole.ts'

export const haproxy: FrontEnd = {
  name: 'haproxy',
  title: 'HAProxy',
  output: 'A complete haproxy.cfg, for HAProxy 2.4.1 or later.',
  file: 'haproxy.cfg',
  gaps: [
    'If the service has an IP address instead of a name, only its authority is verified, not the address.',
    'In forward mode limits.bodyBytes applies to bodies that announce their length, and to the part of a chunked one that arrives with its head.',
    'In route mode the parts send the address of the peer and nothing of X-Forwarded-For.',
  ],
  render: renderHaproxy,
  parts: toHaproxyParts,
  reload:
    'haproxy -c -f /etc/haproxy/haproxy.cfg -f /etc/haproxy/continuation-point.cfg && systemctl restart haproxy',
}
