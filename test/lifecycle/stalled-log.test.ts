import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { MAIN } from '../support/program.ts'
import { openServed } from '../support/served.ts'
import { openStalledPipe } from '../support/stalled-pipe.ts'

const onTerminal = fileURLToPath(new URL('../support/stopped-terminal.py', import.meta.url))
const LIMIT_BYTES = 8 * 1_048_576
/** What is read beside that: a full pipe, and what a paused socket of Node may hold (its high-water mark and one read). */
const PIPE_BYTES = 3 * 65_536
/** It is in each line of the log, so a line is about as long. */
const LONG = 'a'.repeat(8_000)

it('a stalled reader of the log takes up to 8 MiB: further lines are dropped and counted', async () => {
  const { pipe, port, adminUrl, child } = await startStalled()
  await ask(port, 1_500)
  let metrics = ''
  // A request is logged and counted after its answer was sent.
  while (!/^continuation_point_requests_total\{.*} 1500$/m.test(metrics))
    metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const dropped = Number(/^continuation_point_log_lines_lost_total (\d+)$/m.exec(metrics)?.[1])
  expect(dropped).toBeGreaterThan(0)
  const text = await readExchanges(pipe, 1_500 - dropped)
  expect(text.length).toBeLessThanOrEqual(LIMIT_BYTES + PIPE_BYTES + LONG.length * 4)
  expect(text.length).toBeGreaterThan(LIMIT_BYTES * 0.9)
  await ask(port, 1)
  await readExchanges(pipe, 1_501 - dropped)
  child.kill('SIGTERM')
  await pipe.readUntil(/"msg":"stopped"/)
  expect(await exitOf(child)).toBe(0)
}, 120_000)

it('SIGTERM ends a process whose log is not read', async () => {
  const { port, child } = await startStalled()
  await ask(port, 200)
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(0)
}, 120_000)

it.runIf(isInstalled('python3'))(
  'a terminal that was stopped fails no request, and SIGTERM ends the program',
  async () => {
    const { file, write } = await openServed()
    await write(CONFIG)
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
  120_000,
)

/** Starts `serve` and reads its log until it listens, and no further. */
async function startStalled() {
  const { folder, file, write } = await openServed()
  const pipe = await openStalledPipe(folder)
  await write(CONFIG)
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
  return { pipe, child, port: Number(new URL(url).port), adminUrl }
}

const CONFIG = {
  points: [`http://www.example.com/${LONG}/service_cookie_transfer/`],
  admin: { port: 0 },
  log: {},
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode)
    else child.once('exit', resolve)
  })
}

/** Sends requests on a few connections, one after the other on each. */
async function ask(port: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const path = `/${LONG}/service_cookie_transfer/`
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

/** Reads the log until it has lines of so many exchanges. */
async function readExchanges(pipe: Awaited<ReturnType<typeof openStalledPipe>>, count: number) {
  let [text, seen, at] = ['', 0, 0]
  while (seen < count) {
    text = await pipe.readUntil(/\n/)
    seen += text.slice(at).match(/"msg":"exchange"\}\n/g)?.length ?? 0
    at = text.lastIndexOf('\n') + 1
  }
  return text
}
