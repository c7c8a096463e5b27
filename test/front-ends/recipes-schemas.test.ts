import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readManifests } from '../deploy/manifests.ts'
import { top } from '../project/source-tree.ts'
import { modules, skipsSchemas } from '../schemas/schemas.ts'
import { type Typed, toTypeFaults } from '../schemas/type-check.ts'
import { faultsOf, loadEnvoyProtos } from './support/envoy-protos.ts'

const read = (recipe: string) => readFileSync(join(top, 'deploy/recipes', recipe), 'utf8')
const route = parse(read('kubernetes/http-route.yaml'))
const [ingress, middleware] = parseAllDocuments(read('kubernetes/ingress.yaml')).map((each) => each.toJS())

describe.skipIf(skipsSchemas)('the examples, validated against the vendors’ schemas', () => {
  it('Envoy', () => {
    const root = loadEnvoyProtos()
    const bootstrap = parse(read('envoy/envoy.yaml'))
    const type = 'envoy.config.bootstrap.v3.Bootstrap'
    expect(faultsOf(root, type, bootstrap)).toEqual([])
    expect(faultsOf(root, type, { static_resources: { listener: [] } })).toEqual([
      `${type}.static_resources: listener is unknown`,
    ])
  }, 60_000)

  /** What is made from the definitions of custom resources, so without what Traefik reads from files only. */
  it('Gateway API and Traefik', () => {
    const { http } = parse(read('traefik/points.yaml'))
    const { servers, ...balancer } = http.services.continuation.loadBalancer
    // Of the file alone: a custom resource names a Service in place of URLs.
    expect(servers).toEqual([{ url: 'http://127.0.0.1:8080' }])
    const typed = [
      gateway(route),
      traefik('MiddlewareSpec', middleware.spec),
      traefik('MiddlewareSpec', http.middlewares.continuation),
      traefik('LoadBalancerSpec', { name: 'continuation', ...balancer }),
      traefik('ServersTransportSpec', http.serversTransports.continuation),
    ]
    expect(toTypeFaults(typed)).toBe('')
    const misspelt = traefik('MiddlewareSpec', { headers: { customRequestHeader: {} } })
    expect(toTypeFaults([misspelt])).toContain('customRequestHeader')
  }, 60_000)
})

function gateway(value: unknown): Typed {
  const module = join(modules, '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute')
  return { value, type: 'IHTTPRoute', module }
}

function traefik(name: string, value: unknown): Typed {
  const type = `IComGithubTraefikTraefikV3PkgProviderKubernetesCrdTraefikioV1alpha1${name}`
  return { value, type, module: join(modules, '@kubernetes-models/traefik/traefik.io/v1alpha1', name) }
}

it('the examples for Kubernetes lead to the Service of the base', () => {
  const services = readManifests('kubernetes/base').filter(({ kind }) => kind === 'Service')
  const [target] = services.map(({ metadata, spec }) => ({
    name: metadata.name,
    port: { number: (spec as { ports: [{ port: number }] }).ports[0].port },
  }))
  expect(route.spec.rules[0].backendRefs).toEqual([{ name: target?.name, port: target?.port.number }])
  const { paths } = ingress.spec.rules[0].http
  expect(paths.map((path: { backend: unknown }) => path.backend)).toEqual([
    { service: target },
    { service: target },
  ])
})

it('the Ingress uses the middleware beside it', () => {
  expect(ingress.metadata.annotations).toMatchObject({
    'traefik.ingress.kubernetes.io/router.middlewares': `default-${middleware.metadata.name}@kubernetescrd`,
  })
})
