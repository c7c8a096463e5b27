import type { FrontEnd } from './front-end.ts'
import { toHaproxyParts } from './haproxy-parts.ts'
import { renderHaproxy } from './haproxy-whole.ts'

export const haproxy: FrontEnd = {
  name: 'haproxy',
  title: 'HAProxy',
  output: 'A whole haproxy.cfg, for HAProxy 2.4.1 or later.',
  file: 'haproxy.cfg',
  gaps: [
    'A service that is named by an IP address is verified against its authority only, not against its name.',
    'In forward mode limits.bodyBytes holds for bodies that announce their length, and for what of a chunked one comes with its head.',
    'In route mode the parts send the address of the peer and nothing that came in X-Forwarded-For.',
  ],
  render: renderHaproxy,
  parts: toHaproxyParts,
  reload:
    'haproxy -c -f /etc/haproxy/haproxy.cfg -f /etc/haproxy/continuation-point.cfg && systemctl restart haproxy',
}
