import { ROUTE_REMOVED } from './fields.ts'
import type { FrontEnd } from './front-end.ts'
import { toKubernetesService } from './kubernetes-service.ts'
import type { SiteOrigin } from './origins.ts'
import type { Site } from './site.ts'
import { toYaml, type Yaml } from './yaml.ts'

export const gatewayApi: FrontEnd = {
  name: 'gateway-api',
  title: 'Kubernetes Gateway API',
  output: 'HTTPRoute objects (gateway.networking.k8s.io/v1).',
  file: 'continuation-point-routes.yaml',
  without: {
    forward: 'an HTTPRoute holds no secret: use --mode route, with --upstream NAME:PORT of the Service',
  },
  gaps: [
    'The implementation decides how a path is decoded and matched, and how large a request head may be; serve checks the octets again.',
    'serve must trust the gateway: its pods’ block belongs into listen.trustedProxies.',
  ],
  render,
}

function render(site: Site): string {
  const documents = site.origins.map((origin, index) => toYaml(toObject(site, origin, index + 1)).join('\n'))
  return `${preface.join('\n')}\n${documents.join('\n---\n')}\n`
}

const preface = [
  '# Gateway API in front of `continuation-point serve`: routes the continuation points to its Service.',
  '#',
  '# Check it with: kubectl apply --dry-run=server -f FILE. The Gateway is called public here, its listeners http',
  '# and https.',
]

function toObject(site: Site, { url, scheme, host, points }: SiteOrigin, number: number): Yaml {
  const { name, port } = toKubernetesService(site)
  return {
    [`# ${url}`]: '',
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: `${name}-${number}` },
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
          backendRefs: [{ name, port }],
        },
      ],
    },
  }
}
