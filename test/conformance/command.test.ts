import { describe, expect, it } from 'vitest'
import { cases } from '../../src/conformance/cases/index.ts'
import { fakeIo, runCommand } from '../cli/fake-io.ts'
import { freePort } from '../front-ends/support/real-server.ts'
import { openForTest } from '../support/open-for-test.ts'
import { KEY, PREFIX, startOwnProxy } from './support/started-point.ts'

const must = cases.filter(({ level }) => level === 'must').length
const should = cases.length - must
const url = `https://www.example.com${PREFIX}`

/** Runs the command on our own proxy. */
async function judgeOwnProxy(words: readonly string[], env: Record<string, string>, widgetKey = KEY) {
  const port = await freePort()
  const { url } = await openForTest(startOwnProxy(`http://127.0.0.1:${port}`, { widgetKey }))
  const line = ['conformance', '--point', url, '--sandbox-port', `${port}`, ...words]
  return { point: url, ...(await runCommand(line, fakeIo({}, env))) }
}

describe('continuation-point conformance', () => {
  it('says that a point conforms if it passes, with the default key if the variable is empty, as in Compose files', async () => {
    const { point, ...seen } = await judgeOwnProxy([], { CONTINUATION_WIDGET_KEY: '' }, 'demo-widget-key')
    const stdout = `${point} conforms: must: ${must} of ${must}, should: ${should} of ${should}\n`
    expect(seen).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  it('says what failed, and never a key', async () => {
    const { code, stdout } = await judgeOwnProxy([], {})
    expect(code).toBe(1)
    expect(stdout).toContain('✖ must fields/set\n')
    expect(stdout).toContain('  seen      X-Widget-Key with a different key\n')
    expect(stdout).toContain('does not conform')
    expect(stdout).not.toContain(KEY)
  })

  it('gives every case as JSON', async () => {
    const words = ['--format', 'json', '--page', 'https://www.example.com/a']
    const { stdout } = await judgeOwnProxy(words, { CONTINUATION_WIDGET_KEY: KEY })
    const report = JSON.parse(stdout)
    expect(report.summary).toEqual({
      must: { passed: must, failed: 0 },
      should: { passed: should, failed: 0 },
    })
    expect(report.cases).toHaveLength(cases.length)
    const title = 'a request gets Host, X-Widget-Key and X-Continuation-Origin'
    expect(report.cases[0]).toEqual({ id: 'fields/set', level: 'must', title, outcome: 'pass', faults: [] })
  })

  it('ends with 3 if there is no listener', async () => {
    const point = `http://127.0.0.1:${await freePort()}${PREFIX}`
    const seen = await runCommand(['conformance', '--point', point, '--sandbox-port', '0'])
    const stderr = expect.stringContaining('it accepts no connection (ECONNREFUSED)')
    expect(seen).toMatchObject({ code: 3, stdout: '', stderr })
  })

  it('ends with 3 if the point leads elsewhere', async () => {
    const { url } = await openForTest(startOwnProxy(`http://127.0.0.1:${await freePort()}`))
    const seen = await runCommand(['conformance', '--point', url, '--sandbox-port', '0'])
    const stderr = expect.stringContaining('it returns 502, and the stand-in receives nothing')
    expect(seen).toMatchObject({ code: 3, stderr })
  })

  it.each([
    ['--point is missing', []],
    ['--point is not a continuation point', ['--point', 'https://www.example.com']],
    ['--point is not a continuation point: it has a query', ['--point', `${url}?a`]],
    ['--page is not', ['--point', url, '--page', 'example']],
    ['--sandbox-port must', ['--point', url, '--sandbox-port', '70000']],
    ['--authority "a b"', ['--point', url, '--authority', 'a b']],
    ['--resolve "x"', ['--point', url, '--resolve', 'x']],
    ["--ca-file none.pem can't be read", ['--point', url, '--ca-file', 'none.pem']],
  ])('ends with 2: %s', async (message, words) => {
    const { code, stderr } = await runCommand(['conformance', ...words])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
