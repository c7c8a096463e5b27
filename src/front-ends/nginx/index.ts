import type { FrontEnd } from '../front-end.ts'
import { renderParts } from './render.ts'

export const nginx: FrontEnd = {
  name: 'nginx',
  title: 'nginx',
  output:
    'Locations for each server block to include once, a snippet that they share, and limits for http, for nginx 1.19.4 or later.',
  gaps: [
    'With underscores_in_headers on, X_Widget_Key and X_Continuation_Origin are still dropped, but no other such field.',
    'X-Forwarded-For is replaced by $remote_addr: behind a load balancer set real_ip_header.',
    'proxy_set_body of a site replaces the bodies sent to its points too: write it into locations of the site.',
    'Access rules and limits of the site, such as auth_basic, deny and limit_req, apply to its points too.',
    'If an address of the service closes the connection in forward mode, a GET is sent to the next one; a POST is not.',
    'Before 1.29, nginx in forward mode takes a 103 of the service for the response, and passes on all that follows as it is: use serve for a service that you don’t trust with your whole site.',
  ],
  parts: renderParts,
  home: { folder: '/etc/nginx', file: 'nginx.conf' },
  lastStep: () => ({ what: 'Then test the config and reload it', lines: ['nginx -t && nginx -s reload'] }),
}
