import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { canReusePort } from '../../src/serve/load-resolved.ts'
import { freePort } from '../front-ends/support/real-server.ts'
import { openFolder } from '../support/folder.ts'
import { listenForTest } from '../support/listen.ts'
import { listening, type Program, runProgram, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { holdSome, startUpstream } from '../support/recording-upstream.ts'
import { serveConfig } from '../support/serve-config.ts'
import { fakeIo, runCommand } from './fake-io.ts'

const folder = openFolder()
const upstream = await startUpstream(holdSome)
afterAll(() => upstream.close())

/** A config that can be served, with changes. */
const toText = (changes: Record<string, unknown> = {}) =>
  serveConfig(upstream.origin, { widgetKey: 'file-widget-key', admin: { port: 0 }, ...changes })

async function writeConfig(name: string, changes: Record<string, unknown> = {}): Promise<string> {
  const file = join(folder, `${name}.json`)
  await writeFile(file, toText(changes))
  return file
}

/** Starts the program with such a config, and connects to it. */
async function serve(name: string, changes: Record<string, unknown> = {}) {
  const program = startProgram(['serve', '--config', await writeConfig(name, changes)])
  const port = Number((await listening(program)).port)
  return { program, port, client: await openClient(port) }
}

async function end(program: Program): Promise<void> {
  program.signal('SIGTERM')
  expect(await program.ended()).toBe(0)
}

function refused(files: Readonly<Record<string, string>>, words: readonly string[] = []) {
  return runCommand(['serve', ...words], fakeIo(files))
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: www.example.com\r\n${more}\r\n`

describe('serve', () => {
  it('needs no file if the environment has all settings', async () => {
    const program = startProgram(['serve', '--port', '0', '--admin-port', '0'], {
      cwd: folder,
      env: {
        CONTINUATION_SERVICE_URL: upstream.origin,
        CONTINUATION_WIDGET_KEY: 'environment-widget-key',
        CONTINUATION_POINTS:
          'http://www.example.com/service_cookie_transfer/, http://shop.example.com/service_cookie_transfer/',
      },
    })
    const client = await openClient(Number((await listening(program)).port))
    client.write(get('/service_cookie_transfer/init'))
    expect((await client.response()).startLine).toBe('HTTP/1.1 200 OK')
    expect(upstream.requests.at(-1)?.fields).toContainEqual(['X-Widget-Key', 'environment-widget-key'])
    client.close()
    await end(program)
  })

  it('finishes requests in progress after SIGTERM, is not ready meanwhile, and exits 0', async () => {
    const { program, client } = await serve('drain')
    const admin = await listening(program, 'admin')
    const before = upstream.requests.length
    client.write(get('/service_cookie_transfer/hold'))
    await upstream.arrived(before + 1)
    program.signal('SIGTERM')
    await program.printed(/"msg":"draining"/)
    expect((await fetch(new URL('/readyz', admin))).status).toBe(503)
    // For example from a closing terminal; without a handler it would end the process at once.
    program.signal('SIGHUP')
    expect((await fetch(new URL('/readyz', admin))).status).toBe(503)
    upstream.sockets.at(-1)?.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate')
    const response = await client.response()
    expect(response.body).toBe('late')
    expect(response.fields).toContainEqual(['Connection', 'close'])
    expect(await program.ended()).toBe(0)
  })

  it('writes one log line for each exchange, with nothing of the request but its method', async () => {
    const { program, client } = await serve('log', { log: { level: 'trace' } })
    client.write(
      get(
        '/service_cookie_transfer/secret-path?secret-query',
        'Cookie: secret=cookie\r\nAuthorization: secret\r\n',
      ),
    )
    await client.response()
    client.write('GET /secret\\path HTTP/1.1\r\nHost: secret.example.com\r\nCookie: secret=1\r\n\r\n')
    await client.response()
    client.write('BAD secret\r\nCookie: secret\r\n\r\n')
    await client.ended()
    await end(program)
    const lines = program
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.find(({ msg }) => msg === 'serving')).toMatchObject({
      count: 1,
      points: ['http://www.example.com/service_cookie_transfer/'],
    })
    expect(
      lines.filter(({ msg }) => msg === 'exchange').map(({ status, outcome }) => [status, outcome]),
    ).toEqual([
      [200, 'ok'],
      [400, 'bad-target'],
      [400, 'bad-message'],
    ])
    expect(program.stdout() + program.stderr()).not.toMatch(/secret|file-widget-key/)
  })
})

// What else is wrong with a config is in first-config.test.ts, and in the tests of config and points.
describe('serve refuses to start, exits 2 and names the place and the next step', () => {
  it('a service in the clear', async () => {
    const service = { url: 'http://cobrowse.example.net' }
    const { code, stdout, stderr } = await refused({ 'config.json': toText({ service }) })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/service.*plain http[\s\S]*https/)
    expect(stderr).not.toMatch(/\n\s+at |file-widget-key/)
  })

  it.each([
    ['--port', 'set another "listen\\.port", and run render again'],
    ['--admin-port', 'choose a port with --admin-port'],
  ])('a port in use that was given with %s, which is temporary', async (flag, advice) => {
    const port = await listenForTest(createServer())
    const words = ['--config', await writeConfig('taken', { listen: { port: 0 } }), flag, String(port)]
    // As a program, which nothing keeps from ending.
    const { code, stdout, stderr } = await runProgram(['serve', ...words])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(new RegExp(`port ${port}: the port is in use.*${advice}`))
  })

  it('an admin port in use, before a visitor can connect', async () => {
    const [port, adminPort] = [await freePort(), await listenForTest(createServer())]
    const words = ['--config', await writeConfig('late'), '--port', `${port}`, '--admin-port', `${adminPort}`]
    const program = startProgram(['serve', ...words])
    let isOver = false
    let connected = 0
    const knock = async () => {
      while (!isOver)
        await new Promise((resolve) => {
          const socket = connect(port, '127.0.0.1', () => {
            connected += 1
            socket.destroy()
          })
          socket.on('error', () => {}).on('close', resolve)
        })
    }
    const knocking = knock()
    expect(await program.ended()).toBe(3)
    isOver = true
    await knocking
    expect(connected).toBe(0)
  })

  it('an address that this machine does not have, or not yet', async () => {
    const listen = { host: '192.0.2.1', port: 0 }
    const { code, stderr } = await refused({ 'config.json': toText({ listen }) })
    expect([code, stderr]).toEqual([3, expect.stringMatching(/192\.0\.2\.1.*no such address/)])
  })

  it('a port to be shared, on a Node that can’t', async () => {
    const io = fakeIo({ 'config.json': toText({ listen: { port: 0, reusePort: true } }) })
    const { code, stderr } = await runCommand('serve', {
      ...io,
      versions: { ...io.versions, node: '22.11.0' },
    })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/reusePort.*Node 22\.11\.0 can't share a port/)])
  })

  it('a loose parser by NODE_OPTIONS', async () => {
    const env = { NODE_OPTIONS: '--insecure-http-parser' }
    const program = startProgram(['serve', '--config', await writeConfig('loose')], { env })
    expect(await program.ended()).toBe(2)
    expect(program.stderr()).toContain('--insecure-http-parser')
  })
})

it('picks a free admin port if none was given and the default is in use', async () => {
  const file = await writeConfig('two', { admin: {} })
  // Whether the first of these or another program has the default port, the second does not get it.
  const programs = [startProgram(['serve', '--config', file]), startProgram(['serve', '--config', file])]
  const urls = await Promise.all(programs.map((program) => listening(program, 'admin')))
  expect(new Set(urls.map(({ port }) => port)).size).toBe(2)
  const moved = programs.filter((_program, i) => urls[i]?.port !== '9090')
  for (const program of moved)
    expect(program.stdout()).toMatch(/"level":"warn".*"port":9090,"msg":"the default admin port is in use/)
  for (const program of programs) program.signal('SIGTERM')
  expect(await Promise.all(programs.map((program) => program.ended()))).toEqual([0, 0])
})

it.runIf(canReusePort(process.versions.node))(
  'two instances share a port with listen.reusePort',
  async () => {
    const first = await serve('shared', { listen: { port: 0, reusePort: true } })
    const second = await serve('shared', { listen: { port: first.port, reusePort: true } })
    expect(second.port).toBe(first.port)
    for (const { program, client } of [first, second]) {
      client.close()
      await end(program)
    }
  },
)

describe('serve --test', () => {
  it('says ok, and listens nowhere', async () => {
    const port = await listenForTest(createServer())
    const file = await writeConfig('fine', { listen: { port } })
    const program = startProgram(['serve', '--test', '--config', file])
    expect([await program.ended(), program.stdout(), program.stderr()]).toEqual([0, 'ok\n', ''])
  })
})

describe('the line of a request that no point owns', () => {
  const FIELDS = Array.from({ length: 257 }, (_, i) => `a${i}: b\r\n`).join('')

  const ROWS: readonly (readonly [octets: string, status: number, authority: string | undefined])[] = [
    ['GET /secret-path?secret-query HTTP/1.1\r\nHost: WWW.example.com\r\n\r\n', 404, 'www.example.com'],
    ['GET /secret-path HTTP/1.1\r\nHost: other.example:81\r\n\r\n', 421, 'other.example:81'],
    [`GET /secret-path HTTP/1.1\r\nHost: www.example.com\r\n${FIELDS}\r\n`, 431, 'www.example.com'],
    ['GET /secret\\path HTTP/1.1\r\nHost: www.example.com\r\n\r\n', 400, undefined],
  ]

  it.each(['debug', 'info'])('contains the authority that arrived only at debug: %s', async (level) => {
    const { program, port, client } = await serve(level, { log: { level } })
    client.close()
    for (const [at, [octets, status, authority]] of ROWS.entries()) {
      const client = await openClient(port)
      client.write(octets)
      await client.response()
      client.close()
      await program.printed(new RegExp(`(?:"msg":"exchange"[^]*){${at + 1}}`))
      const line = JSON.parse(program.stdout().match(/.*"msg":"exchange".*/g)?.[at] ?? '{}')
      const shown = level === 'debug' ? authority : undefined
      expect([line.status, line.authority]).toEqual([status, shown])
    }
    expect(program.stdout()).not.toContain('secret')
    await end(program)
  })

  it('contains the scheme that a trusted front end sent', async () => {
    const points = ['https://www.example.com/service_cookie_transfer/']
    const { program, client } = await serve('scheme', { points, log: { level: 'debug' } })
    client.write(get('/service_cookie_transfer/', 'X-Forwarded-Proto: http\r\n'))
    await client.response()
    client.close()
    const [line] = await program.printed(/.*"msg":"exchange".*/)
    expect(JSON.parse(line)).toMatchObject({ status: 421, authority: 'www.example.com', scheme: 'http' })
    await end(program)
  })
})
