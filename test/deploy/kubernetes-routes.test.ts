import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { frontEnds } from '../../src/front-ends/index.ts'
import { renderConfig } from '../front-ends/support/rendered.ts'
import { fill } from './chart.ts'
import { CHART, deploy, type Manifest, readChart, readManifests, readValues } from './manifests.ts'

const config = {
  points: ['https://www.example.com/service_cookie_transfer/', 'http://a.example/service_cookie_transfer/'],
}

const serviceOf = (manifests: readonly Manifest[]) => {
  const service = manifests.find(({ kind }) => kind === 'Service')
  const [port] = (service?.spec?.ports ?? []) as { readonly port: number }[]
  return { name: service?.metadata.name, port: port?.port }
}

const documentsOf = (frontEnd: string, upstream?: string) =>
  parseAllDocuments(renderConfig(frontEnd, 'route', config, upstream))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind !== 'Middleware')

const targets: Readonly<Record<string, (document: ReturnType<typeof documentsOf>[0]) => unknown[]>> = {
  'gateway-api': ({ spec }) =>
    spec.rules.flatMap((rule: { backendRefs: readonly object[] }) => rule.backendRefs),
  ingress: ({ spec }) =>
    spec.rules
      .flatMap((rule: { http: { paths: readonly object[] } }) => rule.http.paths)
      .map((path: { backend: { service: { name: string; port: { number: number } } } }) => ({
        name: path.backend.service.name,
        port: path.backend.service.port.number,
      })),
}

describe.each(Object.entries(targets))('%s', (frontEnd, targetsOf) => {
  it('leads to the Service of the base, unless another is named', () => {
    for (const document of documentsOf(frontEnd)) {
      expect(targetsOf(document)).toEqual([serviceOf(readManifests('kubernetes/base'))])
    }
  })

  it('leads to the Service of the chart, as its notes say', () => {
    const notes = readFileSync(join(deploy, CHART, 'templates/NOTES.txt'), 'utf8')
    const said = fill(notes, {
      Values: readValues(),
      Release: { Name: 'points', Namespace: 'shop' },
    })
    const [, upstream] = new RegExp(`render ${frontEnd} .*--upstream (\\S+)`).exec(said) ?? []
    for (const document of documentsOf(frontEnd, upstream)) {
      expect(targetsOf(document)).toEqual([serviceOf(readChart())])
    }
  })
})

it('each Ingress uses the middleware that removes what a client says about the hop before', () => {
  const objects = parseAllDocuments(renderConfig('ingress', 'route', config)).map((each) => each.toJS())
  const middleware = objects.pop()
  expect(middleware.spec.headers.customRequestHeaders).toMatchObject({
    'X-Forwarded-Host': '',
    Forwarded: '',
  })
  expect(objects).toHaveLength(config.points.length)
  for (const { metadata } of objects) {
    expect(metadata.annotations).toMatchObject({
      'traefik.ingress.kubernetes.io/router.middlewares': `default-${middleware.metadata.name}@kubernetescrd`,
    })
  }
})

it('the document installs the chart under the name that routes have', () => {
  const [, release] =
    /helm install (\S+) deploy\/helm/.exec(readFileSync(join(deploy, 'README.md'), 'utf8')) ?? []
  expect(release).toBe(serviceOf(readManifests('kubernetes/base')).name)
})

it('the Gateway API comes first, and no annotation is for an unmaintained controller', () => {
  const names = frontEnds.map(({ name }) => name)
  expect(names.indexOf('gateway-api')).toBeLessThan(names.indexOf('ingress'))
  expect(renderConfig('ingress', 'route', config)).not.toMatch(/nginx/)
  expect(JSON.stringify([readManifests('kubernetes/base'), readChart()])).not.toMatch(/nginx/)
})
