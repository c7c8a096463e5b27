import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { fakeIo, runCommand } from './fake-io.ts'
import { checkAsJson, type JsonCheck } from './json-check.ts'

const prefix = '/service_cookie_transfer/'
const com = `https://www.example.com${prefix}`
const uk = `https://www.example.co.uk${prefix}`
const scope = (domain: string) => ({ name: 'sid', domain, path: '/', httponly: true })

/** The stand-in with two customers: its own account, and the one of a client. */
describe('check --only account', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    const on = { cookie_transfer_enabled: true, cookie_transfer_proxying: true }
    sandbox = await startSandbox({
      seed: {
        settings: { ...on, cookie_transfer_urls: [com], cookie_transfer_scopes: [scope('www.example.com')] },
        clients: [
          {
            company_name: 'UK',
            rest_key: 'uk-rest',
            widget_key: 'uk-widget',
            settings: {
              ...on,
              cookie_transfer_urls: [uk],
              cookie_transfer_scopes: [scope('www.example.co.uk')],
            },
          },
        ],
      },
    })
  })
  afterAll(() => sandbox?.close())

  it('checks each account with the keys of its points', async () => {
    const { code, checks } = await checkAccount({ ukApiKey: 'uk-rest' })
    expect(code).toBe(0)
    const unclaimed = ['account/back-transfer', 'skipped']
    const others = checks.filter(({ outcome }) => outcome !== 'pass')
    expect(others.map(({ id, outcome }) => [id, outcome])).toEqual([unclaimed, unclaimed])
    expect(checks.filter(({ id }) => id === 'account/other-account').map(({ subject }) => subject)).toEqual([
      { setting: 'apiKey' },
      { setting: 'points[1].apiKey' },
    ])
  })

  it('reads an account with the widget key alone', async () => {
    const { code, checks } = await checkAccount({})
    expect(code).toBe(0)
    const ofUk = checks.filter(
      ({ id, subject }) => id !== 'account/back-transfer' && JSON.stringify(subject).includes('co.uk'),
    )
    expect(ofUk.map(({ outcome }) => outcome)).toEqual(ofUk.map(() => 'pass'))
    expect(ofUk.length).toBeGreaterThan(0)
  })

  it('says that one point has the keys of two accounts', async () => {
    const { code, checks, failures } = await checkAccount({ ukApiKey: 'demo-api-key' })
    expect(code).toBe(1)
    expect(failures).toMatchObject([
      { id: 'account/other-account', subject: { setting: 'points[1].apiKey' }, evidence: { points: [uk] } },
    ])
    const ofUk = checks.filter(({ subject }) => JSON.stringify(subject).includes('co.uk'))
    expect(ofUk.filter(({ outcome }) => outcome === 'pass')).toEqual([])
  })

  it('finds a point that is listed in the other account', async () => {
    const { code, checks } = await checkAccount({ ukWidgetKey: 'demo-widget-key' })
    expect(code).toBe(1)
    expect(failed(checks)).toEqual([
      ['account/url-not-registered', { point: uk }],
      ['account/scopes-differ', { setting: 'cookie_transfer_scopes' }],
    ])
  })

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
      const { checks } = await check(
        ['--only', 'account', `https://www.example.com/sohp${prefix}`],
        config([com]),
      )
      expect(checks.find(({ outcome }) => outcome === 'fail')?.fix).toMatch(/^Correct the URL, or add /)
    })

    it('judges a point of another account by that account', async () => {
      const { code, checks } = await check(
        ['--only', 'account', uk],
        config([com, { url: uk, widgetKey: 'uk-widget', apiKey: 'uk-rest' }]),
      )
      expect(failed(checks)).toEqual([])
      expect(code).toBe(0)
      const passed = { id: 'account/url-not-registered', subject: { point: uk }, outcome: 'pass' }
      expect(checks).toContainEqual(expect.objectContaining(passed))
    })

    it('asks for a point that the config has already to be checked too, not to be added', async () => {
      const cookies = [{ ...scope('www.example.com'), path: '/shop' }]
      const { checks } = await check(['--offline', '--only', 'cookie/path-not-covered', com], {
        ...config([com, shop]),
        pages: ['https://www.example.com/'],
        cookies,
      })
      expect(checks).toMatchObject([
        { outcome: 'fail', fix: `Check ${shop} as well: the config has this point already` },
      ])
    })
  })

  const checkAccount = (keys: { readonly ukApiKey?: string; readonly ukWidgetKey?: string }) =>
    check(['--only', 'account'], {
      service: { url: sandbox.url },
      widgetKey: 'demo-widget-key',
      apiKey: 'demo-api-key',
      points: [com, { url: uk, widgetKey: keys.ukWidgetKey ?? 'uk-widget', apiKey: keys.ukApiKey }],
      cookies: [scope('www.example.com'), scope('www.example.co.uk')],
    })
})

const failed = (checks: readonly JsonCheck[]) =>
  checks.filter(({ outcome }) => outcome === 'fail').map(({ id, subject }) => [id, subject])

const check = (words: readonly string[], config: object) =>
  checkAsJson(['--config', 'c.json', ...words], { 'c.json': JSON.stringify(config) })
