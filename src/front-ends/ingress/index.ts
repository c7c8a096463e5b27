import { ROUTE_REMOVED } from '../fields.ts'
import type { FrontEnd } from '../front-end.ts'
import { type RoutedOrigin, renderObjects } from '../kubernetes-service.ts'
import { wholeFile } from '../part.ts'
import type { Site } from '../site.ts'
import { renderYaml } from '../yaml.ts'

export const ingress: FrontEnd = {
  name: 'ingress',
  title: 'Kubernetes Ingress',
  output:
    'Ingress objects (networking.k8s.io/v1) for Traefik’s controller; --upstream NAME:PORT is the Service. Prefer the Gateway API if you have it.',
  without: {
    forward:
      'an Ingress sets no field and holds no secret: use --mode route, with --upstream NAME:PORT of the Service',
  },
  gaps: [
    'The controller decides how a path is decoded and matched; serve checks the path again, as received.',
    'A point without its last slash is not redirected.',
    'The limit of a request head is a setting of the whole controller; Traefik’s is 1 MiB.',
    'Other controllers need their own class and annotations: no redirect of a point on http, no buffering, no limit of bodies.',
    'listen.trustedProxies needs the block of the controller’s pods.',
  ],
  parts: (site) => wholeFile('continuation-point-ingress.yaml', render(site)),
}

function render(site: Site): readonly string[] {
  return [...renderObjects(PREFACE, site, toObject), '---', ...renderYaml(MIDDLEWARE)]
}

const PREFACE = [
  '# Ingress in front of `continuation-point serve`: routes the continuation points to its Service.',
  '#',
  '# Check it with: kubectl apply --dry-run=server -f FILE. The entry points of Traefik are called web (http) and',
  '# websecure (https) here. In another namespace than default, change the start of router.middlewares.',
]

const MIDDLEWARE = {
  '# serve trusts Traefik: a client’s own fields must not get through.': '',
  apiVersion: 'traefik.io/v1alpha1',
  kind: 'Middleware',
  metadata: { name: 'continuation-point-fields' },
  spec: { headers: { customRequestHeaders: Object.fromEntries(ROUTE_REMOVED.map((name) => [name, ''])) } },
}

function toObject({ scheme, host, points, service, objectName }: RoutedOrigin) {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: objectName,
      annotations: {
        'traefik.ingress.kubernetes.io/router.entrypoints': scheme === 'https' ? 'websecure' : 'web',
        'traefik.ingress.kubernetes.io/router.middlewares': 'default-continuation-point-fields@kubernetescrd',
        'traefik.ingress.kubernetes.io/router.tls': scheme === 'https' ? 'true' : undefined,
      },
    },
    spec: {
      ingressClassName: 'traefik',
      tls:
        scheme === 'https' ? [{ hosts: [host], secretName: `${host.replaceAll('.', '-')}-tls` }] : undefined,
      rules: [
        {
          host,
          http: {
            paths: points.map(({ path }) => ({
              path,
              pathType: 'Prefix',
              backend: { service: { name: service.name, port: { number: service.port } } },
            })),
          },
        },
      ],
    },
  }
}
