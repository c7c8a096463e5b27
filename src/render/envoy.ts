import { toEnvoyParts } from './envoy-parts.ts'
import { renderEnvoy } from './envoy-whole.ts'
import type { FrontEnd } from './front-end.ts'

export const envoy: FrontEnd = {
  name: 'envoy',
  title: 'Envoy',
  output: 'A whole bootstrap configuration, for Envoy 1.28 or later.',
  file: 'envoy.yaml',
  gaps: [
    'Field names arrive in lower case.',
    'Every field with an underscore in its name is dropped.',
    'limits.bodyBytes holds for bodies that announce their length only.',
    'X-Forwarded-For of a client is replaced; a proxy in front that is to be believed needs xff_num_trusted_hops.',
    'x-request-id and the x-envoy fields of Envoy’s own are switched off where it allows that.',
  ],
  render: renderEnvoy,
  parts: toEnvoyParts,
  reload: 'envoy --mode validate -c /etc/envoy/envoy.yaml',
}
