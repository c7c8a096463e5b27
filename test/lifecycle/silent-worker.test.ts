import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { openNotifySocket } from '../support/notify-socket.ts'
import { listening, type Program, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'
import { serveConfig } from '../support/serve-config.ts'
import { askAdmin, askPoint, pointRequest } from '../support/served.ts'
import { until } from '../support/until.ts'
import { signalWorker, workersOf } from '../support/workers.ts'

/** A worker takes this signal as the order to spin. */
const spinning = `data:text/javascript,${encodeURIComponent(`
  import cluster from 'node:cluster'
  if (cluster.isWorker) process.on('SIGWINCH', () => { for (;;); })`)}`

describe('a worker that no longer answers', () => {
  it.concurrent.each<[string, NodeJS.Signals[]]>([
    ['is stopped', []],
    ['spins', ['SIGWINCH', 'SIGCONT']],
  ])('since it %s makes serve not ready, and is replaced', async (_, signals) => {
    const { program, port, admin } = await start()
    const [victim, other] = workersOf(program)
    signalWorker(victim, 'SIGSTOP')
    // The other worker accepts.
    expect(await Promise.all([askPoint(port), askPoint(port)])).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
    ])
    for (const signal of signals) signalWorker(victim, signal)
    await until(async () => (await statusOf('/readyz', admin)) === 503)
    expect(await statusOf('/livez', admin)).toBe(200)
    await program.printed(/"reason":"it did not answer for 10 s","msg":"a worker died and is replaced"/)
    await until(async () => (await statusOf('/readyz', admin)) === 200 && workersOf(program).length === 2)
    expect(workersOf(program)).toContain(other)
    expect(workersOf(program)).not.toContain(victim)
    expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
    expect(await restarts(program)).toEqual({ died: 0, unresponsive: 1 })
  })

  it.runIf(existsSync('/proc/self/fd')).concurrent(
    'leaves what arrives to the system, not to the process that was started, which has files of its own to open',
    async () => {
      const { program, port, admin } = await start()
      const [one, other] = workersOf(program)
      for (const worker of [one, other]) signalWorker(worker, 'SIGSTOP')
      const before = countFiles(program.child.pid)
      const clients = await Promise.all(Array.from({ length: 200 }, () => openClient(port)))
      for (const client of clients) client.write(pointRequest())
      expect(await statusOf('/livez', admin)).toBe(200)
      expect(countFiles(program.child.pid)).toBeLessThan(before + 20)
      for (const worker of [one, other]) signalWorker(worker, 'SIGCONT')
      const answers = await Promise.all(clients.map((client) => client.response()))
      expect(new Set(answers.map(({ startLine }) => startLine))).toEqual(new Set(['HTTP/1.1 200 OK']))
    },
  )

  it.concurrent('is not one that was killed', async () => {
    const { program } = await start()
    signalWorker(workersOf(program)[0], 'SIGKILL')
    await program.printed(/"reason":"SIGKILL","msg":"a worker died and is replaced"/)
    expect(await restarts(program)).toEqual({ died: 1, unresponsive: 0 })
  })

  it.concurrent('is not one whose answers wait for a primary process that was stopped', async () => {
    const { program, port, admin } = await start()
    const before = workersOf(program)
    program.signal('SIGSTOP')
    await wait(13_000)
    program.signal('SIGCONT')
    expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
    await until(async () => (await statusOf('/readyz', admin)) === 200)
    expect(await restarts(program)).toEqual({ died: 0, unresponsive: 0 })
    expect(workersOf(program)).toEqual(before)
  })

  it.runIf(isInstalled('systemd-notify') && isInstalled('python3')).concurrent(
    'keeps systemd from being told that serve works, until it is replaced',
    async () => {
      const NOTIFY_SOCKET = `@continuation-point-silent-${process.pid}`
      const { told, close } = await openNotifySocket(NOTIFY_SOCKET)
      cleanUps.push(close)
      const { program, admin } = await start({ NOTIFY_SOCKET, WATCHDOG_USEC: '400000' })
      await until(() => told().includes('WATCHDOG=1'))
      signalWorker(workersOf(program)[0], 'SIGSTOP')
      await until(async () => (await statusOf('/readyz', admin)) === 503)
      const before = told().length
      await program.printed(/a worker died and is replaced/)
      // In the seconds between there would be some 70; on a busy machine a few may have been on their way.
      const silent = told().length
      expect(silent).toBeLessThan(before + 20)
      await until(() => told().length > silent + 2)
    },
  )
}, 60_000)

/** These tests wait most of the time, so they run side by side and are cleaned up together. */
const cleanUps: (() => unknown)[] = []
afterAll(() => Promise.all(cleanUps.map((cleanUp) => cleanUp())))

async function start(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  const file = join(folder, 'config.json')
  const upstream = await startUpstream(answerOk)
  await writeFile(file, serveConfig(upstream.origin, { workers: 2, admin: { port: 0 } }))
  const program = startProgram(['serve', '--config', file], { nodeFlags: ['--import', spinning], env })
  cleanUps.push(async () => {
    program.signal('SIGTERM')
    await program.ended()
    await upstream.close()
    await rm(folder, { recursive: true })
  })
  return { program, port: Number((await listening(program)).port), admin: await listening(program, 'admin') }
}

function countFiles(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

async function statusOf(path: string, admin: URL): Promise<number> {
  return (await fetch(new URL(path, admin))).status
}

async function restarts(program: Program): Promise<Record<string, number>> {
  const text = await askAdmin(program)
  return Object.fromEntries(
    [...text.matchAll(/^continuation_point_worker_restarts_total\{reason="(\w+)"\} (\d+)$/gm)].map(
      ([, reason, count]) => [reason, Number(count)],
    ),
  )
}
