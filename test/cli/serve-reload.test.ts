import { execFileSync } from 'node:child_process'
import { copyFile, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { beforeEach, describe, expect, it } from 'vitest'
import { certificate } from '../support/certificates/certificate.ts'
import type { Program } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { holdSome, type RecordedRequest } from '../support/recording-upstream.ts'
import { askAdmin, askPoint, openServed, pointRequest, type Served } from '../support/served.ts'
import { until } from '../support/until.ts'
import { onlyValue } from '../support/wire.ts'

let served: Served
let program: Program
beforeEach(async () => {
  served = await openServed(holdSome)
})

const write = (changes: Record<string, unknown>) => served.write({ log: {}, ...changes })

async function start(changes: Record<string, unknown>): Promise<number> {
  const started = await served.start({ log: {}, ...changes })
  program = started.program
  return started.port
}

/** Sends the signal, and waits for what the program says then. */
function reload(told: RegExp): Promise<RegExpExecArray> {
  program.signal('SIGHUP')
  return program.printed(told)
}

/** Sends the signal, and looks until its effect is there. */
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

const lines = () => program.stdout().match(/.*"msg":"exchange".*/g) ?? []

// What becomes of loads that fail or wait is in test/serve/reloading.test.ts.
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

  it('gives new connections the certificate that was renewed in its place', async () => {
    const copy = async (name: string) => {
      for (const part of ['cert', 'key'])
        await copyFile(certificate(`${name}.${part}`), join(served.folder, `${part}.pem`))
    }
    await copy('expired')
    const tls = { cert: `file:${served.folder}/cert.pem`, key: `file:${served.folder}/key.pem` }
    const points = ['https://www.example.com/service_cookie_transfer/']
    const port = await start({ listen: { port: 0, tls }, points })
    const old = await serialNumber(port)
    await copy('service')
    await reloadUntil(async () => (await serialNumber(port)) !== old)
    expect(program.stderr()).toBe('')
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

  it('takes over a secret that was replaced on disk', async () => {
    const key = join(served.folder, 'widget_key')
    await writeFile(key, 'first-widget-key')
    const port = await start({ widgetKey: `file:${key}` })
    await writeFile(key, 'no key\nat all')
    await reload(/"msg":"config not reloaded: the old one stays"/)
    expect(await keySeen(port)).toBe('first-widget-key')
    await writeFile(key, 'second-widget-key')
    await reload(/"msg":"config reloaded"/)
    expect(await keySeen(port)).toBe('second-widget-key')
    expect(program.stdout()).not.toMatch(/(?:first|second)-widget-key|at all/)
  })

  it('reads a pipe again, and waits for its writer without holding up the end', async () => {
    const pipe = join(served.folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const port = await start({})
    await write({ widgetKey: `file:${pipe}` })
    program.signal('SIGHUP')
    await writeFile(pipe, 'piped-widget-key')
    await program.printed(/"msg":"config reloaded"/)
    expect(await keySeen(port)).toBe('piped-widget-key')
    program.signal('SIGHUP')
    // Opens once the program reads it.
    const unwritten = await open(pipe, 'w')
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    await unwritten.close()
  })

  it('asked for 200 times in a row, keeps no visitor waiting', async () => {
    const port = await start({})
    let isOver = false
    const waitsMs: number[] = []
    const visits = (async () => {
      while (!isOver) {
        const askedAt = performance.now()
        expect(await askPoint(port)).toBe('HTTP/1.1 200 OK')
        waitsMs.push(performance.now() - askedAt)
      }
    })()
    for (let count = 0; count < 200; count += 1) {
      program.signal('SIGHUP')
      await wait(5)
    }
    isOver = true
    await visits
    expect(Math.max(...waitsMs)).toBeLessThan(1_000)
  })

  it('names what needs a restart', async () => {
    await start({})
    await write({ limits: { headerBytes: 9_000 }, admin: { port: 0 } })
    const [line] = await reload(/.*config reloaded.*/)
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', needRestart: ['/limits/headerBytes', '/admin'] })
  })

  it('logs the first problems of a config with thousands', async () => {
    await start({})
    const points = Array.from({ length: 8_000 }, (_, i) => ({
      url: `https://www${i}.example.com/`,
      ulr: 'x',
    }))
    await write({ points })
    program.signal('SIGHUP')
    const [line] = await program.printed(/.*"msg":"config not reloaded.*\n/)
    const { problemCount, problems } = JSON.parse(line)
    expect(problemCount).toBe(8_000)
    expect(problems.length).toBeGreaterThan(10)
    expect(problems).toMatchObject(
      points
        .slice(0, problems.length)
        .map((_, i) => ({ pointer: `/points/${i}/ulr`, message: 'unknown key "ulr"' })),
    )
  })
})

function keyOf({ fields }: RecordedRequest): string | undefined {
  return onlyValue(fields, 'x-widget-key')
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
