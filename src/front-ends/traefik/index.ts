import type { FrontEnd } from '../front-end.ts'
import { render } from './render.ts'

export const traefik: FrontEnd = {
  name: 'traefik',
  title: 'Traefik',
  output: 'A dynamic configuration for the file provider, for Traefik 3.',
  file: 'continuation-point.yml',
  gaps: [
    'A point without its last slash is not redirected.',
    'Rules match the decoded path; it is forwarded as Go encodes it.',
    'Other spellings of our fields are removed only if they have an underscore.',
    'Cache-Control of the service is replaced by "private, no-store" in forward mode.',
    'limits.bodyBytes is not kept in forward mode: Traefik could only hold whole bodies back to measure them.',
    'Limits of request heads, and trusted proxies for X-Forwarded-For, are set in the static configuration of the entry points.',
  ],
  render,
}
