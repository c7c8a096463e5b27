import { expect, it } from 'vitest'
import type { AccountSaid } from '../../../src/account/read-account.ts'
import type { AccountSettings } from '../../../src/account/settings.ts'
import { rules } from '../../../src/check/rules/index.ts'
import { chooseExitCode } from '../../../src/check/summary.ts'
import { aConfig, type Given, prefix } from '../a-config.ts'
import { anAccount, saidOptions } from '../an-account.ts'
import { checkGiven } from '../check-given.ts'

const root = `https://www.example.com${prefix}`
const shop = `https://www.example.com/shop${prefix}`
const scope = { name: 'sid', domain: 'www.example.com', path: '/', httponly: true }
const given: Given = { points: [root, shop], pages: ['https://www.example.com/'], cookies: [scope] }
const good: AccountSettings = {
  cookie_transfer_enabled: true,
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [root, shop],
  cookie_transfer_scopes: [scope],
  enable_cookie_backtransfer: false,
}

// What differs, and what is of other teams, is in test/account/compare.test.ts.
it.each<[string, Given, AccountSettings, string[]]>([
  ['nothing is wrong', {}, {}, []],
  [
    'a URL has another spelling',
    {},
    { cookie_transfer_urls: [shop, root.replace('www', 'WWW').replace('.com', '.com:443')] },
    [],
  ],
  ['back-transfer is not set', {}, { enable_cookie_backtransfer: undefined }, []],
  ['transfer is off', {}, { cookie_transfer_enabled: false }, ['account/transfer-disabled']],
  ['transfer is not set', {}, { cookie_transfer_enabled: undefined }, ['account/transfer-disabled']],
  ['proxying is off', {}, { cookie_transfer_proxying: false }, ['account/proxying-disabled']],
  ['a URL is missing', {}, { cookie_transfer_urls: [root] }, ['account/url-not-registered']],
  [
    'no URL is there',
    {},
    { cookie_transfer_urls: undefined },
    ['account/url-not-registered', 'account/url-not-registered'],
  ],
  [
    'a URL has http',
    {},
    { cookie_transfer_urls: [shop, root.replace('https', 'http')] },
    ['account/url-not-registered', 'account/url-stale'],
  ],
  [
    'a URL of the host is not a point',
    {},
    { cookie_transfer_urls: [root, shop, `https://www.example.com/old${prefix}`] },
    ['account/url-stale'],
  ],
  ['a scope is missing', {}, { cookie_transfer_scopes: [] }, ['account/scopes-differ']],
  ['the config has no cookies', { cookies: undefined }, { cookie_transfer_scopes: [scope] }, []],
  ['its cookies are empty', { cookies: [] }, {}, ['account/scopes-differ']],
  ['back-transfer is on', {}, { enable_cookie_backtransfer: true }, ['account/back-transfer']],
  ['back-transfer is off', { backTransfer: true }, {}, ['account/back-transfer']],
])('when %s', (_when, change, account, failed) => {
  const { failures } = judge({ ...given, ...change }, saidOptions({ ...good, ...account }))
  expect(failures.map(({ id }) => id)).toEqual(failed)
  for (const { evidence, fix } of failures) {
    expect(evidence).toHaveProperty('account')
    expect(evidence).toHaveProperty('config')
    expect(evidence).toHaveProperty('observed')
    expect(fix).toBeTruthy()
  }
})

it('a scope of the domain that another host of the account receives too is a note', () => {
  const account = {
    ...good,
    cookie_transfer_urls: [root, shop, `https://other.example.com${prefix}`],
    cookie_transfer_scopes: [scope, { ...scope, name: 'old', domain: '.example.com' }],
  }
  const { failures } = judge(given, saidOptions(account))
  expect(failures).toMatchObject([
    {
      id: 'account/scopes-differ',
      severity: 'info',
      message: expect.stringContaining(
        'leaves alone: old .example.com / httponly (other hosts of the account may use it)',
      ),
    },
  ])
})

it('an account that can’t be read is inconclusive, and says why', () => {
  const { findings } = judge(given, { kind: 'unread', reason: 'the service refused the key' })
  expect(new Set(findings.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']))
  expect(findings[0]?.message).toBe('The account could not be read: the service refused the key')
})

it.each(['account/other-account', 'account/url-stale', 'account/url-not-registered'])(
  'an account that can’t be read makes %s alone inconclusive too, with exit code 3',
  (id) => {
    const { findings } = judge(given, { kind: 'unread', reason: 'no key' }, [id])
    expect(findings.map((each) => [each.id, each.outcome])).toEqual([[id, 'inconclusive']])
    expect(chooseExitCode(findings, 'error')).toBe(3)
  },
)

it('keys of two accounts are one error, and no other rule of the account passes', () => {
  const { findings } = judge(given, { kind: 'two-accounts' })
  const [first, ...others] = findings
  expect(first).toMatchObject({
    id: 'account/other-account',
    outcome: 'fail',
    severity: 'error',
    subject: { setting: 'apiKey' },
  })
  expect(others).not.toEqual([])
  for (const other of others)
    expect(other).toMatchObject({ outcome: 'skipped', because: 'account/other-account' })
})

it.each(['account/url-stale', 'account/url-not-registered'])(
  'keys of two accounts leave only %s inconclusive, and the exit code is 3',
  (id) => {
    const { findings } = judge(given, { kind: 'two-accounts' }, [id])
    expect(chooseExitCode(findings, 'error')).toBe(3)
  },
)

it('the account of one key alone is judged, but not whether there is another', () => {
  const said = { ...saidOptions(good), withBothKeys: false } as AccountSaid
  const { findings } = judge(given, said)
  expect(findings.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
    'account/other-account skipped',
    ...accountRules
      .slice(1)
      .flatMap((id) => (id.endsWith('-registered') ? [`${id} pass`, `${id} pass`] : `${id} pass`)),
  ])
})

const accountRules = rules.map(({ id }) => id).filter((id) => id.startsWith('account/'))

it('an account that was not read has no findings', () => {
  expect(judge(given, undefined).findings).toEqual([])
})

function judge(given: Given, said: AccountSaid | undefined, only = accountRules) {
  const account = said && anAccount(aConfig(given), said)
  const { findings } = checkGiven(given, { only, suppress: [] }, { account })
  return { findings, failures: findings.filter(({ outcome }) => outcome === 'fail') }
}
