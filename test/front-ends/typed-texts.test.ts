import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { modules, skipsSchemas } from '../schemas/schemas.ts'
import { type Typed, toTypeFaults } from '../schemas/type-check.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { renderConfig } from './support/rendered.ts'

const service = { service: { url: 'https://service.example' }, widgetKey: 'env:WIDGET_KEY' }
const configs = legalConfigs.map(([, config]) => ({ ...service, ...config }))

/** What is made from the definitions of custom resources, so without what Traefik reads from files only. */
describe.skipIf(skipsSchemas)('texts validated against the vendors’ types', () => {
  it('Gateway API: every object', () => {
    const objects = configs.flatMap((config) =>
      parseAllDocuments(renderConfig('gateway-api', 'route', config, 'points.shop.svc:80')).map((each) =>
        each.toJS(),
      ),
    )
    expect(objects.length).toBeGreaterThan(configs.length)
    expect(toTypeFaults(objects.map(toRoute))).toBe('')
  })

  it('Traefik: middlewares, the load balancer and the transport', () => {
    const texts = configs.flatMap((config) => [
      renderConfig('traefik', 'route', config),
      renderConfig('traefik', 'forward', config),
    ])
    const ingress = parseAllDocuments(renderConfig('ingress', 'route', configs[0] ?? service))
      .at(-1)
      ?.toJS()
    expect(ingress.kind).toBe('Middleware')
    const typed = texts.flatMap((text) => {
      const { http } = parse(text)
      const { servers, ...balancer } = http.services.continuation.loadBalancer
      // Of the file alone: a custom resource names a Service in place of URLs, and certificates of Secrets.
      expect(servers).toEqual([{ url: expect.any(String) }])
      const { rootCAs: _files, ...transport } = http.serversTransports.continuation
      return [
        ...Object.values(http.middlewares).map((value) => traefik('MiddlewareSpec', value)),
        traefik('LoadBalancerSpec', { name: 'continuation', ...balancer }),
        traefik('ServersTransportSpec', transport),
      ]
    })
    expect(toTypeFaults([...typed, traefik('MiddlewareSpec', ingress.spec)])).toBe('')
  })

  it.each<readonly [what: string, typed: Typed, fault: string]>([
    [
      'a misspelt field',
      traefik('MiddlewareSpec', { headers: { customRequestHeader: {} } }),
      'customRequestHeader',
    ],
    ['a wrong type', traefik('ServersTransportSpec', { serverName: 1 }), 'TS2322'],
  ])('would find %s', (_what, typed, fault) => {
    expect(toTypeFaults([typed])).toContain(fault)
  })
})

function toRoute(value: unknown): Typed {
  const module = join(modules, '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute')
  return { value, type: 'IHTTPRoute', module }
}

function traefik(name: string, value: unknown): Typed {
  const type = `IComGithubTraefikTraefikV3PkgProviderKubernetesCrdTraefikioV1alpha1${name}`
  return { value, type, module: join(modules, '@kubernetes-models/traefik/traefik.io/v1alpha1', name) }
}
