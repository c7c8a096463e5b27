import type { FrontEnd } from '../front-end.ts'
import { FILE, HOME, renderParts } from './render.ts'

export const haproxy: FrontEnd = {
  name: 'haproxy',
  title: 'HAProxy',
  output:
    'A file of backends to read besides haproxy.cfg, and lines for the frontends, for HAProxy 2.4.1 or later.',
  gaps: [
    'If the service has an IP address instead of a name, only its authority is verified, not the address.',
    'In forward mode limits.bodyBytes applies to bodies with a Content-Length, and to the part of a chunked one that arrives with its head.',
    'In route mode the parts send the address of the peer and nothing of X-Forwarded-For.',
  ],
  parts: renderParts,
  home: HOME,
  lastStep: (folder) => ({
    what: 'Then test the config and restart HAProxy',
    lines: [`haproxy -c -f ${folder}/${HOME.file} -f ${folder}/${FILE} && systemctl restart haproxy`],
  }),
}
