import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DeploymentSpec } from 'kubernetes-types/apps/v1.js'
import type { NetworkPolicySpec } from 'kubernetes-types/networking/v1.js'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type Typed, toTypeFaults } from '../schemas/type-check.ts'
import { configOf } from '../support/config-of.ts'
import { isReached } from './egress.ts'
import { isInstalled } from './installed.ts'
import {
  deploy,
  kustomize,
  type Manifest,
  podOf,
  pointsOf,
  readConfig,
  readManifests,
  requestsThatFit,
  toManifests,
  withSidecar,
} from './manifests.ts'

const base = readManifests('kubernetes/base')

it('has only fields that Kubernetes knows, with their types', () => {
  const manifests = [...base, withSidecar(), ...ingresses(), ...checkJob()]
  expect(toTypeFaults(manifests.map(toTyped))).toBe('')
})

describe.each([
  ['the base', () => deployment(base), () => readConfig('kubernetes/base/config.json'), '0.0.0.0'],
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

  it('has memory for some hundred requests at once', () => {
    expect(config().limits.concurrentRequests).toBe('auto')
    const fitting = requestsThatFit(String(points.resources?.limits?.memory), config())
    expect(fitting).toBeGreaterThanOrEqual(512)
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
})

describe('the base', () => {
  const specOf = (kind: string) => base.find((each) => each.kind === kind)?.spec
  const labels = (deployment(base).spec as unknown as DeploymentSpec).selector.matchLabels ?? {}

  it('selects its pods everywhere by the same labels', () => {
    const template = deployment(base).spec?.template as Manifest
    expect(template.metadata.labels).toMatchObject(labels)
    expect(specOf('Service')?.selector).toEqual(labels)
    expect(specOf('PodDisruptionBudget')?.selector).toEqual({ matchLabels: labels })
    expect(specOf('NetworkPolicy')?.podSelector).toEqual({ matchLabels: labels })
    const target = specOf('HorizontalPodAutoscaler')?.scaleTargetRef
    expect(target).toMatchObject({ name: deployment(base).metadata.name })
  })

  it('reaches nothing private except DNS', () => {
    const [dns, service] = policyOf(base)?.egress ?? []
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

describe.runIf(isInstalled('kubectl'))('Kustomize', () => {
  it.each(['base', 'sidecar-example'])('builds %s', (folder) => {
    const built = kustomize(`kubernetes/${folder}`)
    const pod = podOf(deployment(built))
    expect(pointsOf(pod).image).toBe(`continuation-point:${packageJson.version}`)
    expect(pod.volumes?.[0]?.configMap?.name).toBe(configMapName(built))
    expect(configOf(configMap(built)).points.length).toBe(1)
  })
})

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

function checkJob(): Manifest[] {
  return toManifests(readFileSync(join(deploy, 'kubernetes/check.yaml'), 'utf8'))
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
