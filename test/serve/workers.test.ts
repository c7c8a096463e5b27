import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Program, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { holdSome, type RecordingUpstream } from '../support/recording-upstream.ts'
import { askAdmin, askPoint, openServed, pointRequest, type Served } from '../support/served.ts'
import { until } from '../support/until.ts'
import { signalWorker, workersOf } from '../support/workers.ts'

describe('several workers', () => {
  let served: Served
  let upstream: RecordingUpstream
  let program: Program
  let port: number
  let exitCode: number

  const config = { workers: 2, admin: { port: 0 }, log: {} }
  const count = () => metric('http_server_request_duration_seconds_count')
  const metric = async (name: string) => {
    const samples = (await askAdmin(program)).matchAll(
      new RegExp(`^${name}(?:\\{[^\\n]*\\})? ([0-9]+)$`, 'gm'),
    )
    return [...samples].reduce((sum, [, value]) => sum + Number(value), 0)
  }
  const ask = async (times = 1) => {
    for (let i = 0; i < times; i += 1) expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
  }
  /** Clients whose requests the service has, and holds. */
  const hold = async (clients: number) => {
    const before = upstream.requests.length
    const held = await Promise.all(Array.from({ length: clients }, () => openClient(port)))
    for (const client of held) client.write(pointRequest('hold'))
    await upstream.arrived(before + clients)
    return held
  }

  beforeEach(async () => {
    exitCode = 0
    served = await openServed(holdSome)
    upstream = served.upstream
    ;({ program, port } = await served.start(config))
  })
  afterEach(async () => {
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(exitCode)
    expect(program.stderr()).toBe('')
  })

  it('share one listener, announced once, and their metrics add up, also of one that does not answer', async () => {
    await ask(12)
    expect(await count()).toBe(12)
    expect(program.stdout().match(/"msg":"listening","listener":"public"/g)).toHaveLength(1)
    expect(program.stdout().match(/"msg":"exchange"/g)).toHaveLength(12)
    const [silent] = workersOf(program)
    signalWorker(silent, 'SIGSTOP')
    expect(await count()).toBe(12)
    expect(await metric('continuation_point_workers')).toBe(2)
    signalWorker(silent, 'SIGCONT')
    await ask()
    await untilIs(count, 13)
  })

  it('keep the counts of one that dies', async () => {
    await ask(12)
    expect(await count()).toBe(12)
    for (const worker of workersOf(program)) {
      signalWorker(worker, 'SIGKILL')
      await untilIs(async () => workersOf(program).includes(worker), false)
      await untilIs(() => metric('continuation_point_workers'), 2)
      expect(await count()).toBe(12)
    }
    await ask()
    expect(await count()).toBe(13)
  })

  it('serve what was loaded last, whatever the file contains when one is replaced', async () => {
    await served.write({ ...config, points: ['http://www.example.com/other/service_cookie_transfer/'] })
    program.signal('SIGHUP')
    await program.printed(/"msg":"config reloaded"/)
    await writeFile(served.file, 'garbage')
    // One after the other: the last one that listens keeps the port.
    for (const [index, worker] of workersOf(program).entries()) {
      signalWorker(worker, 'SIGKILL')
      await program.printed(new RegExp(`(?:a worker died and is replaced[\\s\\S]*){${index + 1}}`))
      await untilIs(() => metric('continuation_point_workers'), 2)
    }
    for (let i = 0; i < 4; i += 1) expect(await askPoint(port)).toBe('HTTP/1.1 404 Not Found')
  })

  it('finish their requests when they are told to stop, and leave their counts', async () => {
    await ask(12)
    const [client] = await hold(1)
    program.signal('SIGTERM')
    await untilIs(async () => workersOf(program).length, 1)
    expect(await count()).toBe(12)
    for (const socket of upstream.sockets) {
      if (socket.writable) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate')
    }
    expect((await client?.response())?.body).toBe('late')
  })

  it('report it if they die before they have finished their requests', async () => {
    const clients = await hold(3)
    expect(await metric('http_server_active_requests')).toBe(3)
    program.signal('SIGTERM')
    await program.printed(/"msg":"draining"/)
    for (const worker of workersOf(program)) signalWorker(worker, 'SIGKILL')
    exitCode = 1
    expect(await program.ended()).toBe(1)
    // Of a worker that died nobody knows exactly, so one counts where maybe none was.
    expect(program.stdout()).toMatch(/"cut":[34],"msg":"stopped"/)
    expect(program.stdout().match(/a worker died/g)).toHaveLength(2)
    for (const client of clients) client.close()
  })
})

it('a worker that dies while it starts ends the start', async () => {
  const program = await startTwoWorkers('if (cluster.isWorker) process.exit(7)')
  expect([await program.ended(), program.stdout()]).toEqual([3, ''])
  expect(program.stderr()).toMatch(/a worker process died while it started.*"workers": 1/)
})

it('SIGTERM does not wait for the next attempt to replace a worker', async () => {
  const program = await startTwoWorkers(`
    if (cluster.isWorker && cluster.worker.id > 2) process.exit(7)
    const setPlainTimeout = setTimeout
    let isStopping = false
    if (cluster.isPrimary) {
      process.on('SIGTERM', () => { isStopping = true })
      globalThis.setTimeout = (call, ms) =>
        setPlainTimeout(() => {
          if (isStopping && ms >= 800) process.stderr.write('waited ' + ms)
          call()
        }, ms)
    }`)
  await program.printed(/"msg":"listening"/)
  const [worker] = workersOf(program)
  signalWorker(worker, 'SIGKILL')
  // The next attempts come after 100, 200, 400 and 800 ms.
  await program.printed(/(?:a worker died[\s\S]*){4}/)
  program.signal('SIGTERM')
  await program.ended()
  expect(program.stderr()).toBe('')
})

/** Starts `serve` with two workers; `script` runs first in each of its processes. */
async function startTwoWorkers(script: string): Promise<Program> {
  const first = `import cluster from 'node:cluster'\n${script}`
  const { file, write } = await openServed()
  await write({ workers: 2 })
  return startProgram(['serve', '--config', file], {
    nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(first)}`],
  })
}

/** Asks again until the answer is as expected; the runner's own limit ends it. */
async function untilIs<T>(look: () => Promise<T>, expected: T): Promise<void> {
  await until(async () => (await look()) === expected)
}
