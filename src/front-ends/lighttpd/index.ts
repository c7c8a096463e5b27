import type { FrontEnd } from '../front-end.ts'
import { render } from './render.ts'

export const lighttpd: FrontEnd = {
  name: 'lighttpd',
  title: 'lighttpd',
  output: 'A file that lighttpd.conf includes, for lighttpd 1.4.69 or later.',
  file: 'continuation-point.conf',
  without: {
    forward: 'lighttpd does not speak TLS to a back end: use --mode route, and serve verifies the service',
  },
  gaps: [
    'url.redirect and url.rewrite of the site see the path as received: it is no longer normalised, for the whole server.',
  ],
  render,
}
