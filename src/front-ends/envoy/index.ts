import type { FrontEnd } from '../front-end.ts'
import { renderParts } from './render.ts'

export const envoy: FrontEnd = {
  name: 'envoy',
  title: 'Envoy',
  output:
    'Routes, a cluster and options of the connection manager to paste into a bootstrap configuration, for Envoy 1.28 or later.',
  gaps: [
    'Field names arrive in lower case.',
    'Every field with an underscore in its name is dropped.',
    'limits.bodyBytes applies only to bodies with a Content-Length.',
    'X-Forwarded-For of a client is replaced; to trust a proxy in front, set xff_num_trusted_hops.',
    'Envoy adds x-envoy fields, and in route mode x-request-id, unless the site switches them off.',
  ],
  parts: renderParts,
  lastStep: () => ({
    what: 'Paste them where the first line of each says, then test the config and restart Envoy',
    lines: ['envoy --mode validate -c /etc/envoy/envoy.yaml'],
  }),
}
