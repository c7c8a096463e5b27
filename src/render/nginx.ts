import type { FrontEnd } from './front-end.ts'
import { toNginxParts } from './nginx-parts.ts'
import { renderNginx } from './nginx-whole.ts'

export const nginx: FrontEnd = {
  name: 'nginx',
  title: 'nginx',
  output: 'A complete nginx.conf, for nginx 1.19.4 or later.',
  file: 'nginx.conf',
  gaps: [
    'If a site sets underscores_in_headers on, X_Widget_Key and X_Continuation_Origin are still dropped, but no other such field.',
    'The parts send the address that nginx considers the client’s ($remote_addr) and nothing else of X-Forwarded-For: behind a load balancer set real_ip_header.',
    'If an address of the service closes the connection in forward mode, a GET is sent to the next one; a POST is not.',
  ],
  render: renderNginx,
  parts: toNginxParts,
  reload: 'nginx -t && nginx -s reload',
}
