import { ROUTE_REMOVED } from '../fields.ts'
import { type RoutedOrigin, renderObjects } from '../kubernetes-service.ts'
import type { Site } from '../site.ts'

export const render = (site: Site): readonly string[] => renderObjects(preface, site, toObject)

const preface = [
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
