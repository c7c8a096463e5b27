import { describe, expect, it } from 'vitest'
import type { AccountSettings } from '../../src/account/settings.ts'
import { toWanted } from '../../src/account/wanted.ts'
import { markConsequences } from '../../src/check/consequences.ts'
import { gatherOfflineFacts } from '../../src/check/offline-facts.ts'
import { aConfig, type Given, prefix } from './a-config.ts'
import { anAccount, saidOptions } from './an-account.ts'
import { checkGiven } from './check-given.ts'

const www = `https://www.example.com${prefix}`
const plain = `http://www.example.com${prefix}`
const foreign = `https://www.example.net${prefix}`
const page = 'https://www.example.com/'
/** What the fix of this rule resolves too. */
const of = (root: string, ...ids: readonly string[]) => ids.map((id) => `${id} < ${root}`)

it.each<[string, Given, string[]]>([
  [
    'a wrong site',
    { points: [foreign], pages: [page], cookies: [{}] },
    ['url/cross-site', ...of('url/cross-site', 'page/no-point', 'cookie/never-sent')],
  ],
  [
    'a wrong site, with a cookie path',
    { points: [`https://www.example.net/shop${prefix}`], pages: [page], cookies: [{ path: '/shop' }] },
    ['url/cross-site', ...of('url/cross-site', 'page/no-point', 'cookie/never-sent')],
  ],
  [
    'http for https',
    { points: [plain], pages: [page], cookies: [{}] },
    ['url/mixed-content', ...of('url/mixed-content', 'url/plain-http', 'page/no-point', 'cookie/never-sent')],
  ],
  [
    'a dot at the end of the host',
    { points: [`https://www.example.com.${prefix}`], pages: [page], cookies: [{}] },
    ['url/trailing-dot', ...of('url/trailing-dot', 'url/cross-site', 'page/no-point', 'cookie/never-sent')],
  ],
  [
    'a missing slash',
    { points: [www.slice(0, -1)], pages: [page], cookies: [{}] },
    ['url/prefix', ...of('url/prefix', 'page/no-point', 'cookie/never-sent')],
  ],
  [
    'a query',
    { points: [`${www}?v=2`], pages: [page], cookies: [{}] },
    ['url/invalid', ...of('url/invalid', 'page/no-point', 'cookie/never-sent')],
  ],
  [
    'two wrong sites, of which each goes to a page of its own',
    { points: [foreign, `https://shop.example.net${prefix}`], pages: [page, 'https://shop.example.com/'] },
    ['url/cross-site', 'url/cross-site', ...of('url/cross-site', 'page/no-point', 'page/no-point')],
  ],
  [
    'a wrong site with a dependent cookie that has another fault',
    { points: [foreign], cookies: [{}, {}], pages: [page] },
    [
      'url/cross-site',
      ...of('url/cross-site', 'page/no-point'),
      'cookie/duplicate',
      ...of('url/cross-site', 'cookie/never-sent', 'cookie/never-sent'),
    ],
  ],
  [
    'a wrong site, though the right one leaves a question open',
    { points: [foreign.replace('https', 'http')], pages: [page.replace('https', 'http')], cookies: [{}] },
    ['url/cross-site', 'url/plain-http', ...of('url/cross-site', 'page/no-point', 'cookie/never-sent')],
  ],
])('what the fix of another finding resolves names it, and still fails %s', (_what, given, failures) => {
  expect(failuresOf(given)).toEqual(failures)
})

describe('an independent fault is its own cause', () => {
  it.each<[string, Given, string[]]>([
    [
      'a cookie whose path the corrected point is not on',
      { points: [foreign], pages: [page], cookies: [{ path: '/shop' }] },
      ['url/cross-site', ...of('url/cross-site', 'page/no-point'), 'cookie/never-sent'],
    ],
    [
      'a cookie whose host the corrected point is not on',
      { points: [foreign], pages: [page], cookies: [{ domain: 'shop.example.com' }] },
      ['url/cross-site', ...of('url/cross-site', 'page/no-point'), 'cookie/never-sent'],
    ],
    [
      'a page on an origin that the corrected point is not on',
      { points: [plain], pages: [page, 'https://shop.example.com/'] },
      ['url/mixed-content', ...of('url/mixed-content', 'url/plain-http', 'page/no-point'), 'page/no-point'],
    ],
    [
      'an error, where the fix is that of a warning',
      { points: [plain], cookies: [{ secure: true }] },
      ['url/plain-http', 'cookie/insecure-only'],
    ],
    [
      'a page without a point, where no point is wrong',
      { points: [www], pages: [page, 'https://shop.example.com/'] },
      ['page/no-point'],
    ],
    [
      'a consequence of a finding that is suppressed',
      { points: [foreign], pages: [page], suppress: [{ rule: 'url/cross-site' }] },
      ['url/cross-site', 'page/no-point'],
    ],
  ])('%s', (_what, given, failures) => {
    expect(failuresOf(given)).toEqual(failures)
  })

  it('when the rule that it depends on is left out', () => {
    expect(failuresOf({ points: [foreign], pages: [page] }, ['url/cross-site'])).toEqual(['page/no-point'])
  })
})

it('a wrong site beside the right one has no correction', () => {
  const { findings } = checkGiven({ points: [www, foreign], pages: [page] })
  expect(findings.find(({ outcome }) => outcome === 'fail')).toMatchObject({
    id: 'url/cross-site',
    fix: { what: 'Remove this point', otherwise: 'add the page that uses it to "pages"' },
  })
})

it('an account that lists the corrected URL is a consequence', () => {
  const config = aConfig({ points: [plain], pages: [page] })
  const options: AccountSettings = { ...toWanted(config).wanted, cookie_transfer_urls: [www] }
  const account = anAccount(config, saidOptions(options))
  const { findings } = checkGiven({ points: [plain], pages: [page] }, {}, { account })
  const failures = findings.filter(({ outcome, severity }) => outcome === 'fail' && severity === 'error')
  expect(failures.map(({ id, because }) => [id, because])).toEqual([
    ['url/mixed-content', undefined],
    ['page/no-point', 'url/mixed-content'],
    ['account/url-not-registered', 'url/mixed-content'],
    ['account/url-stale', 'url/mixed-content'],
  ])
})

describe('whatever the rules are', () => {
  const given = checkGiven({ points: [foreign], pages: [page] }).findings
  const [cause] = given.filter(({ fix }) => fix?.replacesPoint)
  if (cause === undefined) throw new Error('There is none')
  const [first, second] = [cause, { ...cause, id: 'a/second' }]
  const last = { ...cause, id: 'a/last', fix: undefined }
  const facts = gatherOfflineFacts(aConfig({ points: [foreign], pages: [page] }))

  it('what others follow from is no consequence itself', () => {
    const judgements = [
      [first, second, { ...last, outcome: 'pass' as const }],
      [{ ...first, outcome: 'pass' as const }, second, last],
    ]
    const marked = markConsequences([first, second, last], facts, () => judgements.shift() ?? [])
    expect(marked.map(({ because }) => because)).toEqual([undefined, undefined, first.id])
  })

  it('what would only be skipped then is no consequence', () => {
    const skipped = { ...last, outcome: 'skipped' as const }
    const marked = markConsequences([first, last], facts, () => [first, skipped])
    expect(marked.map(({ because }) => because)).toEqual([undefined, undefined])
  })
})

function failuresOf(given: Given, skip: readonly string[] = []): readonly string[] {
  return checkGiven(given, { skip })
    .findings.filter(({ outcome }) => outcome === 'fail')
    .map(({ id, because }) => (because === undefined ? id : `${id} < ${because}`))
}
