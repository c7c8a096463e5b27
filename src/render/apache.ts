import { toApacheParts } from './apache-parts.ts'
import { renderApache } from './apache-whole.ts'
import type { FrontEnd } from './front-end.ts'

export const apache: FrontEnd = {
  name: 'apache',
  title: 'Apache httpd',
  output: 'A whole apache2.conf for Debian, Apache httpd 2.4.53 or later.',
  file: 'apache2.conf',
  gaps: [
    'Of other spellings of our fields only those with an underscore are removed.',
    'No Via is added and none is looked for: a loop is not noticed.',
    'Every call opens a connection of its own, which is how httpd looks the name up again.',
    'limits.bodyBytes holds in a whole config only, for bodies that announce their length.',
    'What a site sets with Header for every answer, it sets for the parts too.',
    'In forward mode the parts leave a point without its last slash to the site, and take one of several slashes behind it.',
    'The parts send the address that httpd takes for the client’s, mod_remoteip included, and nothing else that came in X-Forwarded-For.',
    'The access log of a site holds the calls of the parts too, with what its LogFormat says.',
    'Its own error pages are httpd’s.',
  ],
  render: renderApache,
  parts: toApacheParts,
  reload: 'apachectl configtest && apachectl graceful',
}
