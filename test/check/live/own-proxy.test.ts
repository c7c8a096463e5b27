import { expect, it } from 'vitest'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { listenTls, pemOf } from '../../support/certificates/certificate.ts'
import { caching } from '../../support/front-ends/faults.ts'
import { startRawFrontEnd } from '../../support/front-ends/raw-front-end.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { austere, talkative } from '../../support/other-service.ts'
import { startProxy, WIDGET_KEY } from '../../support/start-proxy.ts'
import { prefix } from '../a-config.ts'
import { checkBehindServe, type LiveGiven, liveCheck, openSandbox } from './live-check.ts'

const sandbox = await openSandbox()
const SHOP = 'http://www.shop.localhost'
const SCOPED = { forward: { cookies: 'scoped', alsoCookies: ['sid'] } }
const TLS = { listen: { tls: listenTls('service') } }
const SMALL = { limits: { headerBytes: 20_000 } }

it.each<[string, string, Record<string, unknown>, LiveGiven, string[]]>([
  ['on http', SHOP, {}, {}, []],
  ['that forwards listed cookies alone', SHOP, SCOPED, { source: { cookieName: 'sid' } }, []],
  ['on https', 'https://localhost', TLS, { ca: [pemOf('authority.cert')] }, []],
  [
    'on a host of DNS that is elsewhere today',
    'http://www.example.com',
    {},
    { resolve: ['www.example.com:127.0.0.1'] },
    [],
  ],
  ['with a small header limit', SHOP, SMALL, {}, ['live/header-size', 'live/header-size']],
])('our own proxy %s', async (_what, site, overrides, given, failed) => {
  const base = { widgetKey: 'demo-widget-key', ...overrides }
  const proxy = await openForTest(startProxy(sandbox.url, base))
  const origin = `${site}:${proxy.port}`
  const points = [`${origin}${prefix}`, `${origin}/checkout${prefix}`]
  const otherPage = `${origin.split(':')[0]}://other.${new URL(origin).host}`
  // Only now is the port known, which is a part of every continuation URL.
  await proxy.reload({ ...base, points })
  sandbox.setAccount(demoAccount({ cookie_transfer_urls: [...points, `${otherPage}${prefix}`] }))
  const checked = await liveCheck({ points, pages: [`${origin}/`, `${otherPage}/`], ...given })
  expect(checked.failed).toEqual(failed)
  expect(checked.findings.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
})

const OTHER = "The widget key that arrives is not the config's, so the cookies go to another account"
it.each<[Record<string, unknown>, LiveGiven, [string, string]]>([
  [{}, {}, ['pass', 'X-Widget-Key arrives once, with the key of the config, and the service knows it']],
  [{}, { widgetKey: undefined }, ['inconclusive', expect.stringContaining('shows only with "widgetKey"')]],
  [{ widgetKey: 'other' }, {}, ['fail', OTHER]],
])('our own proxy with %j, checked with %j: %j', async (serve, given, expected) => {
  const { find } = await checkBehindServe(talkative, {}, () => given, serve)
  const { outcome, message } = find('live/widget-key') ?? {}
  expect([outcome, message]).toEqual(expected)
})

const keys: string[] = []

it.each<[string, (target: string) => boolean]>([
  ['scripts alone', (target) => target.includes('.js?')],
  ['the page itself, without a query', (target) => target.endsWith('/')],
  // It asks for the key of each request twice.
  ['styles without a query, from the third on', (target) => target.endsWith('.css') && keys.push(target) > 4],
])('our own proxy, behind a front end that stores %s', async (_what, isStored) => {
  const storing = caching(({ target }) => (isStored(target) ? target : `${Math.random()}`))
  expect((await checkBehindServe(austere, storing)).failed).toContain('live/cached')
})

it('our own proxy, before a service that hangs, is waited for until it says so', async () => {
  let asked = 0
  const service = await openForTest(
    startRawFrontEnd(() => {
      asked += 1
    }),
  )
  const hanging = `http://127.0.0.1:${service.port}`
  const proxy = await openForTest(startProxy(hanging, { timeouts: { headers: '700ms' } }))
  const points = [`http://www.shop.localhost:${proxy.port}${prefix}`]
  await proxy.reload({ points, timeouts: { headers: '700ms' } })
  const probe = { deadlineMs: 300, answerMs: 3000 }
  const checked = await liveCheck({ points, service: hanging, widgetKey: WIDGET_KEY, probe })
  expect(checked.failed).toEqual(['live/forwarded'])
  expect(checked.find('live/forwarded')?.message).toContain(
    'The service did not answer within timeouts.headers (upstream-head-timeout)',
  )
  // By the proxy, and directly.
  expect(asked).toBe(2)
})
