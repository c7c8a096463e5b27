import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import type { WebhookFields } from '../../src/api/webhooks.ts'
import { startStub } from '../api/support/stub-service.ts'
import { openStandIn } from '../sandbox/support/stand-in.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { runProgram } from '../support/program.ts'
import { fakeIo, runCommand } from './fake-io.ts'

const MARK = 'marked-secret-0123456789'
const receiver = `https://hooks.example.com/${MARK}/in?secret=${MARK}`
const other = `https://other.example.com/${MARK}`
const point = 'https://www.example.com/service_cookie_transfer/'
const started = 'session.started'

const uk = { company_name: 'UK', rest_key: 'uk-rest', widget_key: 'uk-widget' }
const inStep = {
  settings: { cookie_transfer_enabled: true, cookie_transfer_proxying: true, cookie_transfer_urls: [point] },
  pageSize: 2,
}
const { sandbox, call } = await openStandIn({ seed: { ...inStep, clients: [uk] } })
const client = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'demo-api-key' })
const ofUk = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'uk-rest' })

const wanted: WebhookFields = { url: receiver, category: started, enabled: true, ssl_verification: true }
/** Of every request so far. */
const methods = async () =>
  (await call('GET /_sandbox/requests')).json.requests.map(({ method }: { method: string }) => method)
const register = (changes: Partial<WebhookFields> = {}) => client.webhooks.create({ ...wanted, ...changes })
const registered = async (of = client) => {
  const all: object[] = []
  for await (const { url, category, enabled, ssl_verification } of of.webhooks.list()) {
    all.push({ url, category, enabled, ssl_verification })
  }
  return all
}

interface Setup {
  readonly files?: Readonly<Record<string, string>>
  readonly config?: object
  readonly env?: Readonly<Record<string, string>>
  /** What the user types at the terminal; absent: no terminal. */
  readonly typed?: string
}

const standard = { apiKey: 'demo-api-key', points: [point], webhooks: [{ url: 'env:WEBHOOK_URL' }] }

async function cli(
  line: string,
  { config = standard, env = { WEBHOOK_URL: receiver }, files, typed }: Setup = {},
) {
  const io = fakeIo(
    { ...files, 'config.json': JSON.stringify({ service: { url: sandbox.url }, ...config }) },
    env,
  )
  const answered = typed === undefined ? io : { ...io, ask: async () => typed }
  const ran = await runCommand(line, answered)
  expect(ran.stdout + ran.stderr).not.toContain(MARK)
  return ran
}

describe('webhooks apply', () => {
  it('creates what is missing, and nothing the second time', async () => {
    const first = await cli('webhooks apply')
    expect(first).toEqual({
      code: 0,
      placed: {},
      stdout:
        '--- the account\n+++ the config\n\nwebhooks\n+ session.started https://hooks.example.com/… (webhooks[0])\n',
      stderr: 'Created 1, changed 0, deleted 0 webhooks of the account.\n',
    })
    expect(await registered()).toEqual([wanted])
    const before = (await methods()).length
    expect(await cli('webhooks apply')).toMatchObject({ code: 0, stdout: '' })
    expect(new Set((await methods()).slice(before))).toEqual(new Set(['GET']))
  })

  it('creates before it deletes, across pages, and leaves one of several alike', async () => {
    for (const changes of [
      { url: other },
      { url: `${receiver}x` },
      { enabled: false },
      {},
      { category: 'session.other' },
    ]) {
      await register(changes)
    }
    const config = {
      ...standard,
      webhooks: [{ url: 'env:WEBHOOK_URL', events: [started, 'session.of_tomorrow'] }],
    }
    const { code, stdout, stderr } = await cli('webhooks apply --remove', { config })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Created 1, changed 0, deleted 4 webhooks of the account\.\n/),
    ])
    expect(stdout).toContain(
      [
        'webhooks',
        '- session.started https://other.example.com/… (id 1)',
        '- session.started https://hooks.example.com/… (id 2)',
        '- session.started https://hooks.example.com/… (id 3)',
        '- session.other https://hooks.example.com/… (id 5)',
        '+ session.of_tomorrow https://hooks.example.com/… (webhooks[0])',
      ].join('\n'),
    )
    expect(await registered()).toEqual([wanted, { ...wanted, category: 'session.of_tomorrow' }])
    const changes = (await methods()).slice(5)
    expect(changes.indexOf('POST')).toBeLessThan(changes.indexOf('DELETE'))
  })

  it('switches on what is off, under the same id', async () => {
    await register({ enabled: false, ssl_verification: false })
    const { stdout, stderr } = await cli('webhooks apply')
    expect(stdout).toContain(
      '- session.started https://hooks.example.com/… (id 1, not enabled, certificate not verified)\n' +
        '+ session.started https://hooks.example.com/… (webhooks[0])\n',
    )
    expect(stderr).toMatch(/^Created 0, changed 1, deleted 0 webhooks of the account\.\n/)
    expect(await registered()).toEqual([wanted])
    expect((await client.webhooks.get(1)).enabled).toBe(true)
  })

  it('recognises a URL in another spelling', async () => {
    await register({ url: receiver.replace('https://hooks', 'HTTPS://HOOKS') })
    expect(await cli('webhooks apply')).toMatchObject({ code: 0, stdout: '' })
  })

  it('deletes all for an empty list, and nothing without a list', async () => {
    await register()
    const { webhooks: _none, ...without } = standard
    const refused = await cli('webhooks apply', { config: without })
    expect([refused.code, await registered()]).toEqual([2, [wanted]])
    expect(refused.stderr).toContain('there are no webhooks to apply')
    expect((await cli('webhooks apply --remove', { config: { ...without, webhooks: [] } })).code).toBe(0)
    expect(await registered()).toEqual([])
  })

  it.each<[string, Setup, number]>([
    ['webhooks apply --dry-run', { typed: 'y' }, 0],
    ['webhooks apply', { typed: 'n' }, 1],
    ['webhooks apply', { typed: '' }, 1],
  ])('%s, %o: shows and changes nothing', async (line, setup, code) => {
    const ran = await cli(line, setup)
    expect(ran).toMatchObject({ code, stdout: expect.stringContaining('+ session.started') })
    expect(ran.stderr).toMatch(/^(?:Nothing was changed|The account was left as it is)/)
    expect(await registered()).toEqual([])
  })

  it('without a terminal and --remove: deletes nothing, and creates nothing', async () => {
    await register({ url: other })
    const { code, stdout, stderr, placed } = await cli('webhooks apply')
    expect([code, stdout, placed]).toEqual([
      1,
      expect.stringContaining('- session.started https://other'),
      {},
    ])
    expect(stderr).toBe(
      'Nothing was changed: this removes 1 entry, and there is no terminal to ask at. Allow it with --remove.\n',
    )
    expect(await registered()).toEqual([{ ...wanted, url: other }])
  })

  it.each<[string, Setup]>([
    ['webhooks apply --remove', {}],
    ['webhooks apply', { typed: 'y' }],
  ])('%s, %o: keeps what it deletes and changes, and says where', async (line, setup) => {
    await register({ url: other })
    await register({ enabled: false })
    const { code, stderr, placed } = await cli(line, setup)
    const [[path, text] = ['', '']] = Object.entries(placed)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        `What was there before is in ${path}. It has the secret URLs.\nTo put a webhook`,
      ),
    ])
    expect(JSON.parse(text).accounts).toMatchObject([
      {
        webhooks: [
          { ...wanted, url: other },
          { ...wanted, enabled: false },
        ],
      },
    ])
    expect(await registered()).toEqual([wanted])
  })

  it('deletes nothing that it can’t keep', async () => {
    await register({ url: other })
    const files = { 'x.json': '{}' }
    const { code, stderr } = await cli('webhooks apply --remove --save x.json', { files })
    expect([code, stderr]).toEqual([3, expect.stringContaining('x.json, which exists already.')])
    expect(await registered()).toEqual([{ ...wanted, url: other }])
  })

  it('lets only the owner read what it keeps', async () => {
    await register({ url: other })
    const folder = openFolderOfTest()
    const config = { ...standard, service: { url: sandbox.url } }
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    const words = ['webhooks', 'apply', '--remove', '--save', 'x.json']
    const ran = await runProgram(words, { cwd: folder, env: { WEBHOOK_URL: receiver } })
    expect(ran.code, ran.stderr).toBe(0)
    expect((await stat(join(folder, 'x.json'))).mode & 0o777).toBe(0o600)
  })

  it('updates every account', async () => {
    const points = [
      point,
      { url: point.replace('.com', '.co.uk'), widgetKey: 'uk-widget', apiKey: 'uk-rest' },
    ]
    const config = { ...standard, widgetKey: 'demo-widget-key', points }
    expect((await cli('webhooks apply', { config })).code).toBe(0)
    expect([await registered(), await registered(ofUk)]).toEqual([[wanted], [wanted]])
    const { stdout } = await cli('webhooks list', { config })
    expect(Object.values(JSON.parse(stdout))).toMatchObject([[{ id: 1 }], [{ id: 2 }]])
  })

  it('says what the service refuses, and nothing that was sent', async () => {
    await call('POST /_sandbox/failures', { body: { method: 'POST', path: '/webhooks/', status: 400 } })
    const { code, stderr } = await cli('webhooks apply')
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^continuation-point: POST \/webhooks\/: the service refused the request/),
    ])
  })
})

describe('webhooks list', () => {
  it('prints what the account has, and only the host of each URL', async () => {
    await register()
    await register({ url: other, enabled: false })
    const { code, stdout, stderr } = await cli('webhooks list')
    expect([code, stderr]).toEqual([0, ''])
    const shown = { category: started, ssl_verification: true, company_id: 1 }
    expect(JSON.parse(stdout)).toEqual([
      { ...shown, id: 1, enabled: true, url: 'https://hooks.example.com/…', config: 'webhooks[0]' },
      { ...shown, id: 2, enabled: false, url: 'https://other.example.com/…', config: null },
    ])
  })
})

describe('settings diff', () => {
  it.each(['pretty', 'github', 'junit'])('shows webhooks that differ: %s', async (format) => {
    await register({ url: other })
    const { code, stdout } = await cli(`settings diff --format ${format}`)
    expect(code).toBe(1)
    expect(stdout).toContain('- session.started https://other.example.com/… (id 1)')
    expect(stdout).toContain('+ session.started https://hooks.example.com/… (webhooks[0])')
  })

  it('shows them in JSON, by place and id', async () => {
    await register({ url: other })
    await register({ enabled: false })
    const config = { ...standard, webhooks: [{ url: 'env:WEBHOOK_URL', events: [started, 'session.other'] }] }
    const { stdout } = await cli('settings diff --format json', { config })
    expect(JSON.parse(stdout).accounts).toEqual([
      {
        outcome: 'differs',
        differences: [
          {
            setting: 'webhooks',
            surplus: [{ id: 1, category: started, url: 'https://other.example.com/…' }],
            changed: [
              {
                id: 2,
                category: started,
                url: 'https://hooks.example.com/…',
                enabled: false,
                ssl_verification: true,
              },
            ],
            missing: [
              { place: 'webhooks[0]', category: 'session.other', url: 'https://hooks.example.com/…' },
            ],
          },
        ],
        leftAlone: [],
      },
    ])
  })

  it('prints nothing if they match, and counts them in JUnit', async () => {
    await register()
    expect(await cli('settings diff')).toMatchObject({ code: 0, stdout: '' })
    const { stdout } = await cli('settings diff --format junit')
    expect(stdout).toContain('tests="6" failures="0"')
    expect(stdout).toContain('<testcase name="webhooks" classname="the account"/>')
  })

  it('ignores webhooks if the config has none', async () => {
    await register({ url: other })
    const { webhooks: _none, ...without } = standard
    expect(await cli('settings diff', { config: without, env: {} })).toMatchObject({ code: 0, stdout: '' })
  })

  it('needs the REST key for them', async () => {
    const { apiKey: _none, ...without } = { ...standard, widgetKey: 'demo-widget-key' }
    const { code, stderr } = await cli('settings diff', { config: without })
    expect(code).toBe(2)
    expect(stderr).toContain('there is no REST key')
  })
})

describe('a URL that can’t be used', () => {
  it.each<[string, string, string]>([
    ['not set', '', 'is empty'],
    ['no URL', MARK, 'is not usable as a webhook URL'],
    ['a reference', 'env:WEBHOOK_URL', 'looks like a reference'],
  ])('%s: every command names the place, and shows nothing of the URL', async (_what, url, message) => {
    for (const line of ['webhooks apply', 'webhooks list', 'settings diff']) {
      const { code, stderr } = await cli(line, { env: { WEBHOOK_URL: url } })
      expect([code, stderr]).toEqual([2, expect.stringContaining(`WEBHOOK_URL ${message}`)])
      expect(stderr).toMatch(/config\.json:1:\d+ \/webhooks\/0\/url/)
    }
  })

  it.each<[string, unknown]>([
    ['a text in place of the list', receiver],
    ['a list in place of the URL', [{ url: [receiver] }]],
    ['an event that is empty', [{ url: receiver, events: [' '] }]],
  ])('%s in the config', async (_what, webhooks) => {
    expect((await cli('webhooks list', { config: { ...standard, webhooks } })).code).toBe(2)
  })
})

describe('arguments', () => {
  it.each([
    ['webhooks aply', 'did you mean apply?'],
    ['webhooks list --dry-run', '--dry-run is only for apply'],
    ['webhooks list --remove', '--remove is only for apply'],
  ])('%s', async (line, message) => {
    expect(await cli(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})

describe('a service that hides URLs', () => {
  let service: { readonly baseUrl: string; readonly arrivals: readonly { readonly method: string }[] }
  beforeEach(async () => {
    const { url: _untold, ...webhook } = { ...wanted, id: 3, company_id: 9 }
    service = await startStub(({ path }) =>
      path === '/webhooks/'
        ? { body: { count: 1, next: null, previous: null, results: [webhook] } }
        : { body: inStep.settings },
    )
  })

  it.each(['webhooks apply', 'settings diff'])('%s says so and changes nothing', async (line) => {
    const { code, stderr } = await cli(line, { config: { ...standard, service: { api: service.baseUrl } } })
    expect([code, stderr]).toEqual([
      3,
      "continuation-point: the account: the service does not return the URL of webhook 3, so they can't be compared\n",
    ])
    expect(new Set(service.arrivals.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it('webhooks list shows the rest', async () => {
    const config = { ...standard, service: { api: service.baseUrl } }
    const { code, stdout } = await cli('webhooks list', { config })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ id: 3, url: '(not returned)', config: null }]])
  })
})
