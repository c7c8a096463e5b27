import type { FrontEnd } from './front-end.ts'
import { toKubernetesService } from './kubernetes-service.ts'
import type { SiteOrigin } from './origins.ts'
import type { Site } from './site.ts'
import { toYaml, type Yaml } from './yaml.ts'

export const ingress: FrontEnd = {
  name: 'ingress',
  title: 'Kubernetes Ingress',
  output: 'Ingress objects (networking.k8s.io/v1) with annotations of ingress-nginx.',
  file: 'continuation-point-ingress.yaml',
  without: {
    forward:
      'an Ingress sets no field and holds no secret: use --mode route, with --upstream NAME:PORT of the Service',
  },
  gaps: [
    'How a path is decoded and matched is the controller’s; serve looks at the octets again.',
    'The size of a head is set for a whole controller: large-client-header-buffers in the ConfigMap of ingress-nginx.',
    'serve must trust the controller: its pods’ block belongs into listen.trustedProxies.',
  ],
  render,
}

function render(site: Site): string {
  const documents = site.origins.map((origin, index) => toYaml(toObject(site, origin, index + 1)).join('\n'))
  return `${preface(site).join('\n')}\n${documents.join('\n---\n')}\n`
}

function preface({ headerBytes }: Site): string[] {
  return [
    '# Ingress in front of `continuation-point serve`: routes the continuation points to its Service.',
    '#',
    '# Check it with: kubectl apply --dry-run=server -f FILE. Cookies travel with every call: the ConfigMap of',
    `# ingress-nginx needs   large-client-header-buffers: "8 ${Math.ceil(headerBytes / 1024)}k"`,
  ]
}

function toObject(site: Site, { url, scheme, host, points }: SiteOrigin, number: number): Yaml {
  const { name, port } = toKubernetesService(site)
  return {
    [`# ${url}`]: '',
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: `${name}-${number}`,
      annotations: {
        '# Bodies and answers pass at once and whole.': '',
        'nginx.ingress.kubernetes.io/proxy-body-size': String(site.bodyBytes ?? 0),
        'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
        'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
        'nginx.ingress.kubernetes.io/proxy-buffer-size': '64k',
        'nginx.ingress.kubernetes.io/proxy-next-upstream': 'off',
        'nginx.ingress.kubernetes.io/proxy-read-timeout': String(
          Math.max(1, Math.ceil(site.headersMs / 1000)),
        ),
        '# A redirect to https would take a point on http away.': '',
        'nginx.ingress.kubernetes.io/ssl-redirect': String(scheme === 'https'),
      },
    },
    spec: {
      ingressClassName: 'nginx',
      tls:
        scheme === 'https' ? [{ hosts: [host], secretName: `${host.replaceAll('.', '-')}-tls` }] : undefined,
      rules: [
        {
          host,
          http: {
            paths: points.map(({ path }) => ({
              path,
              pathType: 'Prefix',
              backend: { service: { name, port: { number: port } } },
            })),
          },
        },
      ],
    },
  }
}
