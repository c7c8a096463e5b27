import type { FrontEnd } from './front-end.ts'
import { toHaproxyParts } from './haproxy-parts.ts'
import { renderHaproxy } from './haproxy-whole.ts'

export const haproxy: FrontEnd = {
  name: 'haproxy',
  title: 'HAProxy',
  output: 'A whole haproxy.cfg, for HAProxy 2.4.1 or later.',
  file: 'haproxy.cfg',
  gaps: [
    'Field names arrive in lower case.',
    'No Via is added and none is looked for: a loop is not noticed.',
    'A service that is named by an IP address is verified against its authority only, not against its name.',
    'limits.bodyBytes holds for bodies that announce their length only.',
    'Where a site compresses all its answers, it compresses those of the parts too.',
    'The parts leave a point without its last slash to the site.',
    'In route mode the parts send the address of the peer and nothing that came in X-Forwarded-For.',
    'Its own error pages are HAProxy’s.',
  ],
  render: renderHaproxy,
  parts: toHaproxyParts,
  reload:
    'haproxy -c -f /etc/haproxy/haproxy.cfg -f /etc/haproxy/continuation-point.cfg && systemctl restart haproxy',
}
