import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { beforeEach, describe, expect, it } from 'vitest'
import { certificate } from '../support/certificates/certificate.ts'
import { listening, type Program, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { holdSome, type RecordedRequest } from '../support/recording-upstream.ts'
import { askAdmin, askPoint, openServed, pointRequest, type Served } from '../support/served.ts'
import { until } from '../support/until.ts'
import { onlyValue } from '../support/wire.ts'

let served: Served
let program: Program
/** A secret, and how a mount or a tool replaces it. */
let key: string
let workers: number

beforeEach(async () => {
  served = await openServed(holdSome)
  key = join(served.folder, 'widget_key')
  workers = 1
})

async function replace(text: string): Promise<void> {
  await writeFile(`${key}.next`, text)
  await rename(`${key}.next`, key)
}

const write = (changes: Record<string, unknown>) => served.write({ workers, log: {}, ...changes })

async function start(changes: Record<string, unknown>, processes = 1): Promise<number> {
  workers = processes
  const started = await served.start({ workers, log: {}, ...changes })
  program = started.program
  return started.port
}

/** Sends the signal, and waits for what the program says then. */
function reload(told: RegExp): Promise<RegExpExecArray> {
  program.signal('SIGHUP')
  return program.printed(told)
}

/** Sends the signal, and looks until its effect is there: workers follow a moment later. */
async function reloadUntil(isDone: () => Promise<boolean>): Promise<void> {
  program.signal('SIGHUP')
  await until(isDone)
}

/** The widget key that the service gets. */
async function keySeen(port: number): Promise<string | undefined> {
  await askPoint(port)
  return served.upstream.requests.map(keyOf).at(-1)
}

/** One exchange, and its line in the log. */
async function exchange(port: number): Promise<string> {
  const before = lines().length
  await askPoint(port)
  await program.printed(new RegExp(`(?:"msg":"exchange"[\\s\\S]*){${before + 1}}`))
  return lines().at(-1) ?? ''
}

const untilReload = (succeeds: 0 | 1) =>
  until(async () =>
    (await askAdmin(program)).includes(`\ncontinuation_point_config_last_reload_successful ${succeeds}\n`),
  )
const lines = () => program.stdout().match(/.*"msg":"exchange".*/g) ?? []

// Workers get from the process that was started what it has loaded; what they do with it is what a single process does.
describe('SIGHUP', { timeout: 120_000 }, () => {
  it('stops logging client addresses', async () => {
    const port = await start({ log: { clientAddress: 'full' } })
    expect(await exchange(port)).toContain('"client":"127.0.0.1"')
    await write({ log: { clientAddress: 'omit' } })
    await reloadUntil(async () => !(await exchange(port)).includes('"client"'))
  })

  it('starts logging exchanges, at the new level', async () => {
    const port = await start({ log: { access: false, level: 'error' } })
    await write({ log: { access: true, level: 'info' } })
    await reloadUntil(async () => {
      await askPoint(port)
      return lines().length > 0
    })
    await program.printed(/"msg":"config reloaded"/)
  })

  it.each([1, 2])(
    'gives new connections the certificate that was renewed in its place, workers: %i',
    async (processes) => {
      const copy = async (name: string) => {
        for (const part of ['cert', 'key'])
          await copyFile(certificate(`${name}.${part}`), join(served.folder, `${part}.pem`))
      }
      await copy('expired')
      const tls = { cert: `file:${served.folder}/cert.pem`, key: `file:${served.folder}/key.pem` }
      const points = ['https://www.example.com/service_cookie_transfer/']
      const port = await start({ listen: { port: 0, tls }, points }, processes)
      const old = await serialNumber(port)
      await copy('service')
      await reloadUntil(async () => (await serialNumber(port)) !== old)
      expect(program.stderr()).toBe('')
    },
  )

  it.each([1, 2])(
    'takes over a secret that was replaced on disk, without a signal and without the config beside it, workers: %i',
    async (processes) => {
      await replace('first-widget-key')
      const changes = { widgetKey: `file:${key}` }
      const port = await start(changes, processes)
      await write({ ...changes, log: { clientAddress: 'full' } })
      await replace('no key\nat all')
      await program.printed(/"msg":"config not reloaded: the old one stays"/)
      expect(await keySeen(port)).toBe('first-widget-key')
      await replace('second-widget-key')
      await program.printed(/"msg":"config reloaded"/)
      await until(async () => (await keySeen(port)) === 'second-widget-key')
      expect(lines().join()).not.toContain('"client"')
      expect(program.stdout().match(/"msg":"config not reloaded/g)).toHaveLength(1)
      expect(program.stdout()).not.toMatch(/(?:first|second)-widget-key|at all/)
    },
  )

  it('reads a pipe once: it holds up neither the renewal of other secrets nor the end', async () => {
    const pipe = makePipe()
    await writeFile(key, 'first-key')
    const other = { url: 'http://other.example.com/service_cookie_transfer/', widgetKey: `file:${pipe}` }
    const point = { url: 'http://www.example.com/service_cookie_transfer/', widgetKey: `file:${key}` }
    await write({ points: [other, point] })
    program = startProgram(['serve', '--config', served.file])
    await writeFile(pipe, 'a-key')
    const port = Number((await listening(program)).port)
    await writeFile(key, 'second-key')
    await until(async () => (await keySeen(port)) === 'second-key')
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
  })

  it('tells a refused secret from a refused config, and forgets a secret that was put right', async () => {
    await replace('first-key')
    const changes = { widgetKey: `file:${key}`, admin: { port: 0 } }
    const port = await start(changes)
    await replace('no key\nat all')
    await untilReload(0)
    await replace('first-key')
    await untilReload(1)
    await replace('second-key')
    await until(async () => (await keySeen(port)) === 'second-key')
    // A signal may bring back what was there before; then the same text is new again.
    await replace('first-key')
    await reloadUntil(async () => (await keySeen(port)) === 'first-key')
    // Asked for with a signal, the same secret is refused, not the config: the next one clears it.
    await replace('no key\nat all')
    program.signal('SIGHUP')
    await untilReload(0)
    await replace('first-key')
    await untilReload(1)
    await served.write('{')
    await reloadUntil(async () => program.stdout().includes('unclosed object'))
    await replace('second-key')
    await until(async () => (await keySeen(port)) === 'second-key')
    await untilReload(0)
    await write(changes)
    program.signal('SIGHUP')
    await untilReload(1)
  })

  it.each([
    ['missing', (key: string) => rm(key)],
    ['empty', (key: string) => writeFile(key, '')],
  ])(
    'says in log and metrics that a secret is %s, keeps the one in force, and forgets it once it is back',
    async (_what, lose) => {
      await writeFile(key, 'first-key')
      const port = await start({ widgetKey: `file:${key}`, admin: { port: 0 } })
      await lose(key)
      await untilReload(0)
      await program.printed(/"msg":"a secret is missing or empty/)
      const [line = '{}'] = program.stdout().match(/.*missing or empty.*/) ?? []
      expect(JSON.parse(line)).toMatchObject({ level: 'error', files: [key] })
      expect(await keySeen(port)).toBe('first-key')
      await writeFile(key, 'second-key')
      await until(async () => (await keySeen(port)) === 'second-key')
      await untilReload(1)
      expect(program.stdout().match(/missing or empty/g)).toHaveLength(1)
    },
  )

  it('keeps a reload refused whose secret is missing, whatever else is renewed', async () => {
    const other = join(served.folder, 'other_key')
    await writeFile(key, 'first-key')
    await writeFile(other, 'other-key')
    const points = [
      { url: 'http://www.example.com/service_cookie_transfer/', widgetKey: `file:${key}` },
      { url: 'http://other.example.com/service_cookie_transfer/', widgetKey: `file:${other}` },
    ]
    await start({ points, admin: { port: 0 } })
    await rm(key)
    await reload(/"msg":"config not reloaded/)
    await writeFile(other, 'next-key')
    await program.printed(/"msg":"config reloaded"/)
    await untilReload(0)
  })

  it('takes over the new drain time', async () => {
    const port = await start({ timeouts: { drain: '1h' } })
    await write({ timeouts: { drain: '50ms' } })
    await reload(/"msg":"config reloaded"/)
    const client = await openClient(port)
    client.write(pointRequest('hold'))
    await served.upstream.arrived(1)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(1)
  })

  it('takes over the new time limit for a request head', async () => {
    const port = await start({ timeouts: { idle: '1h' } })
    await write({ timeouts: { idle: '200ms' } })
    await reload(/"msg":"config reloaded"/)
    const client = await openClient(port)
    client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: ')
    expect((await client.response()).startLine).toBe('HTTP/1.1 408 Request Timeout')
    client.close()
  })

  it('shows in its metrics whether the config was reloaded', async () => {
    await start({ admin: { port: 0 } })
    const read = async () => {
      const text = await askAdmin(program)
      const metric = (name: string) =>
        Number(new RegExp(`^continuation_point_config_${name} (\\S+)$`, 'm').exec(text)?.[1])
      return {
        successful: metric('last_reload_successful'),
        atSeconds: metric('last_reload_success_timestamp_seconds'),
        failures: metric('reload_failures_total'),
      }
    }
    const first = await read()
    expect(first).toEqual({ successful: 1, atSeconds: expect.any(Number), failures: 0 })
    expect(first.atSeconds).toBeGreaterThan(1_700_000_000)
    await write({ points: ['no URL'] })
    await reload(/"msg":"config not reloaded/)
    expect(await read()).toEqual({ successful: 0, atSeconds: first.atSeconds, failures: 1 })
    await write({ admin: { port: 0 } })
    await reload(/"msg":"config reloaded/)
    const last = await read()
    expect(last).toEqual({ successful: 1, atSeconds: expect.any(Number), failures: 1 })
    expect(last.atSeconds).toBeGreaterThan(first.atSeconds)
  })

  it.each([1, 2])(
    'keeps the later of two configs, however long the earlier one took to load, workers: %i',
    async (processes) => {
      const port = await start({}, processes)
      const slowKey = makePipe()
      await write({ widgetKey: `file:${slowKey}` })
      program.signal('SIGHUP')
      const key = await openOnceRead(slowKey)
      await write({ widgetKey: 'later-widget-key' })
      await reloadUntil(async () => (await keySeen(port)) === 'later-widget-key')
      await key.write('earlier-widget-key')
      await key.close()
      await program.printed(/(?:"msg":"config [^"]*reload[\s\S]*){2}/)
      // Workers get a reload after its line is logged, and what they are sent next after that.
      await write({ widgetKey: 'later-widget-key', log: { clientAddress: 'full' } })
      await reloadUntil(async () => (await exchange(port)).includes('"client"'))
      expect(program.stdout()).toContain('"msg":"config not reloaded: a later one is in force already"')
      expect(served.upstream.requests.map(keyOf)).not.toContain('earlier-widget-key')
    },
  )

  it('counts a config that is refused once a later one is in force, which stays the last', async () => {
    const port = await start({ admin: { port: 0 } })
    const slowKey = makePipe()
    await write({ admin: { port: 0 }, widgetKey: `file:${slowKey}` })
    program.signal('SIGHUP')
    const key = await openOnceRead(slowKey)
    await write({ admin: { port: 0 }, widgetKey: 'later-widget-key' })
    await reloadUntil(async () => (await keySeen(port)) === 'later-widget-key')
    await key.write('a key\u0001')
    await key.close()
    await program.printed(/"msg":"config not reloaded: the old one stays"/)
    const metrics = await askAdmin(program)
    expect(metrics).toMatch(/^continuation_point_config_reload_failures_total 1$/m)
    expect(metrics).toMatch(/^continuation_point_config_last_reload_successful 1$/m)
  })

  it('says that a reload waits for a pipe that nobody writes, which does not hold up the end', async () => {
    await start({})
    await write({ widgetKey: `file:${makePipe()}` })
    await reload(/"level":"warn"[^\n]*"msg":"config not loaded yet/)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
  })

  it('names what needs a restart', async () => {
    await start({})
    await write({ limits: { headerBytes: 9_000 }, admin: { port: 0 } })
    const [line] = await reload(/.*config reloaded.*/)
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', needRestart: ['/limits/headerBytes', '/admin'] })
  })

  it('logs the first problems of a config with thousands, and serves while it finds them', async () => {
    const port = await start({})
    const points = Array.from({ length: 8_000 }, (_, i) => ({
      url: `https://www${i}.example.com/`,
      ulr: 'x',
    }))
    await write({ points })
    program.signal('SIGHUP')
    let served = 0
    const refused = program.printed(/.*"msg":"config not reloaded.*\n/)
    const isOver = () => /"msg":"config not reloaded/.test(program.stdout())
    while (!isOver()) {
      await askPoint(port)
      served += 1
    }
    const [line] = await refused
    const { problemCount, problems } = JSON.parse(line)
    expect(problemCount).toBe(8_000)
    expect(problems.length).toBeGreaterThan(10)
    expect(problems).toMatchObject(
      points
        .slice(0, problems.length)
        .map((_, i) => ({ pointer: `/points/${i}/ulr`, message: 'unknown key "ulr"' })),
    )
    // If nothing were served meanwhile, it would be one request, or two that came before the signal.
    expect(served).toBeGreaterThan(5)
  })
})

function keyOf({ fields }: RecordedRequest): string | undefined {
  return onlyValue(fields, 'x-widget-key')
}

function makePipe(): string {
  const path = join(served.folder, 'pipe')
  execFileSync('mkfifo', [path])
  return path
}

/** Opens a named pipe for writing once it has a reader. */
async function openOnceRead(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENXIO')) throw error
      await wait(10)
    }
  }
}

function serialNumber(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
