import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { parseArguments } from '../../src/cli/arguments.ts'
import { EXIT_CODE } from '../../src/cli/exit-code.ts'
import { command } from '../../src/cli/monitor.ts'
import type { Config } from '../../src/config/config.ts'
import { advance } from '../../src/monitor/verdicts.ts'
import { renderWebhookBody } from '../../src/monitor/webhook-body.ts'
import { aFinding } from '../check/a-finding.ts'
import { top } from '../project/source-tree.ts'
import { configOf } from '../support/config-of.ts'
import { exposeMonitor } from './exposed.ts'
import { isInstalled, verifyUnits } from './installed.ts'
import { deploy, kustomize, podOf, readConfig, readManifests } from './manifests.ts'

const page = readFileSync(join(top, 'docs/monitor.md'), 'utf8')
const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)
const yamlBlocks = blocksOf('yaml').map((text) => parse(text))

const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5)

describe('docs/monitor.md', () => {
  it('shows the body that the webhook gets', () => {
    const [shown = ''] = blocksOf('text')
    const { id, tool, changes: written } = JSON.parse(shown)
    const { message, fix } = written[0]
    const { verdicts } = advance(new Map(), [aFinding({ outcome: 'pass' })], AT_MS)
    const { changes } = advance(verdicts, [aFinding({ message, fix })], AT_MS)
    const notice = { id, atMs: AT_MS, version: tool.version, changes, failing: 1 }
    expect(JSON.parse(shown)).toEqual(JSON.parse(renderWebhookBody(notice)))
  })

  it('lists every metric, and no other', () => {
    const written = [...[...exposeMonitor()].join('\n').matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)
    const listed = [...page.matchAll(/^- `(continuation_point_\w+)`/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual(written.sort())
  })

  it('runs the command in a scheduled job', () => {
    const job = yamlBlocks.find((block) => 'jobs' in block).jobs.points
    const lines = job.steps.flatMap(({ run }: { readonly run?: string }) => run ?? [])
    const [npx, name, verb, ...words] = lines.at(-1).split(' ')
    expect([lines[0], npx, name, verb]).toEqual(['npm ci', 'npx', 'continuation-point', 'monitor'])
    expect(parseArguments('monitor', words, command)).toMatchObject({ args: { values: { once: true } } })
  })

  it('has a container that its own health check can reach', () => {
    const { monitor } = yamlBlocks.find((block) => 'services' in block).services
    const [verb, ...words] = monitor.command
    expect(verb).toBe('monitor')
    const parsed = parseArguments('monitor', words, command)
    const [, port] =
      /HEALTHCHECK.*?127\.0\.0\.1:(\d+)\//s.exec(readFileSync(join(top, 'Dockerfile'), 'utf8')) ?? []
    expect(parsed).toMatchObject({ args: { values: { port: Number(port) } } })
    const compose = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'))
    expect(monitor.image).toBe(compose.services.points.image)
    expect(page).toContain(`${words[1]}:ro`)
  })
})

describe('the pod', () => {
  const [manifest, ...others] = readManifests('kubernetes/monitor')
  if (manifest === undefined || others.length > 0) throw new Error('There is not one Deployment')
  const pod = podOf(manifest)
  const [container, ...containers] = pod.containers
  const config = readConfig('kubernetes/monitor/config.json')

  it('runs the command on the probed port, which the kubelet can reach', () => {
    const [verb, ...words] = container?.args ?? []
    expect([verb, containers.length]).toEqual(['monitor', 0])
    const port = container?.ports?.find(({ name }) => name === 'admin')?.containerPort
    expect(parseArguments('monitor', words, command)).toMatchObject({ args: { values: { port } } })
    expect(config.admin?.host).toBe('0.0.0.0')
    const probes = [container?.readinessProbe, container?.livenessProbe].map((probe) => probe?.httpGet)
    expect(probes).toEqual([
      { path: '/readyz', port: 'admin' },
      { path: '/livez', port: 'admin' },
    ])
  })

  it('mounts its config and every secret that it names', () => {
    const mounts = container?.volumeMounts?.map(({ mountPath, readOnly }) => [mountPath, readOnly])
    expect(mounts).toEqual([
      ['/etc/continuation-point', true],
      ['/run/secrets/continuation-point', true],
    ])
    for (const path of secretPathsOf(config))
      expect(path).toMatch(/^\/run\/secrets\/continuation-point\/\w+$/)
  })

  it('meets the restricted pod security standard, and is a single one', () => {
    expect({ ...pod.securityContext, ...container?.securityContext }).toMatchObject({
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(manifest.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
  })

  it.runIf(isInstalled('kubectl'))(
    'is built by Kustomize with its config and the version of the package',
    () => {
      const built = kustomize('kubernetes/monitor')
      const configMap = built.find(({ kind }) => kind === 'ConfigMap')
      const deployment = built.find(({ kind }) => kind === 'Deployment')
      const builtPod = deployment && podOf(deployment)
      expect(builtPod?.containers[0]?.image).toBe(`continuation-point:${packageJson.version}`)
      expect(builtPod?.volumes?.[0]?.configMap?.name).toBe(configMap?.metadata.name)
      configOf(configMap?.data?.['config.json'] ?? '')
    },
  )

  it('is not selected as one that serves', () => {
    const labels = (each: object | undefined) => (each as { matchLabels: object } | undefined)?.matchLabels
    const serving = readManifests('kubernetes/base').find(({ kind }) => kind === 'Deployment')
    expect(labels(manifest.spec?.selector as object)).not.toEqual(labels(serving?.spec?.selector as object))
  })
})

describe('the unit', () => {
  const path = join(deploy, 'systemd/continuation-point-monitor.service')
  const text = readFileSync(path, 'utf8')
  const valuesOf = (name: string, unit = text) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const hardening = (unit: string) => unit.slice(unit.indexOf('\nDynamicUser='))

  it('starts the command with its config', () => {
    const [start = ''] = valuesOf('ExecStart')
    const [program = '', verb, ...words] = start.split(' ')
    expect([basename(program), verb]).toEqual(['continuation-point', 'monitor'])
    expect(parseArguments('monitor', words, command)).toMatchObject({
      args: { values: { config: '/etc/continuation-point/monitor.json' } },
    })
  })

  it('is confined as serve is', () => {
    const serve = readFileSync(join(deploy, 'systemd/continuation-point@.service'), 'utf8')
    expect(hardening(text)).toBe(hardening(serve))
    expect(hardening(text)).toContain('ProtectSystem=strict')
  })

  it('restarts after a reload that comes before it listens for SIGHUP', () => {
    expect(valuesOf('RestartForceExitStatus')).toEqual(['SIGHUP'])
  })

  it('does not restart with an invalid config', () => {
    expect(valuesOf('RestartPreventExitStatus')).toEqual([`${EXIT_CODE.usage}`])
  })

  it('hands over the credentials that its config names', () => {
    const paths = secretPathsOf(readConfig('systemd/monitor.json'))
    const names = valuesOf('LoadCredential').map((value) => value.split(':')[0])
    expect(paths).toEqual(names.map((name) => `/run/credentials/${basename(path)}/${name}`))
  })

  it.runIf(isInstalled('systemd-analyze'))('is accepted by systemd', () => {
    expect(verifyUnits({ [basename(path)]: text })).toBe('nothing')
  })
})

function secretPathsOf({ widgetKey, apiKey, monitor }: Config): readonly string[] {
  return [widgetKey, apiKey, monitor.webhook].map((each) => (each?.kind === 'file' ? each.path : ''))
}
