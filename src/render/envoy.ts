import { toEnvoyParts } from './envoy-parts.ts'
import { renderEnvoy } from './envoy-whole.ts'
import type { FrontEnd } from './front-end.ts'

export const envoy: FrontEnd = {
  name: 'envoy',
  title: 'Envoy',
  output: 'A complete bootstrap configuration, for Envoy 1.28 or later.',
  file: 'envoy.yaml',
  gaps: [
    'Field names arrive in lower case.',
    'Every field with an underscore in its name is dropped.',
    'limits.bodyBytes applies only to bodies that announce their length.',
    'X-Forwarded-For of a client is replaced; to trust a proxy in front, set xff_num_trusted_hops.',
    'Envoy’s x-request-id and x-envoy fields are switched off where that is possible.',
  ],
  render: renderEnvoy,
  parts: toEnvoyParts,
  reload: 'envoy --mode validate -c /etc/envoy/envoy.yaml',
}
