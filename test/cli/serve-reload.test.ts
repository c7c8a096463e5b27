import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFolderOfTest } from '../support/folder.ts'
import { listening, type Program, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import {
  answerOk,
  type RecordedRequest,
  type RecordingUpstream,
  startUpstream,
} from '../support/recording-upstream.ts'
import { serveConfig } from '../support/serve-config.ts'
import { until } from '../support/until.ts'
import { onlyValue } from '../support/wire.ts'

describe.each([1, 2])('SIGHUP with workers: %i', (workers) => {
  let folder: string
  let file: string
  let upstream: RecordingUpstream
  let program: Program
  /** A secret, and how a mount or a tool replaces it. */
  let key: string
  const replace = async (text: string) => {
    await writeFile(`${key}.next`, text)
    await rename(`${key}.next`, key)
  }

  const write = (changes: Record<string, unknown>) =>
    writeFile(file, serveConfig(upstream.origin, { workers, ...changes }))
  const start = async (changes: Record<string, unknown>) => {
    await write(changes)
    program = startProgram(['serve', '--config', file])
    return Number((await listening(program)).port)
  }
  /** Sends the signal, and looks until its effect is there: workers follow a moment later. */
  const reloadUntil = async (isDone: () => Promise<boolean>) => {
    program.signal('SIGHUP')
    await until(isDone)
  }
  const ask = async (port: number) => {
    const client = await openClient(port)
    client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
    await client.response()
    client.close()
  }
  /** The widget key that the service gets. */
  const keySeen = async (port: number) => {
    await ask(port)
    return upstream.requests.map(keyOf).at(-1)
  }
  /** One exchange, and its line in the log. */
  const exchange = async (port: number) => {
    const before = lines().length
    await ask(port)
    await program.printed(new RegExp(`(?:"msg":"exchange"[\\s\\S]*){${before + 1}}`))
    return lines().at(-1) ?? ''
  }
  const metrics = async () => (await fetch(new URL('/metrics', await listening(program, 'admin')))).text()
  const untilReload = (succeeds: 0 | 1) =>
    until(async () =>
      (await metrics()).includes(`\ncontinuation_point_config_last_reload_successful ${succeeds}\n`),
    )
  const lines = () => program.stdout().match(/.*"msg":"exchange".*/g) ?? []

  beforeEach(async () => {
    folder = openFolderOfTest()
    file = join(folder, 'config.json')
    key = join(folder, 'widget_key')
    upstream = await startUpstream((request, socket) => {
      if (!request.startLine.includes('/hold')) answerOk(request, socket)
    })
  })
  afterEach(async () => {
    program.signal('SIGKILL')
    await program.ended()
    await upstream.close()
  })

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
      await ask(port)
      return lines().length > 0
    })
    await program.printed(/"msg":"config reloaded"/)
  })

  it('gives new connections the certificate that was renewed in its place', async () => {
    const copy = async (name: string) => {
      for (const part of ['cert', 'key'])
        await copyFile(
          fileURLToPath(new URL(`../support/certificates/${name}.${part}.pem`, import.meta.url)),
          join(folder, `${part}.pem`),
        )
    }
    await copy('expired')
    const tls = { cert: `file:${folder}/cert.pem`, key: `file:${folder}/key.pem` }
    const points = ['https://www.example.com/service_cookie_transfer/']
    const port = await start({ listen: { port: 0, tls }, points })
    const old = await serialNumber(port)
    await copy('service')
    await reloadUntil(async () => (await serialNumber(port)) !== old)
    expect(program.stderr()).toBe('')
  })

  it('takes over a secret that was replaced on disk, without a signal and without the config beside it', {
    timeout: 60_000,
  }, async () => {
    await replace('first-widget-key')
    const changes = { widgetKey: `file:${key}` }
    const port = await start(changes)
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
  })

  it('reads a pipe once: it holds up neither the renewal of other secrets nor the end', {
    timeout: 60_000,
  }, async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    await writeFile(key, 'first-key')
    const other = { url: 'http://other.example.com/service_cookie_transfer/', widgetKey: `file:${pipe}` }
    const point = { url: 'http://www.example.com/service_cookie_transfer/', widgetKey: `file:${key}` }
    await write({ points: [other, point] })
    program = startProgram(['serve', '--config', file])
    await writeFile(pipe, 'a-key')
    const port = Number((await listening(program)).port)
    await writeFile(key, 'second-key')
    await until(async () => (await keySeen(port)) === 'second-key')
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
  })

  it('tells a refused secret from a refused config, and forgets a secret that was put right', {
    timeout: 120_000,
  }, async () => {
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
    await writeFile(file, '{')
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
    {
      timeout: 60_000,
    },
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

  it('keeps a reload refused whose secret is missing, whatever else is renewed', {
    timeout: 60_000,
  }, async () => {
    const other = join(folder, 'other_key')
    await writeFile(key, 'first-key')
    await writeFile(other, 'other-key')
    const points = [
      { url: 'http://www.example.com/service_cookie_transfer/', widgetKey: `file:${key}` },
      { url: 'http://other.example.com/service_cookie_transfer/', widgetKey: `file:${other}` },
    ]
    await start({ points, admin: { port: 0 } })
    await rm(key)
    program.signal('SIGHUP')
    await program.printed(/"msg":"config not reloaded/)
    await writeFile(other, 'next-key')
    await program.printed(/"msg":"config reloaded"/)
    await untilReload(0)
  })

  it('takes over the new drain time', async () => {
    const port = await start({ timeouts: { drain: '1h' } })
    await write({ timeouts: { drain: '50ms' } })
    program.signal('SIGHUP')
    await program.printed(/"msg":"config reloaded"/)
    const client = await openClient(port)
    client.write('GET /service_cookie_transfer/hold HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
    await upstream.arrived(1)
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(1)
  })

  it('takes over the new time limit for a request head', async () => {
    const port = await start({ timeouts: { idle: '1h' } })
    await write({ timeouts: { idle: '200ms' } })
    program.signal('SIGHUP')
    await program.printed(/"msg":"config reloaded"/)
    const client = await openClient(port)
    client.write('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: ')
    expect((await client.response()).startLine).toBe('HTTP/1.1 408 Request Timeout')
    client.close()
  })

  it('shows in its metrics whether the config was reloaded', async () => {
    await start({ admin: { port: 0 } })
    const read = async () => {
      const text = await metrics()
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
    program.signal('SIGHUP')
    await program.printed(/"msg":"config not reloaded/)
    expect(await read()).toEqual({ successful: 0, atSeconds: first.atSeconds, failures: 1 })
    await write({ admin: { port: 0 } })
    program.signal('SIGHUP')
    await program.printed(/"msg":"config reloaded/)
    const last = await read()
    expect(last).toEqual({ successful: 1, atSeconds: expect.any(Number), failures: 1 })
    expect(last.atSeconds).toBeGreaterThan(first.atSeconds)
  })

  it('keeps the later of two configs, however long the earlier one took to load', async () => {
    const port = await start({})
    const slowKey = join(folder, 'slow-key')
    await promisify(execFile)('mkfifo', [slowKey])
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
    expect(upstream.requests.map(keyOf)).not.toContain('earlier-widget-key')
  })

  it('names what needs a restart', async () => {
    await start({})
    await write({ limits: { headerBytes: 9_000 }, admin: { port: 0 } })
    program.signal('SIGHUP')
    const [line] = await program.printed(/.*config reloaded.*/)
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
      await ask(port)
      served += 1
    }
    const [line] = await refused
    expect(JSON.parse(line)).toMatchObject({
      problemCount: 8_000,
      problems: points
        .slice(0, 50)
        .map((_, i) => ({ pointer: `/points/${i}/ulr`, message: 'unknown key "ulr"' })),
    })
    expect(JSON.parse(line).problems).toHaveLength(50)
    // If nothing were served meanwhile, it would be one request, or two that came before the signal.
    expect(served).toBeGreaterThan(5)
  })
})

function keyOf({ fields }: RecordedRequest): string | undefined {
  return onlyValue(fields, 'x-widget-key')
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
