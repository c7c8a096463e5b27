import type { FrontEnd } from './front-end.ts'
import { toNginxParts } from './nginx-parts.ts'
import { renderNginx } from './nginx-whole.ts'

export const nginx: FrontEnd = {
  name: 'nginx',
  title: 'nginx',
  output: 'A whole nginx.conf, for nginx 1.19.4 or later.',
  file: 'nginx.conf',
  gaps: [
    'Where a site sets underscores_in_headers on, X_Widget_Key and X_Continuation_Origin are still dropped, but no other field of that kind.',
    'The parts send the address that nginx takes for the client’s ($remote_addr) and nothing else that came in X-Forwarded-For: behind a load balancer set real_ip_header.',
    'When an address of the service breaks off in forward mode, a GET goes to the next one; a POST does not.',
  ],
  render: renderNginx,
  parts: toNginxParts,
  reload: 'nginx -t && nginx -s reload',
}
