import type { FrontEnd } from '../front-end.ts'
import { render } from './render.ts'

export const varnish: FrontEnd = {
  name: 'varnish',
  title: 'Varnish Cache',
  output: 'A complete VCL 4.1 file, for Varnish 6 or later; tested with 7.1.',
  file: 'continuation-point.vcl',
  without: {
    forward: 'Varnish does not speak TLS to a back end: use --mode route, and serve verifies the service',
  },
  gaps: [
    'Sizes of heads and workspaces, and the number of field lines, are parameters of varnishd, not of the VCL.',
  ],
  render,
}
