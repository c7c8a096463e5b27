import { createServer } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../src/sandbox/state/company.ts'
import { set } from '../support/front-ends/faults.ts'
import { type Faults, startFrontEnd } from '../support/front-ends/front-end.ts'
import { closedPort } from '../support/front-ends/raw-front-end.ts'
import { listenForTest } from '../support/listen.ts'
import { checkAsJson } from './json-check.ts'

const prefix = '/service_cookie_transfer/'

let faults: Faults = {}

const sandbox = await startSandbox()
const frontEnd = await startFrontEnd(sandbox.url, {
  faults: {
    answer: (arrived, site) => faults.answer?.(arrived, site),
    request: (forwarded, arrived, site) => faults.request?.(forwarded, arrived, site) ?? {},
    response: (answer, site, arrived) => faults.response?.(answer, site, arrived) ?? {},
  },
})
afterAll(() => Promise.all([frontEnd.close(), sandbox.close()]))

// Each waits until its third question.
describe.concurrent('when the point refuses, the command', () => {
  it('exits with 1', async ({ expect }) => {
    const point = `http://www.shop.localhost:${await closedPort()}${prefix}`
    const { code, failures } = await runCheck([point, '--resolve', 'www.shop.localhost:127.0.0.1'], {})
    expect([code, failures.map(({ id }) => id)]).toEqual([1, ['live/connect']])
  })

  it('exits with 3 if the rule that reports it is left out', async ({ expect }) => {
    const words = [`http://127.0.0.1:${await closedPort()}${prefix}`, '--skip', 'live/connect']
    const { code, failures } = await runCheck(words, {})
    expect([code, failures]).toEqual([3, []])
  })
})

describe.sequential('the command', () => {
  it.each([
    ['that the config names', [], ' • Apache: Listen 443'],
    ['of the flag', ['--front-end', 'haproxy'], ' • HAProxy: bind :443'],
  ])('shows the lines of the front end %s', async (_what, flags, line) => {
    const points = [`http://www.shop.localhost:${await closedPort()}${prefix}`]
    const files = { 'c.json': JSON.stringify({ points, frontEnd: 'apache' }) }
    const words = ['--config', 'c.json', '--resolve', 'www.shop.localhost:127.0.0.1', ...flags]
    const [failure] = (await runCheck(words, files)).failures
    expect(failure?.fix?.match(/ • .*/)?.[0]).toContain(line)
    expect(failure?.fix?.match(/ • /g)).toHaveLength(1)
  })

  it('shows its progress on stderr only', async () => {
    const { stderr, report } = await check(rightSetup())
    expect(stderr).toBe(`Asking ${new URL(frontEnd.origin).host}, ${new URL(sandbox.url).host}.\n`)
    expect(report).toMatchObject({ mode: 'live', exitCode: 0 })
  })

  it('exits with 3 if nothing could be judged', async () => {
    faults = { answer: () => ({ status: 200, fields: ['Content-Type', 'text/html'] }) }
    const { code, failures } = await runCheck([`${frontEnd.origin}${prefix}`], {})
    expect([code, failures]).toEqual([3, []])
  })

  it('asks a URL with the key of the config', async () => {
    const { report } = await check({ ...rightSetup(), flags: [`${frontEnd.origin}${prefix}`] })
    expect(report.checks.find(({ id }) => id === 'live/widget-key')).toMatchObject({ outcome: 'pass' })
  })

  it.each([
    ['url/prefix', () => [], () => []],
    ['account/url-stale', () => [sandbox.url], () => []],
    ['live/connect', () => [frontEnd.origin, sandbox.url], () => [`GET ${prefix}`]],
  ])('with --only %s contacts no other host', async (id, asked, arrived) => {
    const before = frontEnd.seen.length
    const { code, stderr } = await check({ ...rightSetup(), flags: ['--only', id] })
    expect(code).toBe(0)
    const hosts = asked().map((url) => new URL(url).host)
    expect(stderr).toBe(hosts.length === 0 ? '' : `Asking ${hosts.join(', ')}.\n`)
    expect(frontEnd.seen.length > before).toBe(arrived().length > 0)
  })

  it.each([
    ['--only', 'live/allowed'],
    ['--only', 'live/allowed', '--only', 'account/url-stale'],
    ['--skip', 'account/url-not-registered'],
  ])('with %s %s reports a URL that is not in the account', async (...flags) => {
    const setup = { ...rightSetup(), account: { cookie_transfer_urls: [] }, flags }
    const { code, failures } = await check(setup)
    expect([code, failures.map(({ id }) => id)]).toEqual([1, ['live/allowed']])
  })

  it.each([
    [401, 'the service refused the key', 'Set "apiKey" in the config to the REST key of this account'],
    [
      200,
      'the answer is not what',
      'If its REST API is elsewhere, set "service.api"; the points work without it',
    ],
  ])('says what to do about an account that responds with %i', async (status, reason, step) => {
    const service = createServer((_incoming, outgoing) => outgoing.writeHead(status).end('{'))
    const port = await listenForTest(service)
    const setup = { ...rightSetup(), service: `http://127.0.0.1:${port}` }
    const { code, report } = await check({ ...setup, flags: ['--only', 'account/url-stale'] })
    expect(code).toBe(3)
    const { message = '' } = report.checks[0] ?? {}
    expect(message).toMatch(/^The account could not be read: asked with the widget key, which some/)
    expect([message.includes(reason), message.endsWith(step)]).toEqual([true, true])
  })

  it('goes on without a secret that can’t be read', async () => {
    faults = {}
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: rightSetup().points }))
    const config = { service: { url: sandbox.url }, widgetKey: 'env:NOT_SET', points: rightSetup().points }
    const { code, stderr, report } = await runCheck(['--config', 'c.json'], {
      'c.json': JSON.stringify(config),
    })
    expect(code).toBe(0)
    expect(stderr).toContain('the variable NOT_SET is not set')
    const account = report.checks.filter(({ id }) => id.startsWith('account/'))
    expect(new Set(account.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']))
  })

  it('reads the account with the widget key if there is no REST key', async () => {
    const { points, service } = rightSetup()
    const config = { service: { url: service }, widgetKey: 'demo-widget-key', apiKey: 'env:NOT_SET', points }
    const { code, stderr } = await runCheck(['--config', 'c.json'], { 'c.json': JSON.stringify(config) })
    expect([code, stderr]).toEqual([0, expect.stringContaining('The account is read with the widget key.')])
  })

  it('compares nothing with the placeholder of a first config', async () => {
    const setup = { ...rightSetup(), service: 'https://cobrowse.example.net' }
    const { code, stderr, stdout } = await check(setup)
    expect(code).toBe(0)
    expect(stderr).not.toContain('cobrowse.example.net')
    expect(stdout).toContain('cobrowse.example.net is a name reserved for examples')
  })

  it('prints no key, wherever it occurs', async () => {
    const setup = { ...rightSetup(), faults: set('X-Widget-Key', 'demo-widget-key-of-another') }
    const { stdout, stderr } = await check(setup)
    expect(stdout + stderr).not.toMatch(/demo-widget-key|demo-api-key|forged-continuation/)
  })
})

/** A whole setup: what the config says, what the account has otherwise, what the front end does wrong. */
function rightSetup() {
  return {
    service: sandbox.url,
    points: [`${frontEnd.origin}${prefix}`],
    pages: [`${frontEnd.origin}/`],
    cookies: [{ name: 'sid', domain: 'www.shop.localhost', path: '/', httponly: true }],
    account: {},
    faults: {} as Faults,
    flags: [] as readonly string[],
  }
}

async function check(setup: ReturnType<typeof rightSetup>) {
  const { points, pages, cookies, account } = setup
  faults = setup.faults
  sandbox.setAccount(
    demoAccount({ cookie_transfer_urls: points, cookie_transfer_scopes: cookies, ...account }),
  )
  const config = { service: { url: setup.service }, widgetKey: 'demo-widget-key', points, pages, cookies }
  return runCheck(['--config', 'c.json', ...setup.flags], { 'c.json': JSON.stringify(config) })
}

async function runCheck(words: readonly string[], files: Readonly<Record<string, string>>) {
  const { failures, ...checked } = await checkAsJson(words, files)
  return { ...checked, failures: failures.filter(({ severity }) => severity === 'error') }
}
