import { expect, test } from 'vitest'
import { toAccounts } from '../../src/account/accounts.ts'
import { configOf } from '../support/config-of.ts'

const com = 'https://www.example.com/service_cookie_transfer/'
const shop = 'https://shop.example.com/service_cookie_transfer/'
const uk = 'https://www.example.co.uk/service_cookie_transfer/'
const cookie = (domain: string) => ({ name: 'sid', domain, path: '/' })

test.each<
  [
    string,
    object,
    readonly (readonly [name: string | undefined, setting: string, points: readonly number[]])[],
  ]
>([
  ['one for all points', { widgetKey: 'k', apiKey: 'r', points: [com, uk] }, [[undefined, 'apiKey', [0, 1]]]],
  ['one without a point', { widgetKey: 'k', apiKey: 'r' }, [[undefined, 'apiKey', []]]],
  [
    'one for each key',
    { widgetKey: 'env:K', points: [com, { url: uk, widgetKey: 'env:UK', apiKey: 'env:R' }, shop] },
    [
      [com, 'apiKey', [0, 2]],
      [uk, 'points[1].apiKey', [1]],
    ],
  ],
  [
    'one for points that write the same key',
    { widgetKey: 'env:K', points: [com, { url: shop, widgetKey: 'env:K' }] },
    [[undefined, 'apiKey', [0, 1]]],
  ],
  [
    'the REST key of the config, where all points have one key of their own',
    { apiKey: 'env:R', points: [{ url: com, widgetKey: 'env:K' }] },
    [[undefined, 'apiKey', [0]]],
  ],
  [
    'no REST key of a reseller for its only client',
    { apiKey: 'env:R', points: [{ url: com, widgetKey: 'env:K', plan: 'client_basic' }] },
    [[undefined, 'points[0].apiKey', [0]]],
  ],
  [
    'no REST key of another account for a point with its own widget key',
    { widgetKey: 'env:K', apiKey: 'env:R', points: [com, { url: uk, widgetKey: 'env:UK' }] },
    [
      [com, 'apiKey', [0]],
      [uk, 'points[1].apiKey', [1]],
    ],
  ],
])('%s', (_what, config, expected) => {
  const accounts = accountsOf(config)
  expect(accounts.map(({ name, setting, points }) => [name, setting, points])).toEqual(expected)
})

test('a point with its own widget key is never looked up with the REST key of the config', () => {
  const points = [com, { url: uk, widgetKey: 'env:UK' }]
  const [first, second] = accountsOf({ widgetKey: 'env:K', apiKey: 'env:R', points })
  expect([first?.apiKey, second?.apiKey]).toMatchObject([{ kind: 'env', name: 'R' }, undefined])
})

test('each account gets the cookies of its sites, and the first one those of no point', () => {
  const points = [com, { url: uk, widgetKey: 'env:UK' }]
  const domains = ['www.example.com', '.example.co.uk', '.example.com', 'www.example.net', '*']
  const accounts = accountsOf({ widgetKey: 'env:K', points, cookies: domains.map(cookie) })
  expect(accounts.map(({ wanted }) => wanted.cookie_transfer_scopes?.map(({ domain }) => domain))).toEqual([
    ['www.example.com', '.example.com', 'www.example.net', '*'],
    ['.example.co.uk'],
  ])
  expect(accounts.map(({ wanted }) => wanted.cookie_transfer_urls)).toEqual([[com], [uk]])
})

function accountsOf(config: object) {
  return toAccounts(configOf(config))
}
