import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import { ask } from '../sandbox/support/ask.ts'
import { endAfterTest } from '../support/open-for-test.ts'
import { type ProgramOptions, startProgram } from '../support/program.ts'
import { openClient } from '../support/raw-client.ts'
import { openServed } from '../support/served.ts'
import { POINT_HOST } from '../support/start-proxy.ts'

const terminal = fileURLToPath(new URL('../support/shown-terminal.py', import.meta.url))
const onTerminal: ProgramOptions = { node: 'python3', nodeFlags: [terminal, process.execPath] }
const PATH = '/service_cookie_transfer/'

describe.runIf(isInstalled('python3'))('serve at a terminal', () => {
  it('prints lines for a person', async () => {
    const { program, get } = await start(onTerminal)
    const { stdout } = program
    expect(stdout()).toMatch(
      new RegExp(`^\\S{8} {2}Serving 1 point; verify at\\s+http://${POINT_HOST}${PATH}\r$`, 'm'),
    )
    expect(stdout()).toMatch(
      /^\S{8} {2}capacity {2}concurrent requests \d+, memory \d+ MiB,\s+memory\s+from\s+\w+,\s+heap\s+\d+\s+MiB\r$/m,
    )
    for (const line of stdout().split('\r\n')) expect(line.length).toBeLessThanOrEqual(80)
    await get(`${PATH}store?secret=1`)
    await program.printed(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  200  GET http://${POINT_HOST}${PATH}  [\\d.]+ ms\\r$`, 'm'),
    )
    await get('/elsewhere')
    await program.printed(
      /^\S{8} {2}404 {2}GET no point {2}[\d.]+ ms\s+Not a continuation\s+point:\s+unknown-path\s+id \S+\r$/m,
    )
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    expect(stdout()).toMatch(/^\S{8} {2}Stopped, no request cut short\r$/m)
    expect(stdout()).not.toMatch(/\{"level"|secret/)
  })

  it('says in words what is wrong with a request or the config', async () => {
    const { program, port, write } = await start(onTerminal, { log: { level: 'debug' } })
    for (const head of [
      'GARBAGE',
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b',
      `GET ${PATH} HTTP/1.1\r\nHost: x`,
    ]) {
      const client = await openClient(port)
      client.write(`${head}\r\n\r\n`)
      await client.response()
      client.close()
    }
    await program.printed(
      /^\S{8} {2}400 {2}unreadable request {2}[\d.]+ ms\s+Bad\s+request:\s+bad-message\s+HPE_\w+\s+id \S+\r$/m,
    )
    await program.printed(
      /^\S{8} {2}421 {2}GET no point {2}[\d.]+ ms\s+Misdirected\s+request:\s+unknown-authority\s+id \S+\s+arrived for x\r$/m,
    )
    await write({ points: ['http://x/', 'http://y/'] })
    program.signal('SIGHUP')
    await program.printed(
      /the old one stays\s+problem count 2\r\n {2}\S+config\.json:\d+:\d+ \/points\/0: .+\r\n {2}\S+config\.json:\d+:\d+ \/points\/1: /,
    )
    await write({ limits: { headerBytes: 9_000 }, admin: { port: 0 } })
    program.signal('SIGHUP')
    await program.printed(/need restart\s+\/limits\/headerBytes, \/admin\r$/m)
    program.signal('SIGTERM')
    await program.ended()
    expect(program.stdout()).not.toMatch(/[[{]"/)
  })

  it('colours them, unless NO_COLOR is set', async () => {
    const { program, get } = await start({ ...onTerminal, env: { TERM: 'xterm' } })
    await get(PATH)
    await program.printed(/\u001b\[32m200\u001b\[39m/)
    program.signal('SIGTERM')
    await program.ended()
  })
})

async function start(options: ProgramOptions, changes: Readonly<Record<string, unknown>> = {}) {
  const { file, write } = await openServed()
  await write({ log: {}, ...changes })
  const words = ['serve', '--config', file]
  const program = endAfterTest(startProgram(words, { env: { NO_COLOR: '1' }, ...options }), 'SIGTERM')
  const [, port = ''] = await program.printed(/Listening at http:\/\/127\.0\.0\.1:(\d+)/)
  const get = (path: string) => ask(`http://127.0.0.1:${port}`, path, { headers: { Host: POINT_HOST } })
  return { program, port: Number(port), write, get }
}
