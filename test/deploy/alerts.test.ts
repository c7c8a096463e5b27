/*
 * Each alert of `deploy`, provoked once: a real Prometheus scrapes the built program, and what the alert is about really
 * happens to it.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../front-ends/support/real-server.ts'
import { answerOk, answerWith, type Script } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { openScene, PREFIX, pointOf, type Scene } from './alert-scene.ts'
import { isInstalled } from './installed.ts'
import { deploy } from './manifests.ts'
import type { Alert } from './prometheus.ts'

/** How one alert is provoked. */
interface Provocation {
  /** Without `ContinuationPoint`. */
  readonly alert: string
  /** Starts what is well, as a job that is scraped. The function that it returns spoils it. */
  readonly start: (scene: Scene, job: string) => Promise<() => Promise<unknown>>
  /** What the alert has to say of what it is about: of the job, if nothing else is said. */
  readonly labels?: (job: string) => Readonly<Record<string, string>>
}

/** Longer than the test, so that what a silent service holds up stays so. */
const timeouts = { headers: '5m' }

const byPoint = (job: string) => ({ point: pointOf(job) })

const unavailable = answerWith('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n')
const silent: Script = () => {}
const slow: Script = (request, socket) => void setTimeout(() => answerOk(request, socket), 3_000).unref()

/** By what happens. */
const provocations: Readonly<Record<string, Provocation>> = {
  'an instance is killed': {
    alert: 'Down',
    start: async ({ serve }, job) => {
      const { program } = await serve(job)
      return async () => program.signal('SIGKILL')
    },
  },
  'the service is gone, and three requests in all meet that': {
    alert: 'ServiceFails',
    labels: byPoint,
    start: async ({ serve }, job) => {
      const { service, ask } = await serve(job)
      return async () => {
        await service.close()
        await ask(3)
      }
    },
  },
  'the service answers every tenth of twenty requests with its own 503': {
    alert: 'ServiceFails',
    labels: byPoint,
    start: async ({ serve }, job) => {
      let count = 0
      const { ask } = await serve(job, {
        answer: (request, socket) => (++count % 10 === 0 ? unavailable : answerOk)(request, socket),
      })
      return () => ask(20)
    },
  },
  'the service thinks for three seconds': {
    alert: 'ServiceSlow',
    start: async ({ serve }, job) => {
      const { ask } = await serve(job, { answer: slow })
      return () => ask(3)
    },
  },
  'more requests come than may be in flight': {
    alert: 'Overloaded',
    start: async ({ serve }, job) => {
      const { hang } = await serve(job, { answer: silent, changes: { limits: { concurrentRequests: 1 } } })
      return () => hang(3)
    },
  },
  'a request waits for the only connection to a service that is silent': {
    alert: 'RequestsWait',
    start: async ({ serve }, job) => {
      const { hang } = await serve(job, {
        answer: silent,
        changes: { timeouts, limits: { upstreamConnections: 1 } },
      })
      return () => hang(2)
    },
  },
  'clients keep as many connections open as they may': {
    alert: 'FilesShort',
    start: async ({ serve }, job) => {
      const { hang } = await serve(job, { changes: { limits: { upstreamConnections: 4 } }, fileLimit: 256 })
      return () => hang(190)
    },
  },
  'a front end puts its own Host in place of the visitor’s': {
    alert: 'Misdirected',
    labels: () => ({ reason: 'unknown-authority' }),
    start: async ({ serve }, job) => {
      const { ask } = await serve(job)
      return () => ask(120, 'serve.internal')
    },
  },
  'service.url leads back to serve, and the first requests notice': {
    alert: 'Loop',
    start: async ({ serve }, job) => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const changes = { service: { url }, points: [`${url}${PREFIX}`], listen: { port } }
      const { ask } = await serve(job, { changes })
      return () => ask(2, `127.0.0.1:${port}`)
    },
  },
  'a reload meets a config with a fault': {
    alert: 'ConfigRefused',
    start: async ({ serve }, job) => {
      const { program, file } = await serve(job)
      return async () => {
        await writeFile(file, '{')
        program.signal('SIGHUP')
      }
    },
  },
  'the disk under the log is full': {
    alert: 'LogLost',
    start: async ({ serve }, job) => {
      const ports = { public: await freePort(), admin: await freePort() }
      const ontoFullDisk = ['-c', 'exec "$0" "$@" >/dev/full', process.execPath]
      // It is in each line, of which so many take more than the 8 MiB that are kept.
      const path = `/${'a'.repeat(50_000)}${PREFIX}`
      const points = [new URL(path, pointOf(job)).href]
      const { ask } = await serve(job, {
        ports,
        node: 'sh',
        nodeFlags: ontoFullDisk,
        changes: { points, log: {} },
      })
      return () => ask(200, undefined, path)
    },
  },
  'another instance of the same job has the next version': {
    alert: 'VersionsDiffer',
    start: async ({ serve, installNextVersion }, job) => {
      await serve(job)
      return async () => serve(job, { script: await installNextVersion() })
    },
  },
}
const rows = Object.entries(provocations).map(([when, provocation], i) => ({
  when,
  labels: (job: string) => ({ job }),
  ...provocation,
  job: `${i}-${provocation.alert.toLowerCase()}`,
}))

describe.runIf(isInstalled('prometheus'))('in a real Prometheus', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(() => scene.close())
  let spoil: readonly (() => Promise<unknown>)[] = []

  it('no alert fires while all is well', { timeout: 90_000 }, async () => {
    const { ask } = await scene.serve('well')
    await ask(20)
    spoil = await Promise.all(rows.map(({ start, job }) => start(scene, job)))
    // A scrape that a busy machine delays counts as an instance that is down.
    await until(async () => namesOf(await scene.prometheus.firing()).length === 0)
  })

  describe('then', () => {
    beforeAll(async () => {
      await Promise.all(spoil.map((each) => each()))
    }, 90_000)

    it.each(rows)('$alert fires when $when', { timeout: 30_000 }, async ({ alert, labels, job }) => {
      await fires(scene, alert, labels(job))
    })
  })

  it('Gone fires when each serve has ended', { timeout: 30_000 }, async () => {
    scene.end()
    await fires(scene, 'Gone', {})
  })

  it('these are all alerts', async () => {
    const { groups } = parse(await readFile(join(deploy, 'prometheus/rules.yaml'), 'utf8'))
    const names = groups.flatMap(({ rules }: { readonly rules: readonly { readonly alert: string }[] }) =>
      rules.map(({ alert }) => alert.replace('ContinuationPoint', '')),
    )
    const provoked = [...rows.map(({ alert }) => alert), 'Gone']
    expect([...new Set(provoked)].sort()).toEqual(names.sort())
  })
})

/** Waits until the alert fires with these labels among its own, and looks at its texts. */
async function fires(
  { prometheus }: Scene,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const wanted = Object.entries({ ...labels, alertname: `ContinuationPoint${name}` })
  let alert: Alert | undefined
  await until(async () => {
    const firing = await prometheus.firing()
    alert = firing.find((each) => wanted.every(([label, value]) => each.labels[label] === value))
    return alert !== undefined
  })
  expect(Object.values(alert?.annotations ?? {}).join('\n')).not.toMatch(/<no value>|<error|\{\{| {2}/)
}

function namesOf(alerts: readonly Alert[]): readonly string[] {
  return [...new Set(alerts.map(({ labels }) => labels.alertname?.replace('ContinuationPoint', '') ?? ''))]
}
