import type { FrontEnd } from '../front-end.ts'
import { render } from './render.ts'

export const cloudflareWorker: FrontEnd = {
  name: 'cloudflare-worker',
  title: 'Cloudflare Workers',
  output: 'A module Worker that forwards by itself.',
  file: 'worker.mjs',
  without: { route: 'a Worker can’t keep Host when it calls another server: use --mode forward' },
  gaps: [
    'Field names arrive in lower case, repeated request fields joined.',
    'The URL parser rewrites dot segments before the Worker sees them.',
    'Cloudflare adds fields of its own (CF-Connecting-IP, CF-Ray, X-Forwarded-Proto), and may recompress a body.',
    'limits.bodyBytes applies only to bodies with a Content-Length.',
    'service.ca is not supported: the service needs a public certificate.',
  ],
  render,
}
