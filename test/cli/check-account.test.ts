import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { fakeIo, runCommand } from './fake-io.ts'
import { checkAsJson, type JsonCheck } from './json-check.ts'

const prefix = '/service_cookie_transfer/'
const com = `https://www.example.com${prefix}`
const scope = (domain: string) => ({ name: 'sid', domain, path: '/', httponly: true })

describe('check --only account', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    const on = { cookie_transfer_enabled: true, cookie_transfer_proxying: true }
    const settings = {
      ...on,
      cookie_transfer_urls: [com],
      cookie_transfer_scopes: [scope('www.example.com')],
    }
    sandbox = await startSandbox({ seed: { settings } })
  })
  afterAll(() => sandbox?.close())

  it.each([['account'], ['account/url-stale']])(
    'names both variables when --only %s has no key',
    async (only) => {
      const config = {
        service: { url: sandbox.url },
        widgetKey: 'env:NO_WIDGET_KEY',
        apiKey: 'env:NO_REST_KEY',
        points: [com],
      }
      const { code, checks, stdout } = await check(['--only', only], config)
      expect(code).toBe(3)
      expect(new Set(checks.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']))
      expect(checks[0]?.message).toMatch(/NO_REST_KEY is not set, and the variable NO_WIDGET_KEY is not set/)
      expect(stdout).not.toContain('name "apiKey"')
    },
  )

  it.each([
    ['--only', 'account'],
    ['--only', 'account/scopes-differ'],
  ])('says what is missing without a service and a key: %s %s', async (...words) => {
    const { code, checks } = await check(words, { points: [com] })
    expect(code).toBe(3)
    expect(checks[0]).toMatchObject({ outcome: 'inconclusive' })
    expect(checks[0]?.message).toContain('name "service.url", and "apiKey" or "widgetKey", in the config')
  })

  it('prints what could not be read once', async () => {
    const config = { service: { url: sandbox.url }, apiKey: 'env:NO_REST_KEY', points: [com] }
    const io = fakeIo({ 'c.json': JSON.stringify(config) })
    const { code, stdout } = await runCommand('check --config c.json --only account', io)
    expect([code, stdout.split('NO_REST_KEY').length]).toEqual([3, 2])
  })

  it.each(['accont', 'accont/', ''])('refuses %j, which is neither a rule nor a group', async (word) => {
    expect((await check(['--only', word], { points: [com] })).code).toBe(2)
  })

  describe('with URLs on the command line', () => {
    const shop = `https://www.example.com/shop${prefix}`
    const config = (points: readonly (object | string)[]) => ({
      service: { url: sandbox.url },
      widgetKey: 'demo-widget-key',
      apiKey: 'demo-api-key',
      points,
    })

    it.each<[string, readonly string[], readonly string[], readonly unknown[]]>([
      ['one of its points', [com, shop], [shop], [['account/url-not-registered', { point: shop }]]],
      ['a listed one', [com, shop], [com], []],
      ['a mistyped one', [com], [`${com}x/`], []],
      ['one that is not in the config', [com], [shop], [['account/url-not-registered', { point: shop }]]],
      [
        'one of its points, and the account lists another URL',
        [shop],
        [shop],
        [
          ['account/url-not-registered', { point: shop }],
          ['account/url-stale', { setting: 'cookie_transfer_urls' }],
        ],
      ],
      ['no point in the config', [], [shop], [['account/url-not-registered', { point: shop }]]],
    ])(
      'compares the lists of the account with the points of the config: %s',
      async (_what, own, given, expected) => {
        const { checks } = await check(['--only', 'account', ...given], config(own))
        expect(failed(checks)).toEqual(expected)
      },
    )

    it('does not ask for a mistyped URL to be added to the account alone', async () => {
      const { checks } = await check(['--only', 'account', shop.replace('shop', 'sohp')], config([com]))
      expect(checks.find(({ outcome }) => outcome === 'fail')?.fix).toMatch(/^Correct the URL, or add /)
    })

    it.each([
      ['leaves out what another point of the config is there for', 'https', com, []],
      ['reports a mistyped point of the config', 'https', com.slice(0, -1), ['url/prefix']],
      ['reports a fault of its point', 'http', com, ['url/scheme-mismatch', 'cookie/path-not-covered']],
    ])('%s', async (_what, scheme, given, expected) => {
      const only = ['cookie/path-not-covered', 'url/prefix', 'url/scheme-mismatch']
      const { checks } = await check(['--offline', ...only.flatMap((id) => ['--only', id]), given], {
        ...config([com, shop]),
        pages: [`${scheme}://www.example.com/`],
        cookies: [{ ...scope('www.example.com'), path: '/shop' }],
      })
      expect(failed(checks).map(([id]) => id)).toEqual(expected)
    })
  })
})

const failed = (checks: readonly JsonCheck[]) =>
  checks.filter(({ outcome }) => outcome === 'fail').map(({ id, subject }) => [id, subject])

const check = (words: readonly string[], config: object) =>
  checkAsJson(['--config', 'c.json', ...words], { 'c.json': JSON.stringify(config) })
