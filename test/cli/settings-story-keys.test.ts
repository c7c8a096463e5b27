import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { openCommandLine } from './fake-io.ts'

const prefix = '/service_cookie_transfer/'
const com = `https://www.example.com${prefix}`
const uk = `https://www.example.co.uk${prefix}`

let disk: Record<string, string>
let sandbox: Sandbox
const startService = async (optionNames: 'a' | 'b') => {
  disk = {}
  const clients = ['uk', 'de'].map((name) => ({
    company_name: name,
    rest_key: `${name}-rest`,
    widget_key: `${name}-widget`,
  }))
  sandbox = await startSandbox({ rateLimit: 'off', seed: { optionNames, clients } })
}
const stopService = () => sandbox.close()

const run = async (config: object, ...words: string[]) => {
  const ran = await openCommandLine(disk)({ service: { url: sandbox.url }, ...config }, ...words)
  expect(ran.stdout + ran.stderr).not.toMatch(/(?:demo|uk|de)-(?:rest|widget|api)/)
  return ran
}
const read = () =>
  Promise.all(
    ['demo-api-key', 'uk-rest', 'de-rest'].map((apiKey) =>
      createClient({ baseUrl: `${sandbox.url}/v2`, apiKey }).options.get(),
    ),
  )
const two = (first: string, second: string) => ({
  points: [
    { url: com, widgetKey: 'de-widget', apiKey: first },
    { url: uk, widgetKey: 'uk-widget', apiKey: second },
  ],
})

const shop = { widgetKey: 'uk-widget', apiKey: 'uk-rest', points: [uk] }
const saved = async () => {
  expect((await run(shop, 'settings', 'apply', '--save', 'x.json')).code).toBe(0)
  return disk['x.json'] ?? ''
}

describe.each(['a', 'b'] as const)('in naming set %s', (optionNames) => {
  beforeEach(() => startService(optionNames))
  afterEach(stopService)

  describe('two accounts with the same settings, whose REST keys are swapped', () => {
    it('apply finds out, puts back what it changed, and blames the keys', async () => {
      const before = await read()
      const { code, stderr } = await run(two('uk-rest', 'de-rest'), 'settings', 'apply')
      expect([code, stderr]).toEqual([1, expect.stringContaining('(account/other-account)')])
      expect(stderr).toMatch(
        new RegExp(
          `\\ncontinuation-point: the account of ${com}: .*What was changed is put back, so the kept file is not needed\\n$`,
        ),
      )
      expect(stderr).not.toContain('plan')
      expect(await read()).toEqual(before)
      expect(await run(two('de-rest', 'uk-rest'), 'settings', 'apply')).toMatchObject({ code: 0 })
      const [, ofUk, ofDe] = await read()
      expect([ofUk, ofDe].map((options) => options?.cookie_transfer_urls)).toEqual([[uk], [com]])
    })

    it('restore does so too', async () => {
      const kept = { points: [com], apiKey: 'uk-rest' }
      expect((await run(kept, 'settings', 'apply', '--save', 'x.json')).code).toBe(0)
      await createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'de-rest' }).options.change({
        cookie_transfer_proxying: true,
        cookie_transfer_urls: [com],
      })
      const before = await read()
      const config = { points: [com], apiKey: 'uk-rest', widgetKey: 'de-widget' }
      const { code, stderr } = await run(config, 'settings', 'restore', 'x.json', '--remove')
      expect([code, stderr]).toEqual([1, expect.stringContaining('(account/other-account)')])
      expect(await read()).toEqual(before)
    })
  })

  describe('a widget key that is not in the list of the reseller’s clients', () => {
    const stranger = { url: com, widgetKey: 'demo-widget-key' }
    it.each<[string, object, string[]]>([
      ['apply', { points: [stranger] }, ['settings', 'apply']],
      ['diff', { points: [stranger] }, ['settings', 'diff']],
      [
        'apply, among clients',
        { points: [{ url: uk, widgetKey: 'uk-widget' }, stranger] },
        ['settings', 'apply'],
      ],
      ['apply, of a plan', { points: [{ ...stranger, plan: 'client_basic' }] }, ['settings', 'apply']],
    ])('is an error of %s', async (_what, config, words) => {
      const before = await read()
      const { code, stderr } = await run({ apiKey: 'demo-api-key', ...config }, ...words)
      const index = 'points' in config && (config.points as object[]).length - 1
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(
          `the list of the reseller's clients has no REST key for the widget key of points[${index}]\n`,
        ),
      ])
      expect(stderr).toContain(`/points/${index}/widgetKey`)
      expect(stderr).toContain(`as "points[${index}].apiKey"`)
      expect(await read()).toEqual(before)
    })

    it('makes check inconclusive', async () => {
      const config = { apiKey: 'demo-api-key', points: [stranger] }
      const { stdout } = await run(config, 'check', '--only', 'account', '--format', 'json')
      expect(stdout).toContain('has no REST key for the widget key of points[0]')
    })

    it('but as the key of the config it is that of the reseller’s own account', async () => {
      const config = { apiKey: 'demo-api-key', widgetKey: 'demo-widget-key', points: [com] }
      expect((await run(config, 'settings', 'apply')).code).toBe(0)
      expect((await read()).map((options) => options.cookie_transfer_urls)).toEqual([[com], [], []])
    })
  })

  describe('the file of restore', () => {
    it('has no digest that two files share, so that none is of a known key', async () => {
      const digests = async () => JSON.parse(await saved()).accounts[0].keys
      const first = await digests()
      await run(shop, 'settings', 'restore', 'x.json', '--remove', '--save', 'y.json')
      delete disk['x.json']
      const second = await digests()
      for (const name of ['widgetKey', 'apiKey']) {
        expect(first[name]).toEqual(expect.any(String))
        expect(first[name]).not.toBe(second[name])
      }
    })

    it('is printed as a command that works, with the flags that it needs', async () => {
      const { stderr } = await run(shop, 'settings', 'apply', '--save=-u.json')
      const [, command = ''] = /To put it back:\n {2}(.*)\n/.exec(stderr) ?? []
      expect(command).toMatch(/ settings restore \.\/-u\.json --remove$/)
      const before = await read()
      disk['./-u.json'] = disk['-u.json'] ?? ''
      const words = command.split(' ').slice(command.split(' ').indexOf('settings'))
      expect(await run(shop, ...words)).toMatchObject({ code: 0 })
      expect(await read()).not.toEqual(before)
      const less = await run({ ...shop, points: [], cookies: [] }, 'settings', 'show')
      expect(less.stdout).toContain('"cookie_transfer_urls": []')
    })
  })
})

describe('a file of restore that was edited', () => {
  let text: string
  beforeAll(async () => {
    await startService('a')
    text = await saved()
  })
  afterAll(stopService)

  it.each<[string, (text: string) => string]>([
    ['/schemaVersion', (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 2')],
    ['/acounts', (text) => text.replace('{', '{ "acounts": [],')],
    ['/accounts/0/note', (text) => text.replace('"service"', '"note": "x", "service"')],
    ['/accounts/0/keys/other', (text) => text.replace('"keys": {', '"keys": { "other": "x",')],
    [
      '/accounts/0/before/cookie_transfer_url is not known',
      (text) => text.replaceAll('cookie_transfer_urls', 'cookie_transfer_url'),
    ],
    [
      '/accounts/0/after/start_muted',
      (text) => text.replace('"after": {', '"after": { "start_muted": true,'),
    ],
    ['/accounts/0', (text) => text.replace('cookie_transfer_urls', 'cookie_transfer_enabled')],
    ['it is not JSON', (text) => text.slice(1)],
    ['/accounts', () => '{ "schemaVersion": 1, "accounts": [] }'],
    ['/accounts/0 ', (text) => text.replace('127.0.0.1', '127.0.0.2')],
  ])('is refused with its place %s', async (place, edit) => {
    disk['x.json'] = edit(text)
    const before = await read()
    const { code, stderr } = await run(shop, 'settings', 'restore', 'x.json', '--remove')
    expect([code, stderr]).toEqual([2, expect.stringContaining(place)])
    expect(stderr).toContain("continuation-point: x.json can't be restored: ")
    expect(await read()).toEqual(before)
  })
})
