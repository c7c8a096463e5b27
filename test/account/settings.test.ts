import { describe, expect, test } from 'vitest'
import {
  type AccountSettings,
  compareSettings,
  findLeftAlone,
  renderScope,
  toDerivedSettings,
  toOwnHosts,
} from '../../src/account/settings.ts'
import { configOf } from '../support/config-of.ts'

const sid = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true }
const basket = { name: 'basket', domain: '.example.com', path: '/shop', httponly: false }

const own = new Set(['www.example.com', 'example.com'])

const root = 'https://www.example.com/service_cookie_transfer/'
const atShop = 'https://www.example.com/shop/service_cookie_transfer/'

const config = {
  cookie_transfer_enabled: true,
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [root, atShop],
  cookie_transfer_scopes: [sid, basket],
  enable_cookie_backtransfer: false,
}

test.each<readonly [string, AccountSettings]>([
  ['to the letter', {}],
  ['in another order', { cookie_transfer_urls: [atShop, root] }],
  ['scopes in another order', { cookie_transfer_scopes: [basket, sid] }],
  [
    'URLs spelled otherwise',
    { cookie_transfer_urls: ['HTTPS://WWW.example.com:443/service_cookie_transfer/', atShop] },
  ],
  ['an entry twice', { cookie_transfer_scopes: [sid, basket, sid] }],
  ['a switch that is off and not there', { enable_cookie_backtransfer: undefined }],
])('the same: %s', (_name, account) => {
  expect(compareSettings({ ...config, ...account }, config, own)).toEqual([])
})

const label = 'www.xn--bcher-kva.example'

test.each<readonly [string, AccountSettings]>([
  ['a domain in Unicode', { cookie_transfer_scopes: [{ ...sid, domain: 'www.bücher.example' }] }],
  ['a domain in another case', { cookie_transfer_scopes: [{ ...sid, domain: label.toUpperCase() }] }],
  ['a URL in Unicode', { cookie_transfer_urls: ['https://www.bücher.example/service_cookie_transfer/'] }],
])('a spelling with which nothing is carried differs, and is replaced, not removed: %s', (_what, account) => {
  const inLabels = {
    ...config,
    cookie_transfer_urls: [`https://${label}/service_cookie_transfer/`],
    cookie_transfer_scopes: [{ ...sid, domain: label }],
  }
  const ofLabel = new Set([label])
  expect(compareSettings(inLabels, inLabels, ofLabel)).toEqual([])
  expect(compareSettings({ ...inLabels, ...account }, inLabels, ofLabel)).toMatchObject([{ removed: [] }])
})

const otherShop = 'https://www.example.com/Shop/service_cookie_transfer/'

test.each<readonly [string, AccountSettings, unknown]>([
  [
    'a switch',
    { cookie_transfer_enabled: false },
    { setting: 'cookie_transfer_enabled', account: false, config: true },
  ],
  [
    'a switch that must be on and is not there',
    { cookie_transfer_proxying: undefined },
    { setting: 'cookie_transfer_proxying', account: undefined, config: true },
  ],
  [
    'back-transfer on for no reason',
    { enable_cookie_backtransfer: true },
    { setting: 'enable_cookie_backtransfer', account: true, config: false },
  ],
  [
    'another URL',
    { cookie_transfer_urls: [root, otherShop] },
    { setting: 'cookie_transfer_urls', surplus: [otherShop], missing: [atShop] },
  ],
  [
    'a list that is not there',
    { cookie_transfer_scopes: undefined },
    { setting: 'cookie_transfer_scopes', surplus: [], missing: [sid, basket] },
  ],
  ...[
    { ...sid, domain: '.www.example.com' },
    { ...sid, path: '/A' },
    { ...sid, httponly: false },
    { ...sid, name: 'SID' },
  ].map(
    (scope) =>
      [
        renderScope(scope),
        { cookie_transfer_scopes: [scope, basket] },
        { setting: 'cookie_transfer_scopes', surplus: [scope], missing: [sid] },
      ] as const,
  ),
])('different: %s', (_name, account, difference) => {
  expect(compareSettings({ ...config, ...account }, config, own)).toMatchObject([difference])
})

describe('foreign entries are left alone', () => {
  const beside =
    (settings: typeof config) =>
    (urls: readonly string[], scopes: readonly (typeof sid)[] = []): AccountSettings => ({
      ...settings,
      cookie_transfer_urls: [...urls, ...settings.cookie_transfer_urls],
      cookie_transfer_scopes: [...scopes, ...settings.cookie_transfer_scopes],
    })
  const more = beside(config)
  const shop = 'https://shop.example.com/service_cookie_transfer/'
  const ofShop = { ...sid, domain: 'shop.example.com' }
  const belowShop = { ...sid, domain: '.shop.example.com' }

  test.each<readonly [string, AccountSettings]>([
    ['a URL of another host', more([shop])],
    ['an entry that is not a URL', more(['not a url'])],
    ['a scope of another host', more([], [ofShop])],
    ['a scope of another domain', more([], [belowShop])],
    ['a scope that is not a domain', more([], [{ ...sid, domain: 'a b' }])],
    [
      'a scope of a shared domain, which a foreign point receives',
      more([shop], [{ ...basket, name: 'old' }]),
    ],
  ])('%s', (_what, account) => {
    expect(compareSettings(account, config, own)).toEqual([])
    expect(compareSettings(account, config, 'all')).not.toEqual([])
  })

  const gone = { ...sid, name: 'gone', domain: '.example.com' }
  const www = new Set(['www.example.com'])
  const alone = { ...config, cookie_transfer_scopes: [sid] }
  const listing = beside(alone)

  test.each<readonly [string, AccountSettings, 'surplus' | 'unclaimed' | 'foreign']>([
    ['of a domain that only our hosts receive', listing([], [gone]), 'surplus'],
    ['beside a point of another site', listing(['https://www.example.net/x/'], [gone]), 'surplus'],
    ['that a foreign point receives too', listing([shop], [gone]), 'unclaimed'],
    ['that the host of a foreign cookie receives too', listing([], [gone, ofShop]), 'unclaimed'],
    ['that the hosts of a foreign domain receive too', listing([], [gone, belowShop]), 'unclaimed'],
    ['that is not a domain', listing([], [{ ...gone, domain: 'a b' }]), 'unclaimed'],
    ['that our hosts do not receive', listing([shop], [{ ...gone, domain: 'shop.example.com' }]), 'foreign'],
    ['of another site', listing([], [{ ...gone, domain: '.example.net' }]), 'foreign'],
  ])('a cookie %s', (_which, account, kind) => {
    const [scope] = account.cookie_transfer_scopes ?? []
    expect(compareSettings(account, alone, www)).toMatchObject(
      kind === 'surplus' ? [{ surplus: [scope], removed: [scope], target: [sid] }] : [],
    )
    expect(findLeftAlone(account, alone, www)).toEqual(
      kind === 'unclaimed' && scope
        ? [{ what: renderScope(scope), reason: 'other hosts of the account may use it' }]
        : [],
    )
    expect(findLeftAlone(account, alone, 'all')).toEqual([])
    expect(findLeftAlone(account, { ...alone, cookie_transfer_scopes: undefined }, www)).toEqual([])
  })

  test('they stay when their list changes, and are told from entries that only change', () => {
    const changed = { ...sid, httponly: false }
    const foreign = { ...sid, domain: 'shop.example.com' }
    const account = { ...config, cookie_transfer_scopes: [changed, foreign] }
    expect(compareSettings(account, config, own)).toMatchObject([
      { surplus: [changed], missing: [sid, basket], removed: [], target: [foreign, sid, basket] },
    ])
  })

  test.each<readonly [string, AccountSettings]>([
    ['of a domain that a foreign point receives', listing([shop], [{ ...gone, httponly: false }])],
    ['that is there twice', listing([], [{ ...gone, httponly: false }, gone])],
  ])('a cookie of the config with another httponly is replaced, %s', (_which, account) => {
    const wanted = { ...alone, cookie_transfer_scopes: [sid, gone] }
    expect(compareSettings(account, wanted, www)).toMatchObject([
      { surplus: [{ ...gone, httponly: false }], removed: [], target: [sid, gone] },
    ])
    expect(findLeftAlone(account, wanted, www)).toEqual([])
  })

  test('a domain cookie leaves the entries of the team on the domain itself alone', () => {
    const parsed = configOf({
      points: ['https://app.example.com/service_cookie_transfer/'],
      cookies: [{ name: 'sso', domain: '.example.com', path: '/' }],
    })
    const wanted = toDerivedSettings(parsed)
    const account = beside({ ...config, ...wanted } as typeof config)(
      ['https://example.com/service_cookie_transfer/'],
      [
        { ...sid, domain: 'example.com' },
        { ...sid, name: 'apex', domain: '.example.com' },
      ],
    )
    expect(compareSettings(account, wanted, toOwnHosts(parsed))).toEqual([])
  })

  test('a config owns the hosts of its points, pages and host-only cookies, not those of its domains', () => {
    const parsed = configOf({
      points: ['https://WWW.example.com/service_cookie_transfer/', 'x'],
      pages: ['https://bücher.example/'],
      cookies: [
        { name: 'a', domain: 'example.net', path: '/' },
        { name: 'b', domain: '*', path: '/' },
        { name: 'c', domain: '.example.org', path: '/' },
      ],
    })
    expect([...toOwnHosts(parsed)]).toEqual(['www.example.com', 'xn--bcher-kva.example', 'example.net'])
  })
})

const derive = (config: object) => toDerivedSettings(configOf(config))

test('both switches are on, the lists have canonical hosts, hints of the checker are left out', () => {
  const settings = derive({
    points: [
      'https://WWW.example.com:443/service_cookie_transfer/',
      { url: 'https://www.example.co.uk/shop/service_cookie_transfer/', widgetKey: 'env:KEY' },
    ],
    cookies: [
      { name: 'sid', domain: '.Example.com', path: '/', httponly: true, secure: true, sameSite: 'Lax' },
      { name: 'basket', domain: 'www.example.com', path: '/shop' },
    ],
    backTransfer: true,
  })
  expect(settings).toEqual({
    cookie_transfer_enabled: true,
    cookie_transfer_proxying: true,
    cookie_transfer_urls: [
      'https://www.example.com/service_cookie_transfer/',
      'https://www.example.co.uk/shop/service_cookie_transfer/',
    ],
    cookie_transfer_scopes: [
      { name: 'sid', domain: '.example.com', path: '/', httponly: true },
      { name: 'basket', domain: 'www.example.com', path: '/shop', httponly: false },
    ],
    enable_cookie_backtransfer: true,
  })
})

test('an empty config says nothing of back-transfer and of cookies', () => {
  expect(derive({})).toMatchObject({ cookie_transfer_urls: [], enable_cookie_backtransfer: undefined })
  expect(derive({ backTransfer: false })).toMatchObject({ enable_cookie_backtransfer: false })
  const account = { ...config, cookie_transfer_urls: [] }
  expect(compareSettings(account, derive({}), own)).toEqual([])
  expect(compareSettings(account, derive({ cookies: [] }), own)).toMatchObject([{ surplus: [sid, basket] }])
})
