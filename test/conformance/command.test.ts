import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { freePort } from '../front-ends/support/real-server.ts'
import { openForTest } from '../support/open-for-test.ts'
import { judge } from './command.ts'
import { cases } from './suite/cases/index.ts'
import { KEY, PREFIX, startOwnProxy } from './support/started-point.ts'

const must = cases.filter(({ level }) => level === 'must').length
const should = cases.length - must
const url = `https://www.example.com${PREFIX}`

/** Runs the command in this process. */
async function run(words: readonly string[], env: Record<string, string> = {}) {
  const written = { stdout: '', stderr: '' }
  const code = await judge(words, {
    env,
    stdoutIsTty: false,
    stdout: (text) => {
      written.stdout += text
    },
    stderr: (text) => {
      written.stderr += text
    },
  })
  return { code, ...written }
}

/** Our own proxy, whose service is to listen on a free port. */
async function startPoint(widgetKey = KEY) {
  const port = await freePort()
  const { url } = await openForTest(startOwnProxy(`http://127.0.0.1:${port}`, { widgetKey }))
  return { url, words: ['--point', url, '--sandbox-port', `${port}`] }
}

describe('npm run conformance', () => {
  it('says that a point conforms if it passes', async () => {
    const { url, words } = await startPoint()
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'conformance', '--', ...words], {
      env: { ...process.env, CONTINUATION_WIDGET_KEY: KEY },
    })
    expect(stdout).toBe(`${url} conforms: must: ${must} of ${must}, should: ${should} of ${should}\n`)
  }, 60_000)

  it('takes the default key if the variable is empty, as in Compose files', async () => {
    const { words } = await startPoint('demo-widget-key')
    expect(await run(words, { CONTINUATION_WIDGET_KEY: '' })).toMatchObject({ code: 0, stderr: '' })
  })

  it('says what failed, and never a key', async () => {
    const { words } = await startPoint()
    const { code, stdout } = await run(words)
    expect(code).toBe(1)
    expect(stdout).toContain('✖ must fields/set\n')
    expect(stdout).toContain('  seen      X-Widget-Key with a different key\n')
    expect(stdout).toContain('does not conform')
    expect(stdout).not.toContain(KEY)
  })

  it('ends with 3 if there is no listener', async () => {
    const point = `http://127.0.0.1:${await freePort()}${PREFIX}`
    const seen = await run(['--point', point, '--sandbox-port', '0'])
    const stderr = expect.stringContaining('it accepts no connection (ECONNREFUSED)')
    expect(seen).toMatchObject({ code: 3, stdout: '', stderr })
  })

  it('ends with 3 if the point leads elsewhere', async () => {
    const { url } = await openForTest(startOwnProxy(`http://127.0.0.1:${await freePort()}`))
    const stderr = expect.stringContaining('it returns 502, and the stand-in receives nothing')
    expect(await run(['--point', url, '--sandbox-port', '0'])).toMatchObject({ code: 3, stderr })
  })

  it('ends with 2 if its port is in use', async () => {
    const { url } = await startPoint()
    const stderr = expect.stringContaining('EADDRINUSE')
    const words = ['--point', url, '--sandbox-port', new URL(url).port]
    expect(await run(words)).toMatchObject({ code: 2, stderr })
  })

  it.each([
    ['--point is not a continuation point', []],
    ['--point is not a continuation point', ['--point', 'https://www.example.com']],
    ['--point is not a continuation point: it has a query', ['--point', `${url}?a`]],
    ['--page is not', ['--point', url, '--page', 'example']],
    ['--sandbox-port is not', ['--point', url, '--sandbox-port', '70000']],
    ['--authority "a b"', ['--point', url, '--authority', 'a b']],
    ['--resolve "x"', ['--point', url, '--resolve', 'x']],
    ["--ca-file none.pem can't be read", ['--point', url, '--ca-file', 'none.pem']],
    ["Unknown option '--poin'", ['--poin', url]],
  ])('ends with 2: %s', async (message, words) => {
    expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})
