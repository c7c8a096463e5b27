import type { FrontEnd } from '../front-end.ts'
import { reasonAgainst, render } from './render.ts'

export const cloudfront: FrontEnd = {
  name: 'cloudfront',
  title: 'Amazon CloudFront',
  output: 'A Lambda@Edge function (Node.js, ES module) that makes a distribution forward by itself.',
  file: 'index.mjs',
  without: {
    route: 'CloudFront reaches only public origins, and serve should not be one: use --mode forward',
  },
  gaps: [
    'CloudFront refuses heads of more than 20 KiB, TRACE, CONNECT and non-standard methods.',
    'CloudFront truncates a body of more than 1 MiB for a function that reads it; this one does not.',
    'A distribution is for the points of one host, with one widget key: render each from its own config.',
    'limits.bodyBytes applies only to bodies with a Content-Length.',
    'service.ca is not supported: the service needs a public certificate.',
  ],
  reasonAgainst,
  render,
}
