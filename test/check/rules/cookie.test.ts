import { describe, expect, it } from 'vitest'
import { check } from '../../../src/check/check.ts'
import { gatherOfflineFacts } from '../../../src/check/offline-facts.ts'
import { rules } from '../../../src/check/rules/index.ts'
import { aConfig } from '../a-config.ts'
import { at, runOffline, testRules, www, wwwPage } from './rule-table.ts'

const SID = ['sid (www.example.com /)']
const SHOP_SID = ['sid (www.example.com /shop)']
const plain = at('http://www.example.com')
const cart = at('https://www.example.com/shop/cart')

testRules('cookie', {
  'cookie/bad-name': [
    [{ cookies: [{ name: 'a.b_c-d' }] }, []],
    [{ cookies: [{ name: 'a;b' }] }, ['a;b (www.example.com /)']],
  ],
  'cookie/bad-domain': [
    [{ cookies: [{ domain: '.example.com' }] }, []],
    [
      {
        cookies: [
          { domain: '' },
          { domain: '..example.com' },
          { domain: '*.example.com' },
          { domain: '.127.0.0.1' },
        ],
      },
      ['sid ( /)', 'sid (..example.com /)', 'sid (*.example.com /)', 'sid (.127.0.0.1 /)'],
    ],
  ],
  'cookie/bad-path': [
    [{ cookies: [{ path: '/' }, { path: '/a%20b' }] }, []],
    [{ cookies: [{ path: '' }, { path: 'shop' }] }, ['sid (www.example.com )', 'sid (www.example.com shop)']],
    [
      { cookies: [{ path: '/a|b' }, { path: '/a^b' }, { path: '/a%7Cb%5Ec' }] },
      ['sid (www.example.com /a|b)', 'sid (www.example.com /a^b)'],
    ],
  ],
  'cookie/public-suffix-domain': [
    [{ cookies: [{ domain: '.example.com' }, { domain: 'github.io' }] }, []],
    [{ cookies: [{ domain: '.github.io' }, { domain: '.co.uk' }] }, ['sid (.github.io /)', 'sid (.co.uk /)']],
  ],
  'cookie/prefix-contradiction': [
    [{ cookies: [{ name: '__Host-sid' }, { name: '__Http-sid', path: '/shop' }] }, []],
    [
      {
        cookies: [
          { name: '__host-sid', path: '/shop' },
          { name: '__Secure-a', secure: false },
          { name: '__Http-b', httponly: false },
        ],
      },
      [
        '__host-sid (www.example.com /shop)',
        '__Secure-a (www.example.com /)',
        '__Http-b (www.example.com /)',
      ],
    ],
  ],
  'cookie/same-site-none': [
    [
      {
        cookies: [
          { sameSite: 'None', secure: true },
          { sameSite: 'None' },
          { sameSite: 'Lax', secure: false },
          { secure: false },
        ],
      },
      [],
    ],
    [{ cookies: [{ sameSite: 'None', secure: false }] }, SID],
  ],
  'cookie/duplicate': [
    [{ cookies: [{}, { path: '/shop' }, { name: 'SID' }, { domain: '.www.example.com' }] }, []],
    [{ cookies: [{}, { domain: 'WWW.example.com', httponly: false }] }, ['sid (WWW.example.com /)']],
  ],
  'cookie/never-sent': [
    [{ points: [www], cookies: [{}, { domain: '.example.com' }] }, []],
    [{ points: [www], cookies: [{ domain: 'example.com' }] }, ['sid (example.com /)']],
    [{ points: [www], cookies: [{ domain: '.shop.example.com' }] }, ['sid (.shop.example.com /)']],
    [{ points: [www], cookies: [{ domain: 'bad domain' }] }, []],
    [{ points: [www], pages: ['https://www.example.net/'], cookies: [{}] }, SID],
    [{ points: [`${www}?x`], cookies: [{}] }, SID],
  ],
  'cookie/path-not-covered': [
    [{ points: [cart], cookies: [{ path: '/shop' }, { path: '/shop/' }, {}] }, []],
    [{ points: [www], cookies: [{ path: '/shop' }] }, SHOP_SID],
    [{ points: [at('https://www.example.com/shopping')], cookies: [{ path: '/shop' }] }, SHOP_SID],
    [{ points: [at('https://www.example.com/Shop')], cookies: [{ path: '/shop' }] }, SHOP_SID],
  ],
  'cookie/insecure-only': [
    [{ points: [www, plain], cookies: [{ secure: true }] }, []],
    [{ points: [plain], cookies: [{ secure: true }] }, SID],
    [{ points: [plain], cookies: [{ name: '__host-x' }] }, ['__host-x (www.example.com /)']],
    [{ points: [plain], cookies: [{}, { secure: false }] }, []],
    [{ points: [at('http://localhost')], cookies: [{ domain: 'localhost', secure: true }] }, []],
    [{ points: [plain], cookies: [{ sameSite: 'None' }] }, SID],
  ],
  'cookie/depends': [
    [{ points: [www], cookies: [{}] }, []],
    [{ points: [plain], cookies: [{}] }, SID],
    [{ points: [plain], cookies: [{ secure: false }] }, []],
    [{ points: [www], pages: ['http://www.example.com/'], cookies: [{ secure: true }] }, SID],
    [{ points: [www], pages: ['http://www.example.com/', wwwPage], cookies: [{ secure: true }] }, []],
  ],
  'cookie/mixed-parties': [
    [{ pages: [wwwPage], cookies: [{}, { domain: '.example.com' }] }, []],
    [{ pages: [wwwPage], cookies: [{}, { domain: 'www.example.net' }] }, ['cookies']],
    [{ pages: [wwwPage], cookies: [{ domain: 'www.example.net' }] }, []],
    [{ pages: [wwwPage, 'https://www.example.net/'], cookies: [{}, { domain: 'www.example.net' }] }, []],
    [{ pages: [wwwPage], cookies: [{}, { domain: '*' }] }, []],
  ],
  'cookie/none-httponly': [
    [{ cookies: [{ httponly: false }, {}] }, []],
    [{ cookies: [{ httponly: false }] }, ['cookies']],
    [{ cookies: [] }, []],
  ],
})

it('cookies of several parties are reported at the first foreign one', () => {
  const cookies = [{}, { name: 'b', domain: 'www.example.net' }, { name: 'c', domain: 'www.example.net' }]
  const found = runOffline({ pages: [wwwPage], cookies }).find(({ id }) => id === 'cookie/mixed-parties')
  expect(found?.location?.pointer).toBe('/cookies/1')
})

describe('cookie/drift, for sid on www.example.com / as listed, httponly', () => {
  it.each([
    ['sid=1; HttpOnly', 'pass'],
    ['sid=1; Path=/; HttpOnly; Secure', 'pass'],
    ['sid=1; Path=/shop; HttpOnly', 'fail'],
    ['sid=1; Domain=example.com; HttpOnly', 'fail'],
    ['sid=1', 'fail'],
    ['other=1; HttpOnly', 'skipped'],
    // Browsers don't hold these.
    ['sid=; Path=/shop; Max-Age=0', 'skipped'],
    ['sid=; Path=/shop; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'skipped'],
    ['sid=1; Domain=example.net; HttpOnly', 'skipped'],
  ])('%s: %s', (line, outcome) => {
    expect(judgeDrift(wwwPage, {}, line)).toEqual([outcome])
  })

  it.each([
    ['www.bücher.example', 'sid=1; HttpOnly', 'pass'],
    ['.bücher.example', 'sid=1; Domain=xn--bcher-kva.example; HttpOnly', 'pass'],
    ['.Bücher.example', 'sid=1; Domain=bücher.example; HttpOnly', 'pass'],
    ['.bücher.example', 'sid=1; HttpOnly', 'fail'],
  ])('the domain %s and %s: %s', (domain, line, outcome) => {
    expect(judgeDrift('https://www.bücher.example/', { domain }, line)).toEqual([outcome])
  })
})

function judgeDrift(page: string, cookie: { readonly domain?: string }, line: string) {
  const facts = gatherOfflineFacts(aConfig({ pages: [page], cookies: [cookie] }))
  const cookies = [{ url: new URL(page).href, line }]
  const visit = { kind: 'none', why: '', isConclusive: true, cookies } as const
  const pageVisits = new Map(facts.pages.map((each) => [each, visit]))
  const selection = { only: ['cookie/drift'], skip: [], suppress: [] }
  return check({ ...facts, pageVisits }, rules, selection).findings.map(({ outcome }) => outcome)
}
