import { expect, it } from 'vitest'
import type { AccountFact } from '../../src/check/account-fact.ts'
import { check } from '../../src/check/check.ts'
import { toOfflineFacts } from '../../src/check/offline-facts.ts'
import { rules } from '../../src/check/rules/index.ts'
import { toDerivedSettings } from '../../src/config/derived-settings.ts'
import type { AccountSettings } from '../../src/config/settings-difference.ts'
import { aConfig, type Given, prefix } from './a-config.ts'

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

it.each<[string, Given, AccountSettings, string[]]>([
  ['all is well', {}, {}, []],
  ['lists stand in another order', {}, { cookie_transfer_urls: [shop, root] }, []],
  [
    'a URL has another spelling',
    {},
    { cookie_transfer_urls: [shop, root.replace('www', 'WWW').replace('.com', '.com:443')] },
    [],
  ],
  ['back-transfer is not said', {}, { enable_cookie_backtransfer: undefined }, []],
  ['transfer is off', {}, { cookie_transfer_enabled: false }, ['account/transfer-disabled']],
  ['transfer is not said', {}, { cookie_transfer_enabled: undefined }, ['account/transfer-disabled']],
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
    'a URL of the host is no point',
    {},
    { cookie_transfer_urls: [root, shop, `https://www.example.com/old${prefix}`] },
    ['account/url-stale'],
  ],
  [
    'a URL of another host is no point',
    {},
    { cookie_transfer_urls: [root, shop, `https://other.example.com${prefix}`] },
    [],
  ],
  ['an entry is no URL', {}, { cookie_transfer_urls: [root, shop, 'x'] }, []],
  [
    'a scope has a dot',
    {},
    { cookie_transfer_scopes: [{ ...scope, domain: '.www.example.com' }] },
    ['account/scopes-differ'],
  ],
  ['a scope is missing', {}, { cookie_transfer_scopes: [] }, ['account/scopes-differ']],
  [
    'a scope is too many',
    {},
    { cookie_transfer_scopes: [scope, { ...scope, name: 'x' }] },
    ['account/scopes-differ'],
  ],
  ['no cookies are listed', { cookies: [] }, { cookie_transfer_scopes: [{ ...scope, name: 'x' }] }, []],
  ['back-transfer is on', {}, { enable_cookie_backtransfer: true }, ['account/back-transfer']],
  ['back-transfer is off', { backTransfer: true }, {}, ['account/back-transfer']],
])('when %s', (_when, change, account, failed) => {
  const config = aConfig({ ...given, ...change })
  const { findings } = judge(config, {
    kind: 'options',
    options: { ...good, ...account },
    wanted: toDerivedSettings(config),
  })
  const failures = findings.filter(({ outcome }) => outcome === 'fail')
  expect(failures.map(({ id }) => id)).toEqual(failed)
  for (const { evidence, fix } of failures) {
    expect(evidence).toHaveProperty('account')
    expect(evidence).toHaveProperty('config')
    expect(evidence).toHaveProperty('observed')
    expect(fix).toBeTruthy()
  }
})

it('an account that can not be read is inconclusive, and says why', () => {
  const { findings } = judge(aConfig(given), { kind: 'unread', reason: 'the service refused the key' })
  expect(new Set(findings.map(({ outcome }) => outcome))).toEqual(new Set(['inconclusive']))
  expect(findings[0]?.message).toBe('The account could not be read: the service refused the key')
})

it('an account that nobody asked for is not spoken of', () => {
  expect(judge(aConfig(given), undefined).findings).toEqual([])
})

function judge(config: ReturnType<typeof aConfig>, account: AccountFact | undefined) {
  const only = rules.map(({ id }) => id).filter((id) => id.startsWith('account/'))
  return check({ ...toOfflineFacts(config), account }, rules, { only, skip: [], suppress: [] })
}

it('a suppression of a rule that nobody asked for is not called unused', () => {
  const config = aConfig({ ...given, suppress: [{ rule: 'live/cached' }, { rule: 'account/url-stale' }] })
  const { findings } = check(toOfflineFacts(config), rules, { only: [], skip: [], suppress: config.suppress })
  const reviewed = findings.filter(({ id }) => id === 'config/unused-suppression')
  expect(reviewed.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['skipped', 'live/cached did not run'],
    ['skipped', 'account/url-stale did not run'],
  ])
})
