import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { listening, type Program, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { answerOk, type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { signalWorker, workersOf } from '../support/workers.ts'

const REQUEST = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n'

describe('several workers', () => {
  let folder: string
  let file: string
  let upstream: RecordingUpstream
  let program: Program
  let port: number
  let admin: URL
  let exitCode: number

  const writePoints = (points: readonly string[]) =>
    writeFile(
      file,
      JSON.stringify({
        service: { url: upstream.origin },
        widgetKey: 'test-widget-key',
        points,
        listen: { port: 0 },
        admin: { port: 0 },
        workers: 2,
      }),
    )
  const count = () => metric('http_server_request_duration_seconds_count')
  const metric = async (name: string) => {
    const text = await (await fetch(new URL('/metrics', admin))).text()
    return [...text.matchAll(new RegExp(`^${name}(?:\\{[^\\n]*\\})? ([0-9]+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    )
  }
  const ask = async () => {
    const client = await openClient(port)
    client.write(REQUEST)
    const { startLine } = await client.response()
    client.close()
    return startLine
  }

  const answerLate = () => {
    for (const socket of upstream.sockets) {
      if (socket.writable) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate')
    }
  }

  beforeEach(async () => {
    exitCode = 0
    folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
    file = join(folder, 'config.json')
    upstream = await startUpstream((request, socket) => {
      if (!request.startLine.includes('/hold')) answerOk(request, socket)
    })
    await writePoints(['http://www.example.com/service_cookie_transfer/'])
    program = startProgram(['serve', '--config', file])
    port = Number((await listening(program)).port)
    admin = await listening(program, 'admin')
  })
  afterEach(async () => {
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(exitCode)
    expect(program.stderr()).toBe('')
    await upstream.close()
    await rm(folder, { recursive: true })
  })

  it('share one listener, announced once, and their metrics add up', async () => {
    for (let i = 0; i < 12; i += 1) expect(await ask()).toBe('HTTP/1.1 200 OK')
    expect(await count()).toBe(12)
    expect(await metric('continuation_point_workers')).toBe(2)
    expect(program.stdout().match(/"msg":"listening","listener":"public"/g)).toHaveLength(1)
    expect(program.stdout().match(/"msg":"exchange"/g)).toHaveLength(12)
  })

  it('replace one that is killed, and the others answer on', async () => {
    const [first, second] = workersOf(program)
    signalWorker(first, 'SIGKILL')
    await program.printed(/"reason":"SIGKILL","msg":"a worker died and is replaced"/)
    expect(await ask()).toBe('HTTP/1.1 200 OK')
    await untilIs(() => metric('continuation_point_workers'), 2)
    const now = workersOf(program)
    expect(now).toContain(second)
    expect(now).not.toContain(first)
    expect((await fetch(new URL('/readyz', admin))).status).toBe(200)
  })

  it('reload the config together', async () => {
    await writePoints(['http://www.example.com/other/service_cookie_transfer/'])
    program.signal('SIGHUP')
    await program.printed(/"msg":"config reloaded"/)
    await untilIs(
      async () => (await Promise.all([ask(), ask(), ask(), ask()])).join(),
      Array(4).fill('HTTP/1.1 404 Not Found').join(),
    )
    await writePoints(['http://www.example.com/service_cookie_transfer/'])
    program.signal('SIGHUP')
    await untilIs(
      async () => (await Promise.all([ask(), ask(), ask(), ask()])).join(),
      Array(4).fill('HTTP/1.1 200 OK').join(),
    )
  })

  it('serve what was loaded last, whatever the file contains when one is replaced', async () => {
    await writePoints(['http://www.example.com/other/service_cookie_transfer/'])
    program.signal('SIGHUP')
    await program.printed(/"msg":"config reloaded"/)
    await writeFile(file, 'garbage')
    // One after the other: the last one that listens keeps the port.
    for (const [index, worker] of workersOf(program).entries()) {
      signalWorker(worker, 'SIGKILL')
      await program.printed(new RegExp(`(?:a worker died and is replaced[\\s\\S]*){${index + 1}}`))
      await untilIs(() => metric('continuation_point_workers'), 2)
    }
    for (let i = 0; i < 4; i += 1) expect(await ask()).toBe('HTTP/1.1 404 Not Found')
  })

  it('finish their requests when they are told to stop', async () => {
    const clients = await Promise.all([openClient(port), openClient(port), openClient(port)])
    const before = upstream.requests.length
    for (const client of clients) client.write(REQUEST.replace('transfer/', 'transfer/hold'))
    await upstream.arrived(before + clients.length)
    program.signal('SIGTERM')
    await program.printed(/"msg":"draining"/)
    answerLate()
    for (const client of clients) expect((await client.response()).body).toBe('late')
    expect(await program.ended()).toBe(0)
  })

  it('keep the counts of one that dies', async () => {
    for (let i = 0; i < 12; i += 1) await ask()
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

  it('leave their counts when they end normally', async () => {
    for (let i = 0; i < 12; i += 1) await ask()
    const client = await openClient(port)
    client.write(REQUEST.replace('transfer/', 'transfer/hold'))
    await upstream.arrived(13)
    program.signal('SIGTERM')
    await untilIs(async () => workersOf(program).length, 1)
    expect(await count()).toBe(12)
    answerLate()
    expect((await client.response()).body).toBe('late')
  })

  it('are counted with the last known counts of one that does not answer', async () => {
    for (let i = 0; i < 12; i += 1) await ask()
    expect(await count()).toBe(12)
    const [silent] = workersOf(program)
    signalWorker(silent, 'SIGSTOP')
    expect(await count()).toBe(12)
    expect(await metric('continuation_point_workers')).toBe(2)
    signalWorker(silent, 'SIGCONT')
    await ask()
    await untilIs(count, 13)
  })

  it('report it if they die before they have finished their requests', async () => {
    const clients = await Promise.all([openClient(port), openClient(port), openClient(port)])
    const before = upstream.requests.length
    for (const client of clients) client.write(REQUEST.replace('transfer/', 'transfer/hold'))
    await upstream.arrived(before + clients.length)
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
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  const file = join(folder, 'config.json')
  await writeFile(
    file,
    JSON.stringify({
      service: { url: 'https://localhost' },
      widgetKey: 'test-widget-key',
      points: ['http://www.example.com/service_cookie_transfer/'],
      listen: { port: 0 },
      admin: null,
      workers: 2,
    }),
  )
  onTestFinished(() => rm(folder, { recursive: true }))
  return startProgram(['serve', '--config', file], {
    nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(first)}`],
  })
}

/** Asks again until the answer is as expected; the runner's own limit ends it. */
async function untilIs<T>(look: () => Promise<T>, expected: T): Promise<void> {
  await until(async () => (await look()) === expected)
}
