import { toCaddyParts } from './caddy-parts.ts'
import { renderCaddy } from './caddy-whole.ts'
import type { FrontEnd } from './front-end.ts'

export const caddy: FrontEnd = {
  name: 'caddy',
  title: 'Caddy',
  output: 'A complete Caddyfile, for Caddy 2.6 or later.',
  file: 'Caddyfile',
  gaps: [
    'The logs of a site include the calls of the parts: query, address and Referer.',
    'The parts send the address of the peer and nothing of X-Forwarded-For.',
  ],
  render: renderCaddy,
  parts: toCaddyParts,
  reload: 'caddy validate --config /etc/caddy/Caddyfile && caddy reload --config /etc/caddy/Caddyfile',
}
