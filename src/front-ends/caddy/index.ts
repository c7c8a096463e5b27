import type { FrontEnd } from '../front-end.ts'
import { reader } from './adopt.ts'
import { renderParts } from './render.ts'

export const caddy: FrontEnd = {
  name: 'caddy',
  title: 'Caddy',
  output: 'Files for the site blocks to import, for Caddy 2.6 or later.',
  gaps: [
    'basicauth, forward_auth, redir and request_body of a site block apply to its points as well: put them into a handle block.',
    'The logs of a site include the requests of the parts: query, address and Referer.',
    'A response without X-Request-Id gets one: only so Caddy logs the id.',
    'The parts send the address of the peer and nothing of X-Forwarded-For.',
    'In forward mode a path belongs to a point whatever the case of its letters, encoded or not.',
  ],
  parts: renderParts,
  home: { folder: '/etc/caddy', file: 'Caddyfile' },
  lastStep: (folder) => ({
    what: 'Then test the config and reload it',
    lines: [`caddy validate --config ${folder}/Caddyfile && caddy reload --config ${folder}/Caddyfile`],
  }),
  reader,
}
