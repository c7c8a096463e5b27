import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../src/sandbox/state/account.ts'
import { type Receiver, startReceiver } from '../monitor/webhook-receiver.ts'
import { openFolder } from '../support/folder.ts'
import { type FrontEnd, startFrontEnd } from '../support/front-ends/front-end.ts'
import { endAfterTest, openForTest } from '../support/open-for-test.ts'
import { listening, type Program, startProgram } from '../support/program.ts'
import { type Relay, startRelay } from '../support/relay.ts'
import { fakeIo } from './fake-io.ts'

const PREFIX = '/service_cookie_transfer/'
/** What a question of a run has to be answered. */
const QUESTION_MS = 10_000
const KEYS = /demo-widget-key|demo-api-key|marked-hook/

interface Line {
  readonly level: string
  readonly msg: string
  readonly rule?: string
  readonly from?: string
  readonly to?: string
}

const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const changesOf = (text: string) =>
  linesOf(text)
    .filter(({ msg }) => msg === 'failed' || msg === 'recovered')
    .map(({ rule, from, to }) => `${rule} ${from}>${to}`)

describe('the program', () => {
  let sandbox: Sandbox
  /** In front of the point, and in front of the service. */
  let point: Relay
  let service: Relay
  let receiver: Receiver
  const folder = openFolder()
  let serve: Program
  let monitor: Program
  let metricsUrl: URL
  let runs = 0

  beforeAll(async () => {
    receiver = await startReceiver()
    point = await startRelay()
    service = await startRelay()
    const points = [`http://www.shop.localhost:${point.port}${PREFIX}`]
    sandbox = await startSandbox({
      account: demoAccount({ cookie_transfer_urls: points }),
      authorities: [`127.0.0.1:${service.port}`],
      rateLimit: 'off',
    })
    service.be(sandbox.port)
    const config = {
      service: { url: `http://127.0.0.1:${service.port}` },
      widgetKey: 'demo-widget-key',
      apiKey: 'env:REST_KEY',
      points,
      listen: { port: 0 },
      admin: { port: 0 },
      monitor: { webhook: 'env:HOOK' },
      log: { level: 'debug', access: false },
    }
    const file = join(folder, 'config.json')
    await writeFile(file, JSON.stringify(config))
    serve = startProgram(['serve', '--config', file])
    point.be(Number((await listening(serve)).port))
    monitor = startProgram(['monitor', '--config', file, '--port', '0'], {
      env: { REST_KEY: 'demo-api-key', HOOK: `${receiver.origin}/marked-hook-path?marked-hook-query` },
    })
    metricsUrl = new URL('/metrics', await listening(monitor, 'admin'))
    await nextRun()
  })
  afterAll(async () => {
    for (const program of [serve, monitor]) program?.signal('SIGKILL')
    await Promise.all([serve?.ended(), monitor?.ended()])
    await Promise.all([point?.close(), service?.close(), receiver?.close(), sandbox?.close()])
  })

  /** Waits for the next run to be over, its call of the webhook included. */
  async function nextRun(): Promise<void> {
    runs += 1
    await monitor.printed(new RegExp(`(?:"msg":"checked"[^]*){${runs}}`))
  }

  async function runAgain(): Promise<void> {
    monitor.signal('SIGHUP')
    await nextRun()
  }

  const metrics = async () => (await fetch(metricsUrl)).text()
  const failing = async () =>
    [...(await metrics()).matchAll(/^continuation_point_check_failed\{rule="([^"]+)".* 1$/gm)].map(
      ([, rule]) => rule,
    )

  it('passes, and reports nothing that passes', async () => {
    expect(changesOf(monitor.stdout())).toEqual([])
    expect(receiver.calls).toEqual([])
    const text = await metrics()
    expect(text).toMatch(
      /^continuation_point_check_failed\{rule="live\/forwarded",point="http:.*",severity="error"\} 0$/m,
    )
    expect(text).toMatch(/^continuation_point_check_failed\{rule="account\/url-not-registered",.*\} 0$/m)
    expect(text).toMatch(/^continuation_point_monitor_runs_total\{result="pass"\} 1$/m)
    expect(await failing()).toEqual([])
    const [ready, live] = await Promise.all(
      ['/readyz', '/livez'].map((path) => fetch(new URL(path, metricsUrl))),
    )
    expect([ready?.status, live?.status]).toEqual([200, 200])
  })

  it('reports once that the service is gone, keeps verdicts that it can’t judge, and reports once that it is back', async () => {
    service.be('broken')
    await runAgain()
    await runAgain()
    expect(changesOf(monitor.stdout())).toEqual(['live/forwarded pass>fail'])
    expect(receiver.calls.map(({ body }) => JSON.parse(body).changes)).toEqual([
      [expect.objectContaining({ rule: 'live/forwarded', from: 'pass', to: 'fail' })],
    ])
    expect(await failing()).toEqual(['live/forwarded'])
    // The account can't be read: its verdicts stay, with the time of the run that gave them.
    const text = await metrics()
    expect(text).toMatch(/^continuation_point_check_failed\{rule="account\/url-not-registered",.*\} 0$/m)
    expect(judgedAt(text, 'account/url-not-registered')).toBeLessThan(judgedAt(text, 'live/forwarded'))
    service.be(sandbox.port)
    await runAgain()
    await runAgain()
    expect(changesOf(monitor.stdout())).toEqual(['live/forwarded pass>fail', 'live/forwarded fail>pass'])
    expect(receiver.calls).toHaveLength(2)
    expect(JSON.parse(receiver.calls[1]?.body ?? '')).toMatchObject({ failing: 0, changes: [{ to: 'pass' }] })
    expect(await failing()).toEqual([])
  })

  it('shows no key, and nothing of the webhook’s URL', async () => {
    const bodies = receiver.calls.map(({ body }) => body).join()
    expect(monitor.stdout() + monitor.stderr() + (await metrics()) + bodies).not.toMatch(KEYS)
  })

  it(
    'is not ready before its first run is over, and ends at once on SIGINT',
    async () => {
      const silent = await openForTest(startRelay())
      silent.be('silent')
      const points = [`http://www.shop.localhost:${silent.port}${PREFIX}`]
      const file = join(folder, 'silent.json')
      await writeFile(file, JSON.stringify({ points }))
      const program = endAfterTest(startProgram(['monitor', '--config', file, '--port', '0']))
      const url = await listening(program, 'admin')
      await silent.heldOne()
      const answers = ['/readyz', '/livez'].map(async (path) => (await fetch(new URL(path, url))).status)
      expect(await Promise.all(answers)).toEqual([503, 200])
      program.signal('SIGINT')
      expect(await program.ended()).toBe(0)
    },
    QUESTION_MS - 1_000,
  )

  it(
    'ends at once on SIGTERM, in the middle of a run',
    async () => {
      point.be('silent')
      monitor.signal('SIGHUP')
      await point.heldOne()
      monitor.signal('SIGTERM')
      expect(await monitor.ended()).toBe(0)
      expect(linesOf(monitor.stdout()).at(-1)).toMatchObject({ msg: 'stopped', undelivered: 0 })
    },
    QUESTION_MS - 1_000,
  )
})

describe.sequential('--once', () => {
  let sandbox: Sandbox
  let frontEnd: FrontEnd
  let receiver: Receiver
  beforeAll(async () => {
    sandbox = await startSandbox({ rateLimit: 'off' })
    frontEnd = await startFrontEnd(sandbox.url, {})
    receiver = await startReceiver()
  })
  afterAll(() => Promise.all([frontEnd.close(), sandbox.close(), receiver.close()]))

  async function once(
    account: Parameters<typeof demoAccount>[0],
    changes: object = {},
    words: readonly string[] = [],
  ) {
    const points = [`${frontEnd.origin}${PREFIX}`]
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: points, ...account }))
    const config = {
      service: { url: sandbox.url },
      widgetKey: 'demo-widget-key',
      points,
      monitor: { webhook: `${receiver.origin}/marked-hook` },
      ...changes,
    }
    const io = fakeIo({ 'config.json': JSON.stringify(config) })
    const before = receiver.calls.length
    const code = await run(['monitor', '--once', ...words], io)
    expect(io.written.stdout + io.written.stderr).not.toMatch(KEYS)
    return { code, ...io.written, calls: receiver.calls.slice(before) }
  }

  it('ends with 0 and calls no webhook when all is well', async () => {
    const { code, stdout, stderr, calls } = await once({})
    expect([code, calls]).toEqual([0, []])
    expect(stderr).toBe(`Asking ${new URL(frontEnd.origin).host}, ${new URL(sandbox.url).host}.\n`)
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({ msg: 'checked once', result: 'pass', failed: 0 }),
    ])
  })

  it('sends a point at most 60 requests', async () => {
    const before = frontEnd.seen.length
    await once({ cookie_transfer_scopes: [{ name: 'sid', domain: 'a.example', path: '/', httponly: true }] })
    const sent = frontEnd.seen.length - before
    expect(sent).toBeGreaterThan(10)
    expect(sent).toBeLessThanOrEqual(60)
  })

  it('says that the webhook could not be called, and ends with the same code', async () => {
    const gone = await openForTest(startReceiver((outgoing) => void outgoing.writeHead(404).end()))
    const monitor = { webhook: `${gone.origin}/marked-hook` }
    const { code, stdout } = await once({ cookie_transfer_enabled: false }, { monitor })
    expect(code).toBe(1)
    expect(linesOf(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ msg: expect.stringMatching(/^webhook failed/), reason: '404' }),
        expect.objectContaining({ msg: 'checked once', undelivered: 1 }),
      ]),
    )
  })

  it('ends with 1 and calls the webhook when something fails', async () => {
    const { code, stdout, calls } = await once({ cookie_transfer_enabled: false })
    expect(code).toBe(1)
    expect(changesOf(stdout)).toEqual(['account/transfer-disabled unknown>fail'])
    expect(calls).toHaveLength(1)
  })

  it('counts what the config accepts as passed', async () => {
    const suppress = [{ rule: 'account/transfer-disabled', reason: 'known' }]
    const { code, stdout, calls } = await once({ cookie_transfer_enabled: false }, { suppress })
    expect([code, changesOf(stdout), calls]).toEqual([0, [], []])
  })

  it('runs as docs/monitor.md shows, with its config for a site and a service of the test', async () => {
    const page = await readFile(new URL('../../docs/monitor.md', import.meta.url), 'utf8')
    const [, config = ''] = /^```jsonc\n(.*?)^```/ms.exec(page) ?? []
    const [, line = ''] = /^continuation-point (monitor --once .*)$/m.exec(page) ?? []
    const host = new URL(frontEnd.origin).hostname
    const edited = config
      .replaceAll('https://cobrowse.example.net', sandbox.url)
      .replaceAll('https://www.example.com', frontEnd.origin)
      .replaceAll('www.example.com', host)
    const cookies = [{ name: 'sid', domain: host, path: '/', httponly: true }]
    const points = [`${frontEnd.origin}${PREFIX}`]
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: points, cookie_transfer_scopes: cookies }))
    const env = {
      WIDGET_KEY: 'demo-widget-key',
      API_KEY: 'demo-api-key',
      MONITOR_WEBHOOK: `${receiver.origin}/marked-hook`,
    }
    const io = fakeIo({ 'monitor.json': edited }, env)
    const code = await run(line.split(' '), io)
    expect(changesOf(io.written.stdout).filter((change) => !change.startsWith('page/'))).toEqual([])
    expect(code).toBe(0)
    expect(linesOf(io.written.stdout).at(-1)).toMatchObject({ msg: 'checked once', result: 'pass' })
  })

  it('ends with 3 if nothing could be judged', async () => {
    // A port that responds, but not like a service.
    const silent = await openForTest(startReceiver((outgoing) => void outgoing.writeHead(200).end()))
    const { code, stdout } = await once(
      {},
      { service: {}, points: [`${silent.origin}${PREFIX}`], apiKey: undefined },
    )
    expect(code).toBe(3)
    expect(linesOf(stdout).map(({ msg }) => msg)).toContain('checks are inconclusive')
  })
})

describe('an invalid command line or config', () => {
  const config = JSON.stringify({ points: [`https://www.example.com${PREFIX}`] })
  const withWebhook = (webhook: string) =>
    JSON.stringify({ points: [], cookies: [], pages: ['https://a.example/'], monitor: { webhook } })

  it.each<[readonly string[], string | undefined, string]>([
    [['--every', '10s'], config, 'command line --every: shorter than 30 seconds'],
    [['--every', 'soon'], config, 'command line --every: not a duration'],
    [['--port', '99999'], config, '--port must be a whole number from 0 to 65535'],
    [[], '{}', 'has no points, pages or cookies; add some, or name a config with --config'],
    [[], undefined, 'there is no config.json here'],
    [[], withWebhook('env:NO_SUCH_HOOK'), 'the variable NO_SUCH_HOOK is not set'],
    [[], withWebhook('env:PLAIN_HOOK'), 'the variable PLAIN_HOOK is not usable as a webhook URL'],
    [
      [],
      withWebhook('http://marked-hook.example/'),
      '/monitor/webhook: plain http on a host that is not loopback',
    ],
  ])('%j %s: %s', async (words, text, message) => {
    const io = fakeIo(text === undefined ? {} : { 'config.json': text }, {
      PLAIN_HOOK: 'http://marked-hook.example/',
    })
    expect(await run(['monitor', '--once', ...words], io)).toBe(2)
    expect(io.written.stderr).toContain(message)
    expect(io.written.stdout + io.written.stderr).not.toContain('marked-hook')
  })

  it('is refused if TLS would not be verified', async () => {
    const io = fakeIo({ 'config.json': config }, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })
    expect(await run(['monitor'], io)).toBe(2)
    expect(io.written.stderr).toContain('NODE_TLS_REJECT_UNAUTHORIZED')
  })

  it('ends with 3 when the port that was asked for is in use', async () => {
    const other = await openForTest(startReceiver())
    const { port } = new URL(other.origin)
    const io = fakeIo({ 'config.json': config })
    expect(await run(['monitor', '--port', port], io)).toBe(3)
    expect(io.written.stderr).toContain(`can't open 127.0.0.1 port ${port}: the port is in use`)
  })
})

function judgedAt(text: string, rule: string): number {
  const pattern = new RegExp(
    `^continuation_point_check_judged_timestamp_seconds\\{rule="${rule}".*\\} (\\S+)$`,
    'm',
  )
  return Number(pattern.exec(text)?.[1])
}
