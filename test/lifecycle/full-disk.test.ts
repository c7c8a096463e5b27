import { execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openClient } from '../support/raw-client.ts'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'
import { serveConfig } from '../support/serve-config.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'
import { workersOf } from '../support/workers.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const REQUESTS = 40

// The limit on the size of files acts as a full disk does: what still fits is written, even half a line.
it.each([1, 2])(
  '%i process(es): what a full disk loses is counted in a metric, and in the log once there is room',
  async (workers) => {
    const { child, log, port, lost } = await startLogging(workers)
    expect(await lost()).toBe(0)
    const ids = [child.pid, ...workersOf({ child })]
    expect(ids).toHaveLength(workers === 1 ? 1 : workers + 1)
    const limit = (bytes: string) => {
      for (const id of ids) execFileSync('prlimit', ['--pid', String(id), `--fsize=${bytes}:`])
    }
    limit(String(log().length + 500))
    await ask(port, REQUESTS)
    await until(async () => (await lost()) > REQUESTS / 2)
    limit('unlimited')
    await ask(port, REQUESTS)
    await until(async () => toldIn(log()) === (await lost()))
    if (workers === 1) {
      const kept = () => [...log().matchAll(/"msg":"exchange"/g)].length
      await until(async () => kept() + (await lost()) === 2 * REQUESTS)
      const lines = log().trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toHaveLength(lines.length)
    }
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    expect(log()).toMatch(/"msg":"stopped"[^\n]*\n$/)
  },
)

/** Starts `serve` with a file as its log. */
async function startLogging(workers: number) {
  const upstream = await startUpstream(answerOk)
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  const path = join(folder, 'log')
  const config = join(folder, 'config.json')
  await writeFile(config, serveConfig(upstream.origin, { workers, admin: { port: 0 } }))
  const file = openSync(path, 'a')
  const child = spawn(process.execPath, [main, 'serve', '--config', config], {
    stdio: ['ignore', file, 'inherit'],
  })
  closeSync(file)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await upstream.close()
    await rm(folder, { recursive: true })
  })
  const log = () => readFileSync(path, 'utf8')
  await until(() => /"listener":"admin"/.test(log()))
  const urlOf = (listener: string) => new RegExp(`"listener":"${listener}","url":"([^"]+)"`).exec(log())?.[1]
  const lost = async () => {
    const text = await (await fetch(`${urlOf('admin')}/metrics`)).text()
    return Number(/^continuation_point_log_lines_lost_total (\d+)$/m.exec(text)?.[1])
  }
  return { child, log, lost, port: Number(new URL(urlOf('public') ?? '').port) }
}

/** How many lost lines the log tells of. */
function toldIn(text: string): number {
  return [...text.matchAll(/"dropped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Sends requests one after the other, each on a connection of its own. */
async function ask(port: number, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const client = await openClient(port)
    client.write(`GET /service_cookie_transfer/ HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`)
    expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
    client.close()
  }
}
