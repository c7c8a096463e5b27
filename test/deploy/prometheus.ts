import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { freePort } from '../front-ends/support/real-server.ts'
import { until } from '../support/until.ts'
import { deploy } from './manifests.ts'

export interface Alert {
  readonly state: 'pending' | 'firing'
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

interface Reply {
  readonly data: { readonly alerts?: readonly Alert[]; readonly result?: readonly unknown[] }
}

/** Prometheus with the alerting rules of `deploy`. */
export interface Prometheus {
  /** Scrapes an admin listener from now on, as an instance of a job; resolves once it has been scraped twice. */
  scrape(job: string, admin: URL): Promise<void>
  firing(): Promise<readonly Alert[]>
  close(): Promise<void>
}

/**
 * Starts Prometheus on the shipped rules, except that an alert fires once its expression has held for a second, not for the
 * minutes of its `for`. Expressions, with the ranges in them, labels and texts stay as they are.
 */
export async function startPrometheus(): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-prometheus-'))
  const [rules, targets] = [join(folder, 'rules.json'), join(folder, 'targets.json')]
  const shipped = parse(await readFile(join(deploy, 'prometheus/rules.yaml'), 'utf8'))
  for (const group of shipped.groups) for (const rule of group.rules) if ('for' in rule) rule.for = '1s'
  await writeFile(rules, JSON.stringify(shipped))
  await writeFile(targets, '[]')
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'discovered', file_sd_configs: [{ files: [targets] }] }],
  }
  await writeFile(join(folder, 'prometheus.json'), JSON.stringify(config))
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.json`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    return ((await response.json()) as Reply).data
  }
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isReady)

  const jobs: { readonly targets: readonly string[]; readonly labels: { readonly job: string } }[] = []
  return {
    scrape: async (job, { host }) => {
      jobs.push({ targets: [host], labels: { job } })
      // Prometheus must not read half a file.
      writeFileSync(`${targets}.next`, JSON.stringify(jobs))
      renameSync(`${targets}.next`, targets)
      const scrapes = `sum_over_time(up{job="${job}",instance="${host}"}[1h]) >= 2`
      await until(async () => (await ask(`query?query=${encodeURIComponent(scrapes)}`)).result?.length === 1)
    },
    firing: async () => {
      const { alerts = [] } = await ask('alerts')
      return alerts.filter(({ state }) => state === 'firing')
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
