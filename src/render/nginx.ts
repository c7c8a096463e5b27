import type { FrontEnd } from './front-end.ts'
import { toNginxParts } from './nginx-parts.ts'
import { renderNginx } from './nginx-whole.ts'

export const nginx: FrontEnd = {
  name: 'nginx',
  title: 'nginx',
  output: 'A whole nginx.conf, for nginx 1.19.4 or later.',
  file: 'nginx.conf',
  gaps: [
    'Fields with unusual names (an underscore, a dot) are dropped, not only those that look like ours.',
    'Where a site sets underscores_in_headers on, the parts still drop X_Widget_Key and X_Continuation_Origin, but no other field of that kind.',
    'Fields that Connection names are forwarded; nothing of ours can be among them.',
    'No Via is added and none is looked for: a loop is not noticed.',
    'The parts send the address that nginx takes for the client’s ($remote_addr) and nothing that came in X-Forwarded-For: behind a load balancer set real_ip_header.',
    'In forward mode every call opens a connection of its own to the service.',
    'When an address of the service breaks off, GET, PUT and other idempotent calls without a body go to the next.',
    'Its own error pages are nginx’s.',
  ],
  render: renderNginx,
  parts: toNginxParts,
  reload: 'nginx -t && nginx -s reload',
}
