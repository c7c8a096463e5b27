import { ROUTE_REMOVED } from '../fields.ts'
import type { FrontEnd } from '../front-end.ts'
import { type RoutedOrigin, renderObjects } from '../kubernetes-service.ts'
import { wholeFile } from '../part.ts'

export const gatewayApi: FrontEnd = {
  name: 'gateway-api',
  title: 'Kubernetes Gateway API',
  output: 'HTTPRoute objects (gateway.networking.k8s.io/v1); --upstream NAME:PORT is the Service.',
  without: {
    forward: 'an HTTPRoute holds no secret: use --mode route, with --upstream NAME:PORT of the Service',
  },
  gaps: [
    'The implementation decides how a path is decoded and matched, and how large a request head may be; serve checks the path again, as received.',
    'listen.trustedProxies needs the block of the gateway’s pods.',
  ],
  parts: (site) => wholeFile('continuation-point-routes.yaml', renderObjects(PREFACE, site, toObject)),
}

const PREFACE = [
  '# Gateway API in front of `continuation-point serve`: routes the continuation points to its Service.',
  '#',
  '# Check it with: kubectl apply --dry-run=server -f FILE. The Gateway is called public here, its listeners http',
  '# and https.',
]

function toObject({ scheme, host, points, service, objectName }: RoutedOrigin) {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: objectName },
    spec: {
      parentRefs: [{ name: 'public', sectionName: scheme }],
      hostnames: [host],
      rules: [
        {
          matches: points.map(({ path }) => ({ path: { type: 'PathPrefix', value: path } })),
          filters: [
            {
              type: 'RequestHeaderModifier',
              requestHeaderModifier: {
                '# The listener knows the scheme; a client’s field is replaced.': '',
                set: [{ name: 'X-Forwarded-Proto', value: scheme }],
                remove: ROUTE_REMOVED,
              },
            },
          ],
          '# serve has its own timeouts.': '',
          timeouts: { request: '0s' },
          backendRefs: [{ ...service }],
        },
      ],
    },
  }
}
