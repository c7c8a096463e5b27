import type { FrontEnd } from '../front-end.ts'
import { render } from './render.ts'

export const gatewayApi: FrontEnd = {
  name: 'gateway-api',
  title: 'Kubernetes Gateway API',
  output: 'HTTPRoute objects (gateway.networking.k8s.io/v1).',
  file: 'continuation-point-routes.yaml',
  without: {
    forward: 'an HTTPRoute holds no secret: use --mode route, with --upstream NAME:PORT of the Service',
  },
  gaps: [
    'The implementation decides how a path is decoded and matched, and how large a request head may be; serve checks the path again, as received.',
    'serve must trust the gateway: its pods’ block belongs in listen.trustedProxies.',
  ],
  render,
}
