import type { FrontEnd } from '../front-end.ts'
import { reader } from './adopt.ts'
import { renderParts } from './render.ts'

export const apache: FrontEnd = {
  name: 'apache',
  title: 'Apache httpd',
  output:
    'Files for the virtual hosts to include, and one of limits for the server, for Debian and Apache httpd 2.4.53 or later.',
  gaps: [
    'limits.bodyBytes is not kept in forward mode.',
    'A path belongs to a point if it does once it is decoded and normalised: /service_cookie_%74ransfer/ does and, in route mode, /x/../service_cookie_transfer/.',
    'In a target that is a whole URL, percent signs are encoded again.',
    'The parts send the address that httpd considers the client’s, including mod_remoteip, and nothing else of X-Forwarded-For.',
    'Header, RequestHeader, ProxyPassReverseCookieDomain and ProxyPassReverseCookiePath of a virtual host apply to its points as well: write them into a <Location> of the site.',
    'The access log of a site includes the requests of the parts, in its LogFormat.',
  ],
  parts: renderParts,
  home: { folder: '/etc/apache2', file: 'apache2.conf' },
  lastStep: () => ({
    what: 'Then test the config and reload it',
    lines: ['apachectl configtest && apachectl graceful'],
  }),
  reader,
}
