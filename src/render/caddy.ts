import { toCaddyParts } from './caddy-parts.ts'
import { renderCaddy } from './caddy-whole.ts'
import type { FrontEnd } from './front-end.ts'

export const caddy: FrontEnd = {
  name: 'caddy',
  title: 'Caddy',
  output: 'A whole Caddyfile, for Caddy 2.6 or later.',
  file: 'Caddyfile',
  gaps: [
    'Field names arrive in Go’s canonical case.',
    'Of other spellings of our fields only those with an underscore are removed.',
    "In forward mode, below a cookie path, a path with one of !'()* and no percent sign arrives with those encoded.",
    'A target that Go does not parse (a stray percent sign) is 400.',
    'No Via is looked for: a loop is not noticed.',
    'A Server field of Caddy’s own is added to the answer.',
    'What a site sets with header or encode for every answer, it sets for the parts too.',
    'The logs of a site hold the calls of the parts too: query, address and Referer.',
    'The parts leave a point without its last slash to the site.',
    'The parts send the address of the peer and nothing that came in X-Forwarded-For, unless trusted_proxies of the site says otherwise.',
  ],
  render: renderCaddy,
  parts: toCaddyParts,
  reload: 'caddy validate --config /etc/caddy/Caddyfile && caddy reload --config /etc/caddy/Caddyfile',
}
