import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import type { DeploymentSpec } from 'kubernetes-types/apps/v1.js'
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js'
import type { LabelSelector } from 'kubernetes-types/meta/v1.js'
import type { NetworkPolicySpec } from 'kubernetes-types/networking/v1.js'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { everyBlock } from '../project/documents.ts'
import { modules, skipsSchemas } from '../schemas/schemas.ts'
import { type Typed, toTypeFaults } from '../schemas/type-check.ts'
import { configOf } from '../support/config-of.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { toChartSchema } from './chart-schema.ts'
import { EVERY_VALUE, withConfig, withPolicy } from './chart-values.ts'
import { isReached } from './egress.ts'
import { isInstalled } from './installed.ts'
import {
  CHART,
  deploy,
  kustomize,
  type Manifest,
  podOf,
  pointsOf,
  readChart,
  readConfig,
  readManifests,
  readValues,
  requestsThatFit,
  toManifests,
  withSidecar,
} from './manifests.ts'

const base = readManifests('kubernetes/base')
const chart = readChart()

it('has the objects of a service that can be rolled out', () => {
  const kinds = ['Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']
  expect(base.map(({ kind }) => kind).sort()).toEqual(kinds)
  expect(chart.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', ...kinds])
})

it('has only fields that Kubernetes knows, with their types', () => {
  const custom = readChart(EVERY_VALUE).filter(({ kind }) => kind !== 'PodMonitor')
  const manifests = [...base, ...chart, ...custom, withSidecar(), ...ingresses(), ...checkJob()]
  expect(toTypeFaults(manifests.map(toTyped))).toBe('')
})

it.skipIf(skipsSchemas)('has only fields that the Prometheus operator knows, with their types', () => {
  const folder = join(modules, '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1')
  const objects = [...podMonitors(), ...readManifests('kubernetes/prometheus-operator')]
  expect(new Set(objects.map(({ kind }) => kind))).toEqual(new Set(['PodMonitor', 'PrometheusRule']))
  const typed = objects.map((value) => ({ value, type: `I${value.kind}`, module: join(folder, value.kind) }))
  expect(toTypeFaults(typed)).toBe('')
})

it('has the same alerts for the Prometheus operator as for Prometheus', async () => {
  const spec = parse(readFileSync(join(deploy, 'prometheus/rules.yaml'), 'utf8'))
  const head = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule' }
  const rule = { ...head, metadata: { name: 'continuation-point' }, spec }
  await expect(
    `# Made from deploy/prometheus/rules.yaml by npm run schema.\n${stringify(rule, { lineWidth: 0 })}`,
  ).toMatchFileSnapshot(join(deploy, 'kubernetes/prometheus-operator/prometheus-rule.yaml'))
})

describe.each([
  ['the base', () => deployment(base), () => readConfig('kubernetes/base/config.json'), '0.0.0.0'],
  ['the chart', () => deployment(chart), () => configOf(configMap(chart)), '0.0.0.0'],
  ['the sidecar', withSidecar, () => readConfig('kubernetes/sidecar/config.json'), '127.0.0.1'],
])('the pod of %s', (_name, manifest, config, host) => {
  const pod = podOf(manifest())
  const points = pointsOf(pod)

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

  it('has memory for twice the requests at which another pod starts', () => {
    expect(config().limits.concurrentRequests).toBe('auto')
    const fitting = requestsThatFit(String(points.resources?.limits?.memory), config())
    expect(fitting).toBeGreaterThanOrEqual(2 * requestsOfOnePod())
  })

  it('has time to drain', () => {
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

  it('requests memory and is limited to it', () => {
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
  const specOf = (kind: string) => manifests.find((each) => each.kind === kind)?.spec
  const labels = (deployment(manifests).spec as unknown as DeploymentSpec).selector.matchLabels ?? {}

  it('selects its pods everywhere by the same labels', () => {
    const template = deployment(manifests).spec?.template as Manifest
    expect(template.metadata.labels).toMatchObject(labels)
    expect(specOf('Service')?.selector).toEqual(labels)
    expect(specOf('PodDisruptionBudget')?.selector).toEqual({ matchLabels: labels })
    expect(specOf('NetworkPolicy')?.podSelector).toEqual({ matchLabels: labels })
    const target = specOf('HorizontalPodAutoscaler')?.scaleTargetRef
    expect(target).toMatchObject({ name: deployment(manifests).metadata.name })
  })

  it('reaches nothing private except DNS', () => {
    const [dns, service] = policyOf(manifests)?.egress ?? []
    expect(dns?.to).toEqual([
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
        podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
      },
    ])
    for (const address of ['203.0.113.7', '2001:db8::7'])
      expect([address, isReached(address, service)]).toEqual([address, true])
    const inside = [
      '10.1.2.3',
      '100.64.0.1',
      '100.100.100.200',
      '172.20.0.1',
      '192.168.1.1',
      '169.254.169.254',
    ]
    for (const address of [...inside, 'fd00:ec2::254', 'fe80::1'])
      expect([address, isReached(address, service)]).toEqual([address, false])
  })

  it('offers the public port and never the admin port', () => {
    expect(specOf('Service')?.ports).toEqual([{ name: 'public', port: 80, targetPort: 'public' }])
  })
})

describe('the chart', () => {
  it('takes the values that the document shows', () => {
    const shown = everyBlock.filter(
      ({ path, language }) => path === 'deploy/README.md' && language === 'yaml',
    )
    const values = shown.map(({ text }) => merge(readValues(), parse(text)))
    expect(values.map((each) => [validate(each), validate.errors])).toEqual([[true, null]])
    const [made = []] = values.map(readChart)
    expect(podOf(deployment(made)).containers[0]?.image).toMatch(/^registry\.example\.com\//)
    expect(configOf(configMap(made)).points.length).toBe(1)
  })

  const validate = new Ajv({ strict: true }).compile(
    JSON.parse(readFileSync(join(deploy, CHART, 'values.schema.json'), 'utf8')),
  )

  it('has a schema that is made from that of the config', async () => {
    await expect(`${JSON.stringify(toChartSchema(), null, 2)}\n`).toMatchFileSnapshot(
      join(deploy, CHART, 'values.schema.json'),
    )
  })

  it.each<readonly [what: string, change: Record<string, unknown>]>([
    ['a key in the config', withConfig({ widgetKey: 'a-key' })],
    ['a key in a point', withConfig({ points: [{ url: 'https://a.example/', widgetKey: 'a-key' }] })],
    ['a REST key', withConfig({ apiKey: 'a-key' })],
    ['a private key', withListen({ port: 8080, tls: { cert: 'file:/c', key: 'PEM' } })],
    ['a misspelt key of the config', withConfig({ timeuots: {} })],
    ['a misspelt key in a section', withConfig({ limits: { bodyByte: 1 } })],
    ['a value of the wrong type', withConfig({ backTransfer: 'many' })],
    ['no point', withConfig({ points: [] })],
    ['plain http to the service', withConfig({ service: { url: 'http://cobrowse.example.net' } })],
    ['a public listener on loopback', withListen({ host: '127.0.0.1', port: 8080 })],
    ['an admin listener on loopback', withConfig({ admin: { host: 'localhost', port: 9090 } })],
    ['an admin listener on loopback in IPv6', withConfig({ admin: { host: '::1', port: 9090 } })],
    ['an admin listener that is off', withConfig({ admin: null })],
    ['a port that no probe asks', withConfig({ admin: { host: '::', port: 1 } })],
    ['a port that no service names', withListen({ port: 80 })],
    ['a drain that is not a number of seconds', withConfig({ timeouts: { drain: '1m' } })],
    ['no drain', withConfig({ timeouts: {} })],
    ['a tag that moves', { image: { repository: 'points', tag: 'latest' } }],
    ['an invalid digest', { image: { repository: 'points', digest: 'sha256:1234' } }],
    ['a misspelt value', { replica: 2 }],
    ['a misspelt value in a section', { autoscaling: { minReplica: 1, maxReplicas: 2, cpuPercent: 60 } }],
    ['a variable that moves a listener', { extraEnv: [{ name: 'CONTINUATION_ADMIN_PORT', value: '1' }] }],
    ['a variable without a value', { extraEnv: [{ name: 'TZ' }] }],
    ['a port without a number', withPolicy({ dns: { namespace: 'a', podLabels: { b: 'c' }, port: 'dns' } })],
    ['an invalid interval', { podMonitor: { enabled: true, labels: {}, interval: '30' } }],
    ['no replicas', { autoscaling: { minReplicas: 0, maxReplicas: 2, cpuPercent: 60 } }],
  ])('refuses %s', (_what, change) => {
    expect(validate({ ...readValues(), ...change })).toBe(false)
  })

  it.each<readonly [what: string, change: Record<string, unknown>]>([
    ['its own values', {}],
    ['references to secrets', withConfig({ widgetKey: 'env:KEY', apiKey: 'file:/run/secrets/api_key' })],
    ['limits', withConfig({ limits: { concurrentRequests: 'auto' } })],
    ['every value that is empty by default', EVERY_VALUE],
  ])('accepts %s', (_what, change) => {
    validate({ ...readValues(), ...change })
    expect(validate.errors).toBe(null)
  })

  it.each<readonly [what: string, change: Record<string, unknown>, sentence: RegExp]>([
    [
      'more replicas at least than at most',
      { autoscaling: { minReplicas: 3, maxReplicas: 2, cpuPercent: 60 } },
      /^autoscaling\.minReplicas is more than autoscaling\.maxReplicas: set/,
    ],
    ['a drain past the grace period', withConfig({ timeouts: { drain: '35s' } }), /: raise termination/],
    [
      'a wait before the end that leaves no time',
      { preStopSeconds: 15 },
      /: raise terminationGracePeriodSeconds/,
    ],
    ['a grace period that is too short', { terminationGracePeriodSeconds: 30 }, /^preStopSeconds and/],
    ...[
      ...['https://10.1.2.3', 'https://100.64.0.1:8443', 'https://172.31.0.1', 'https://192.168.0.1/'],
      ...['https://169.254.169.254', 'https://[fd00::1]', 'https://cobrowse.tools.svc:8443'],
      ...['https://cobrowse.tools.svc.cluster.local', 'https://cobrowse.internal', 'https://cobrowse'],
      ...['https://10.1:8443', 'https://[FD12:3456::1]', 'https://[fe9f::1]', 'https://localhost2'],
      ...['https://cobrowse.tools.svc./', 'https://Cobrowse:8443', 'https://100.127.255.254'],
    ].map((url) => [`a service at ${url}`, withConfig({ service: { url } }), BLOCKED] as const),
  ])('explains the failure for %s', (_what, change, sentence) => {
    expect(() => readChart({ ...readValues(), ...change })).toThrow(sentence)
  })

  it.each([
    ...['https://cobrowse.example.net', 'https://203.0.113.7', 'https://100.128.0.1', 'https://172.32.0.1'],
    ...['https://internal.example.net', 'https://[2001:db8::1]', 'http://localhost:8081'],
    ...['https://10.example.net', 'https://192.168.example.net:8443', 'https://172.16.0.example.net'],
    ...['https://[fe00::1]', 'https://[fc::1]', 'https://[fec0::1]', 'https://svc.example.net'],
  ])('takes a service at %s, which the network policy lets pods reach', (url) => {
    expect(() => readChart({ ...readValues(), ...withConfig({ service: { url } }) })).not.toThrow()
  })

  it('takes a service inside the cluster with a rule of its own, or without a policy', () => {
    const values = { ...readValues(), ...withConfig({ service: { url: 'https://cobrowse.tools.svc' } }) }
    for (const change of [{ extraEgress: [{ to: [] }] }, { enabled: false }]) {
      expect(() => readChart({ ...values, ...withPolicy(change) })).not.toThrow()
    }
  })

  describe('with every value that is empty by default', () => {
    const made = readChart(EVERY_VALUE)
    const { nodeSelector, tolerations, affinity, topologySpreadConstraints, imagePullSecrets } = EVERY_VALUE
    const ofKind = (name: string) => made.find(({ kind }) => kind === name)

    it('lets the pods reach the port of the service, the resolver that is named, and what is added', () => {
      const egress = policyOf(made)?.egress ?? []
      expect(egress.map(({ ports }) => ports?.map(({ port }) => port))).toEqual([
        [5353, 5353],
        [8443],
        [9053],
      ])
      expect(egress[0]?.to).toEqual([
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } },
          podSelector: { matchLabels: { dns: 'default' } },
        },
      ])
    })

    it('says where pods run and what they are made from', () => {
      expect(podOf(deployment(made))).toMatchObject({
        ...{ nodeSelector, tolerations, affinity, topologySpreadConstraints, imagePullSecrets },
        terminationGracePeriodSeconds: 60,
        containers: [
          {
            image: `points@${EVERY_VALUE.image.digest}`,
            lifecycle: { preStop: { sleep: { seconds: 10 } } },
            env: [{ name: 'CONTINUATION_HOST', value: '' }, ...EVERY_VALUE.extraEnv],
            envFrom: EVERY_VALUE.envFrom,
          },
        ],
      })
    })

    it('has annotations if they are set', () => {
      expect(deployment(made).metadata).toMatchObject({ annotations: EVERY_VALUE.deploymentAnnotations })
      expect(ofKind('Service')?.metadata).toMatchObject({ annotations: EVERY_VALUE.serviceAnnotations })
      expect(deployment(made).spec?.template).toMatchObject({
        metadata: { annotations: EVERY_VALUE.podAnnotations },
      })
    })

    it('labels its PodMonitor for the Prometheus that selects it', () => {
      expect(ofKind('PodMonitor')?.metadata.labels).toMatchObject({ release: 'prometheus' })
    })
  })

  it('is scraped once: by annotations or by a PodMonitor', () => {
    const annotationsOf = (manifests: readonly Manifest[]) =>
      Object.keys(templateOf(manifests).metadata?.annotations ?? {})
    expect(annotationsOf(chart)).toContain('prometheus.io/scrape')
    const withPodMonitor = readChart(EVERY_VALUE)
    expect(annotationsOf(withPodMonitor).filter((name) => name.startsWith('prometheus.io/'))).toEqual([])
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
    const other = readChart({ ...readValues(), ...withConfig({ backTransfer: true }) })
    expect(deployment(other).spec?.template).not.toEqual(deployment(chart).spec?.template)
  })

  it('leaves the network policy out on demand', () => {
    const without = readChart({ ...readValues(), ...withPolicy({ enabled: false }) })
    expect(without.map(({ kind }) => kind)).not.toContain('NetworkPolicy')
  })

  it('has the version of the package', () => {
    const document = parse(readFileSync(join(deploy, CHART, 'Chart.yaml'), 'utf8'))
    expect(document).toMatchObject({ version: packageJson.version, appVersion: packageJson.version })
  })
})

describe('a PodMonitor', () => {
  const templates = [base, chart].map(templateOf)
  const [ofChart, ofBase] = podMonitors().map(({ spec }) => spec as unknown as PodMonitorSpec)

  it.each([
    ['the base', ofBase, [templates[0]]],
    ['the chart', ofChart, [templates[1]]],
  ])('of %s selects their pods, and a port that they have', (_name, monitor, selected) => {
    const { selector = {}, podMetricsEndpoints = [] } = monitor ?? {}
    for (const template of selected) {
      expect(isSelected(template?.metadata?.labels ?? {}, selector)).toBe(true)
      const ports = template?.spec?.containers.flatMap((container) => container.ports ?? [])
      expect(ports?.map(({ name }) => name)).toContain(podMetricsEndpoints[0]?.port)
    }
    expect(isSelected({ 'app.kubernetes.io/name': 'website' }, selector)).toBe(false)
  })

  function isSelected(labels: Readonly<Record<string, string>>, selector: LabelSelector): boolean {
    const { matchLabels = {}, matchExpressions = [] } = selector
    return (
      Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
      matchExpressions.every(
        ({ key, operator, values }) => operator === 'In' && values?.includes(labels[key] ?? '') === true,
      )
    )
  }
})

describe.runIf(isInstalled('kubectl'))('Kustomize', () => {
  it('puts a PodMonitor in place of the annotations', () => {
    const overlay = openFolderOfTest()
    const at = (name: string) => relative(overlay, join(deploy, 'kubernetes', name))
    const resources = [at('base')]
    writeFileSync(
      join(overlay, 'kustomization.yaml'),
      JSON.stringify({ resources, components: [at('prometheus-operator')] }),
    )
    const text = JSON.stringify(kustomize(relative(deploy, overlay)))
    expect(text).toContain('"kind":"PodMonitor"')
    expect(text).not.toContain('prometheus.io/')
  })

  it('builds the example overlay', () => {
    const built = kustomize('kubernetes/overlay-example')
    expect(new Set(built.map(({ metadata }) => (metadata as { namespace?: string }).namespace))).toEqual(
      new Set(['shop']),
    )
    const pod = podOf(deployment(built))
    expect(pod.containers[0]?.image).toBe(`registry.example.com/continuation-point:${packageJson.version}`)
    expect(pod.volumes?.[0]?.configMap?.name).toBe(configMapName(built))
    const policy = policyOf(built)
    expect(configOf(configMap(built)).points.length).toBe(1)
    const port = Number(new URL(JSON.parse(configMap(built)).service.url).port)
    expect(policy?.egress?.at(-1)?.ports).toEqual([{ port, protocol: 'TCP' }])
    expect(policy?.ingress?.[0]?.from?.[0]?.namespaceSelector?.matchLabels).toEqual({
      'kubernetes.io/metadata.name': 'gateway',
    })
  })

  it.each(['base', 'sidecar-example'])('builds %s', (folder) => {
    const built = kustomize(`kubernetes/${folder}`)
    const pod = podOf(deployment(built))
    expect(pointsOf(pod).image).toBe(`continuation-point:${packageJson.version}`)
    expect(pod.volumes?.[0]?.configMap?.name).toBe(configMapName(built))
    expect(configOf(configMap(built)).points.length).toBe(1)
  })
})

/** The target of the autoscaler that looks at requests in flight. */
function requestsOfOnePod(): number {
  const text = readFileSync(join(deploy, 'kubernetes/in-flight/kustomization.yaml'), 'utf8')
  return Number(/averageValue: '(\d+)'/.exec(text)?.[1])
}

/** The example for an Ingress. Its other object is Traefik's, and validated with its types. */
function ingresses(): Manifest[] {
  const text = readFileSync(join(deploy, 'recipes/kubernetes/ingress.yaml'), 'utf8')
  return toManifests(text).filter(({ kind }) => kind === 'Ingress')
}

function deployment(manifests: readonly Manifest[]): Manifest {
  const found = manifests.find(({ kind }) => kind === 'Deployment')
  if (found === undefined) throw new Error('There is no Deployment')
  return found
}

function templateOf(manifests: readonly Manifest[]): PodTemplateSpec {
  return (deployment(manifests).spec as unknown as DeploymentSpec).template
}

function policyOf(manifests: readonly Manifest[]): NetworkPolicySpec | undefined {
  const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy')
  return policy?.spec as unknown as NetworkPolicySpec | undefined
}

function configMap(manifests: readonly Manifest[]): string {
  return manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['config.json'] ?? ''
}

function configMapName(manifests: readonly Manifest[]): string | undefined {
  return manifests.find(({ kind }) => kind === 'ConfigMap')?.metadata.name
}

/** What is read here of a PodMonitor. */
interface PodMonitorSpec {
  readonly selector: LabelSelector
  readonly podMetricsEndpoints: readonly { readonly port: string }[]
}

/** As Helm puts values over those of a chart. */
function merge(under: unknown, over: unknown): Record<string, unknown> {
  const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const merged = { ...(under as Record<string, unknown>) }
  for (const [key, value] of Object.entries(over as object))
    merged[key] = isMap(value) && isMap(merged[key]) ? merge(merged[key], value) : value
  return merged
}

function checkJob(): Manifest[] {
  return toManifests(readFileSync(join(deploy, 'kubernetes/check.yaml'), 'utf8'))
}

function podMonitors(): Manifest[] {
  const all = [...readChart(EVERY_VALUE), ...readManifests('kubernetes/prometheus-operator')]
  return all.filter(({ kind }) => kind === 'PodMonitor')
}

function toTyped(value: Manifest): Typed {
  const module = fileURLToPath(
    new URL(`../../node_modules/kubernetes-types/${TYPES[value.kind]}`, import.meta.url),
  )
  return { value, type: value.kind, module }
}

/** Where a kind's type is. */
const TYPES: Readonly<Record<string, string>> = {
  ConfigMap: 'core/v1',
  CronJob: 'batch/v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'core/v1',
}

function withListen(listen: object) {
  return withConfig({ listen: { host: '::', ...listen } })
}

const BLOCKED =
  /^config\.service\.url leads to .* which the network policy blocks: allow it in networkPolicy\.extraEgress/
