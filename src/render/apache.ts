import { toApacheParts } from './apache-parts.ts'
import { renderApache } from './apache-whole.ts'
import type { FrontEnd } from './front-end.ts'

export const apache: FrontEnd = {
  name: 'apache',
  title: 'Apache httpd',
  output: 'A whole apache2.conf for Debian, Apache httpd 2.4.53 or later.',
  file: 'apache2.conf',
  gaps: [
    'In forward mode limits.bodyBytes holds in a whole config only, for bodies that announce their length.',
    'The parts send the address that httpd takes for the client’s, mod_remoteip included, and nothing else that came in X-Forwarded-For.',
    'The access log of a site holds the calls of the parts too, with what its LogFormat says.',
  ],
  render: renderApache,
  parts: toApacheParts,
  reload: 'apachectl configtest && apachectl graceful',
}
