import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { MAIN } from '../support/program.ts'
import { openServed } from '../support/served.ts'
import { openStalledPipe } from '../support/stalled-pipe.ts'
import { until } from '../support/until.ts'
import { workersOf } from '../support/workers.ts'

const onTerminal = fileURLToPath(new URL('../support/stopped-terminal.py', import.meta.url))
const LIMIT_BYTES = 8 * 1_048_576
/** What is read beside that: a full pipe, and what a paused socket of Node may hold (its high-water mark and one read). */
const PIPE_BYTES = 3 * 65_536
/** It is in each line of the log, so a line is about as long. */
const LONG = 'a'.repeat(12_000)

it('a stalled reader of the log takes up to 8 MiB: further lines are dropped, and counted when it reads again', async () => {
  const { pipe, port, adminUrl, child } = await startStalled(1)
  await ask(port, 1_000)
  const text = await pipe.readUntil(/"msg":"log lines dropped[^\n]*\n/)
  const kept = exchanges(text)
  const [, dropped = ''] = /"dropped":(\d+)/.exec(text) ?? []
  expect(Number(dropped)).toBeGreaterThan(0)
  expect(kept + Number(dropped)).toBe(1_000)
  expect(await (await fetch(`${adminUrl}/metrics`)).text()).toMatch(
    new RegExp(`^continuation_point_log_lines_lost_total ${dropped}$`, 'm'),
  )
  expect(text.length).toBeLessThanOrEqual(LIMIT_BYTES + PIPE_BYTES + LONG.length * 4)
  expect(text.length).toBeGreaterThan(LIMIT_BYTES * 0.9)
  await ask(port, 1)
  expect(exchanges(await pipe.readUntil(/dropped[^\n]*\n[^\n]*"msg":"exchange"/))).toBe(kept + 1)
  child.kill('SIGTERM')
  await pipe.readUntil(/"msg":"stopped"/)
  expect(await exitOf(child)).toBe(0)
}, 60_000)

it('workers and the process that starts them tear no line of the stalled pipe that they share', async () => {
  const { pipe, port, child, adminUrl, write } = await startStalled(2, 'a'.repeat(300))
  const refuse = (count: number) =>
    write({ points: Array.from({ length: count }, () => `not-a-point-${'b'.repeat(150)}`) })
  const refusals = async () => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text()
    return Number(/^continuation_point_config_reload_failures_total (\d+)$/m.exec(text)?.[1])
  }
  for (let reloads = 1; reloads <= 10; reloads += 1) {
    await ask(port, 100, 'a'.repeat(300))
    await refuse(reloads === 10 ? 81 : 80)
    child.kill('SIGHUP')
    await until(async () => (await refusals()) === reloads)
  }
  // A worker that ends does not wait for a reader that has stalled.
  let read = ''
  while (exchanges(read) < 1_000 || !/"problemCount":81/.test(read)) read = await pipe.readUntil(/\n/)
  child.kill('SIGTERM')
  const text = await pipe.readUntil(/"msg":"stopped"/)
  const lines = text.split('\n').slice(0, -1)
  expect(lines.filter((line) => !isJson(line))).toEqual([])
  expect(exchanges(text)).toBe(1_000)
  expect(text.match(/"problemCount":80,"problems":\[\{/g)).toHaveLength(9)
}, 60_000)

it('workers that end as they are replaced leave the pipe so that it blocks none of the others', async () => {
  const { port, adminUrl, child } = await startStalled(2)
  await ask(port, 200)
  const before = workersOf({ child })
  child.kill('SIGUSR2')
  await until(() => workersOf({ child }).every((worker) => !before.includes(worker)))
  await until(() => workersOf({ child }).length === 2)
  await ask(port, 200)
  expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(0)
}, 60_000)

it.each([1, 2])(
  'SIGTERM ends %i process(es) whose log is not read',
  async (workers) => {
    const { port, child } = await startStalled(workers)
    await ask(port, 200)
    child.kill('SIGTERM')
    expect(await exitOf(child)).toBe(0)
  },
  60_000,
)

it.runIf(isInstalled('python3'))(
  'a terminal that was stopped fails no request, and SIGTERM ends the program',
  async () => {
    const { file, write } = await openServed()
    await write(configFor(1, LONG))
    const child = spawn('python3', [onTerminal, process.execPath, MAIN, 'serve', '--config', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGTERM'))
    const port = await new Promise<number>((resolve) =>
      child.stdout.once('data', (told) => resolve(Number(told))),
    )
    await ask(port, 100)
    child.kill('SIGTERM')
    expect(await exitOf(child)).toBe(0)
  },
  60_000,
)

/** Starts `serve` and reads its log until it listens, and no further. */
async function startStalled(workers: number, cookiePath = LONG) {
  const { folder, file, write } = await openServed()
  const pipe = await openStalledPipe(folder)
  await write(configFor(workers, cookiePath))
  const child = spawn(process.execPath, [MAIN, 'serve', '--config', file], {
    stdio: ['ignore', pipe.writeEnd, 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    pipe.close()
  })
  const text = await pipe.readUntil(/"listener":"admin","url":"[^"]+"/)
  const urls = [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url)
  const [url = '', adminUrl = ''] = urls
  return { pipe, child, port: Number(new URL(url).port), adminUrl, write }
}

function configFor(workers: number, cookiePath: string) {
  const points = [`http://www.example.com/${cookiePath}/service_cookie_transfer/`]
  return { points, workers, admin: { port: 0 }, log: {} }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode)
    else child.once('exit', resolve)
  })
}

/** Sends requests on a few connections, one after the other on each. */
async function ask(port: number, count: number, cookiePath = LONG): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const path = `/${cookiePath}/service_cookie_transfer/`
  const one = () =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ port, agent, path, headers: { Host: 'www.example.com' } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      }).on('error', reject)
    })
  const statuses = await Promise.all(Array.from({ length: count }, one))
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  agent.destroy()
}

function exchanges(text: string): number {
  return text.match(/"msg":"exchange"/g)?.length ?? 0
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
