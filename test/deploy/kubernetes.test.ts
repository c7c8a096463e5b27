import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import type { DeploymentSpec } from 'kubernetes-types/apps/v1.js'
import type { Container } from 'kubernetes-types/core/v1.js'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../../src/config/config.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { renderConfig } from '../render/support/rendered.ts'
import { isInstalled } from './installed.ts'
import {
  CHART,
  deploy,
  type Manifest,
  podOf,
  readChart,
  readManifests,
  readValues,
  requestsThatFit,
  withSidecar,
} from './manifests.ts'

const base = readManifests('kubernetes/base')
const chart = readChart()

it('has the objects of a service that can be rolled out', () => {
  const kinds = ['Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']
  expect(base.map(({ kind }) => kind).sort()).toEqual(kinds)
  expect(chart.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', ...kinds])
})

it('has nothing but fields that Kubernetes knows, with their types', () => {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'continuation-point-manifests-'))
  const monitor = readManifests('kubernetes/monitor')
  const lines = [...base, ...chart, withSidecar(), ...ingresses(), ...monitor].map((manifest, i) => {
    const path = `${modules}/kubernetes-types/${TYPES[manifest.kind]}`
    return `import type { ${manifest.kind} as Kind${i} } from '${path}'\nexport const object${i}: Kind${i} = ${JSON.stringify(manifest)}\n`
  })
  writeFileSync(join(folder, 'manifests.ts'), lines.join(''))
  const tsc = spawnSync(
    join(modules, '.bin/tsc'),
    [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'preserve',
      '--target',
      'es2022',
      'manifests.ts',
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  expect(tsc.stdout).toBe('')
})

describe.each([
  ['the base', () => deployment(base), () => readConfig('kubernetes/base/config.json'), '0.0.0.0'],
  ['the chart', () => deployment(chart), () => toConfig(configMap(chart)), '0.0.0.0'],
  ['the sidecar', withSidecar, () => readConfig('kubernetes/sidecar/config.json'), '127.0.0.1'],
])('the pod of %s', (_name, manifest, config, host) => {
  const pod = podOf(manifest())
  const points = [...(pod.initContainers ?? []), ...pod.containers].find(
    ({ name }) => name === 'continuation-point',
  ) as Container

  it('keeps to the restricted pod security standard, and writes nowhere', () => {
    expect({ ...pod.securityContext, ...points.securityContext }).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65532,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(points.volumeMounts?.every(({ readOnly }) => readOnly === true)).toBe(true)
  })

  it('listens where its config says, whatever the image says', () => {
    expect(config().listen.host).toBe(host)
    expect(points.env).toEqual([{ name: 'CONTINUATION_HOST', value: '' }])
  })

  it('is probed on the admin port of its config, where the kubelet can reach it', () => {
    const { admin } = config()
    expect(admin?.host).toBe('0.0.0.0')
    const probes = [points.startupProbe, points.readinessProbe, points.livenessProbe].map(
      (probe) => probe?.httpGet,
    )
    expect(probes.map((probe) => probe?.path)).toEqual(['/readyz', '/readyz', '/livez'])
    const [port] = new Set(probes.map((probe) => probe?.port))
    expect(points.ports?.find(({ name }) => name === port)?.containerPort).toBe(admin?.port)
  })

  it('has the memory for twice the requests at which another pod starts', () => {
    expect(config().limits.concurrentRequests).toBe('auto')
    const fitting = requestsThatFit(String(points.resources?.limits?.memory), config())
    expect(fitting).toBeGreaterThanOrEqual(2 * requestsOfOnePod())
  })

  it('has the time to drain', () => {
    const preStopSeconds = points.lifecycle?.preStop?.sleep?.seconds ?? 0
    const graceSeconds = pod.terminationGracePeriodSeconds ?? 30
    expect(graceSeconds * 1_000).toBeGreaterThan(preStopSeconds * 1_000 + config().timeouts.drainMs)
  })

  it('mounts what its config reads', () => {
    const { widgetKey } = config()
    const mounts = points.volumeMounts?.map(({ mountPath }) => mountPath)
    expect(mounts).toEqual(['/etc/continuation-point', '/run/secrets/continuation-point'])
    expect(widgetKey).toMatchObject({ kind: 'file', path: '/run/secrets/continuation-point/widget_key' })
    const volumes = pod.volumes?.map(({ name }) => name)
    expect(points.volumeMounts?.map(({ name }) => name)).toEqual(volumes)
  })

  it('asks for memory and is bounded by it', () => {
    expect(points.resources).toMatchObject({
      requests: { cpu: expect.any(String) },
      limits: { memory: expect.any(String) },
    })
  })
})

describe.each([
  ['the base', base],
  ['the chart', chart],
])('%s', (_name, manifests) => {
  const labels = (deployment(manifests).spec as unknown as DeploymentSpec).selector.matchLabels ?? {}

  it('selects its pods everywhere by the same labels', () => {
    const byKind = (kind: string) => manifests.find((each) => each.kind === kind)?.spec
    const template = deployment(manifests).spec?.template as Manifest
    expect(template.metadata.labels).toMatchObject(labels)
    expect(byKind('Service')?.selector).toEqual(labels)
    expect(byKind('PodDisruptionBudget')?.selector).toEqual({ matchLabels: labels })
    expect(byKind('NetworkPolicy')?.podSelector).toEqual({ matchLabels: labels })
    const target = byKind('HorizontalPodAutoscaler')?.scaleTargetRef
    expect(target).toMatchObject({ name: deployment(manifests).metadata.name })
  })

  it('offers the public port and never the admin port', () => {
    const service = manifests.find(({ kind }) => kind === 'Service')
    expect(service?.spec?.ports).toEqual([{ name: 'public', port: 80, targetPort: 'public' }])
  })
})

describe('the chart', () => {
  const validate = new Ajv({ strict: true }).compile(
    JSON.parse(readFileSync(join(deploy, CHART, 'values.schema.json'), 'utf8')),
  )

  it('accepts its own values', () => {
    validate(readValues())
    expect(validate.errors).toBe(null)
  })

  it.each<readonly [what: string, change: Record<string, unknown>]>([
    ['a key in the config', { config: { ...(readValues().config as object), widgetKey: 'a-key' } }],
    [
      'a port that no probe asks',
      { config: { ...(readValues().config as object), admin: { host: '::', port: 1 } } },
    ],
    [
      'a drain past the grace period',
      { config: { ...(readValues().config as object), timeouts: { drain: '40s' } } },
    ],
    ['a tag that moves', { image: { repository: 'points', tag: 'latest' } }],
    ['a misspelt value', { replica: 2 }],
  ])('refuses %s', (_what, change) => {
    expect(validate({ ...readValues(), ...change })).toBe(false)
  })

  it('is the base with other names', () => {
    const plain = (manifests: readonly Manifest[]) =>
      JSON.parse(
        JSON.stringify(manifests.filter(({ kind }) => kind !== 'ConfigMap'))
          .replace(/"app\.kubernetes\.io\/instance":"points",?/g, '')
          .replace(/"checksum\/config":"[0-9a-f]{64}",/, '')
          .replace(/,\}/g, '}')
          .replaceAll('"points"', '"continuation-point"')
          .replace(`"continuation-point:${packageJson.version}"`, '"continuation-point"'),
      ).map((manifest: Manifest) => ({ ...manifest, metadata: { name: manifest.metadata.name } }))
    expect(plain(chart)).toEqual(plain(base))
  })

  it('rolls out when the config changes', () => {
    const values = readValues()
    const other = readChart({ ...values, config: { ...(values.config as object), backTransfer: true } })
    expect(deployment(other).spec?.template).not.toEqual(deployment(chart).spec?.template)
  })

  it('leaves the network policy out on demand', () => {
    const values = readValues()
    const without = readChart({
      ...values,
      networkPolicy: { ...(values.networkPolicy as object), enabled: false },
    })
    expect(without.map(({ kind }) => kind)).not.toContain('NetworkPolicy')
  })

  it('has the version of the package', () => {
    const [document] = parseAllDocuments(readFileSync(join(deploy, CHART, 'Chart.yaml'), 'utf8'))
    expect(document?.toJS()).toMatchObject({ version: packageJson.version, appVersion: packageJson.version })
  })
})

describe.runIf(isInstalled('kubectl'))('Kustomize', () => {
  it.each(['base', 'sidecar-example'])('builds %s', (folder) => {
    const text = execFileSync('kubectl', ['kustomize', join(deploy, 'kubernetes', folder)], {
      encoding: 'utf8',
    })
    const built = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
    const pod = podOf(deployment(built))
    const points = [...(pod.initContainers ?? []), ...pod.containers].find(
      ({ name }) => name === 'continuation-point',
    )
    expect(points?.image).toBe(`continuation-point:${packageJson.version}`)
    expect(pod.volumes?.[0]?.configMap?.name).toBe(configMapName(built))
    expect(toConfig(configMap(built)).points.length).toBe(1)
  })
})

/** The target of the autoscaler that looks at requests in flight. */
function requestsOfOnePod(): number {
  const text = readFileSync(join(deploy, 'kubernetes/in-flight/kustomization.yaml'), 'utf8')
  return Number(/averageValue: '(\d+)'/.exec(text)?.[1])
}

/** What render makes of a point on each scheme. */
function ingresses(): Manifest[] {
  const points = [
    'https://www.example.com/service_cookie_transfer/',
    'http://a.example/service_cookie_transfer/',
  ]
  return parseAllDocuments(renderConfig('ingress', 'route', { points })).map((document) => document.toJS())
}

function deployment(manifests: readonly Manifest[]): Manifest {
  const found = manifests.find(({ kind }) => kind === 'Deployment')
  if (found === undefined) throw new Error('There is no Deployment')
  return found
}

function configMap(manifests: readonly Manifest[]): string {
  return manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['config.json'] ?? ''
}

function configMapName(manifests: readonly Manifest[]): string | undefined {
  return manifests.find(({ kind }) => kind === 'ConfigMap')?.metadata.name
}

function readConfig(path: string): Config {
  return toConfig(readFileSync(join(deploy, path), 'utf8'))
}

function toConfig(text: string): Config {
  const parsed = parseConfig(text, 'config.json')
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

/** Where a kind's type is. */
const TYPES: Readonly<Record<string, string>> = {
  ConfigMap: 'core/v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'core/v1',
}
