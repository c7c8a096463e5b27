import { toApacheParts } from './apache-parts.ts'
import { renderApache } from './apache-whole.ts'
import type { FrontEnd } from './front-end.ts'

export const apache: FrontEnd = {
  name: 'apache',
  title: 'Apache httpd',
  output: 'A complete apache2.conf for Debian, Apache httpd 2.4.53 or later.',
  file: 'apache2.conf',
  gaps: [
    'In forward mode limits.bodyBytes applies only in a whole config, to bodies that announce their length.',
    'The parts send the address that httpd considers the client’s, including mod_remoteip, and nothing else of X-Forwarded-For.',
    'The access log of a site includes the calls of the parts, in its LogFormat.',
  ],
  render: renderApache,
  parts: toApacheParts,
  reload: 'apachectl configtest && apachectl graceful',
}
