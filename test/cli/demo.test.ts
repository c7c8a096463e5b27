import { afterAll, describe, expect, it } from 'vitest'
import { demoParts } from '../../src/cli/demo.ts'
import { run } from '../../src/cli/run.ts'
import { startDemo } from '../../src/sandbox/demo.ts'
import { ask } from '../sandbox/support/ask.ts'
import { openForTest } from '../support/open-for-test.ts'
import { fakeIo } from './fake-io.ts'

const demo = await startDemo(demoParts(fakeIo()), { port: 0 })
afterAll(() => demo.close())
const { port } = new URL(demo.siteOrigin)
const { port: servicePort } = new URL(demo.serviceUrl)

describe('the demo', () => {
  it.each(['www.shop.localhost', 'WWW.Shop.LOCALHOST'])('has a shop on %s', async (host) => {
    const answer = await askSite('/', host)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<strong>Oak &amp; Lumen</strong>')
  })

  it.each(['127.0.0.1', 'localhost', 'shop.localhost', 'www.shop.localhost.'])(
    'leads from %s to the shop',
    async (host) => {
      const answer = await askSite('/checkout', host)
      expect([answer.status, answer.headers.location]).toEqual([302, `${demo.siteOrigin}/`])
    },
  )

  it.each(['/service_cookie_transfer/x', '/checkout/service_cookie_transfer/x'])(
    'has a continuation point that passes every check: %s',
    async (target) => {
      expect(await outcomesAt(target)).toEqual(ALL_PASS)
    },
  )

  it('is green for check', async () => {
    const io = fakeIo()
    expect(await run(['check', ...demo.pointUrls, '--page', `${demo.siteOrigin}/`], io)).toBe(0)
    expect(io.written.stdout).toMatch(
      /^Not judged\n {2}– whether cookies reach the service: the config lists no "cookies"\n {2}– what the account says, and whether the widget is in the pages: the config names no service\n\nno findings; \d+ passed \(28 confirmed by the service\)/,
    )
  })

  it('has another vendor’s path if it is told so, for check and for the verification page', async () => {
    const prefix = '/acme_cookie_transfer/'
    const other = await openForTest(startDemo(demoParts(fakeIo()), { port: 0, prefix }))
    expect(other.pointUrls).toEqual(['', '/checkout'].map((path) => `${other.siteOrigin}${path}${prefix}`))
    const io = fakeIo()
    expect(await run(['check', ...other.pointUrls], io)).toBe(0)
    expect(io.written.stdout).toContain('(28 confirmed by the service)')
    const headers = { Host: `127.0.0.1:${new URL(other.serviceUrl).port}`, Accept: 'text/html' }
    expect((await ask(other.serviceUrl, prefix, { headers })).text).toContain(`www.example.com${prefix}`)
    expect((await ask(other.serviceUrl, '/service_cookie_transfer/', { headers })).status).toBe(404)
  })

  it.each([
    ['cobrowse.shop.localhost', 404],
    ['cobrowse.third.localhost', 421],
  ])('has a service that runs as %s: %i for a session that doesn’t exist', async (host, status) => {
    const headers = { Host: `${host}:${servicePort}` }
    expect((await ask(demo.serviceUrl, '/_widget/sessions/none', { headers })).status).toBe(status)
  })

  it('breaks no other point than the first on purpose', async () => {
    expect((await breakPoint('yes')).status).toBe(303)
    expect(await outcomesAt('/service_cookie_transfer/x')).not.toEqual(ALL_PASS)
    expect(await outcomesAt('/checkout/service_cookie_transfer/x')).toEqual(ALL_PASS)
    expect((await breakPoint('no')).status).toBe(303)
  })

  it.each(['cross-site', 'same-site'])('breaks nothing for a form of a page that is %s', async (site) => {
    expect((await breakPoint('yes', { 'Sec-Fetch-Site': site })).status).toBe(403)
    expect(await outcomesAt('/service_cookie_transfer/x')).toEqual(ALL_PASS)
  })

  function breakPoint(broken: string, fields: Readonly<Record<string, string>> = {}) {
    return ask(`http://127.0.0.1:${port}`, '/break', {
      method: 'POST',
      headers: {
        Host: `www.shop.localhost:${port}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        ...fields,
      },
      body: `broken=${broken}`,
    })
  }

  function askSite(target: string, host: string) {
    const headers = { Host: `${host}:${port}`, Accept: 'application/json' }
    return ask(`http://127.0.0.1:${port}`, target, { headers })
  }

  async function outcomesAt(target: string): Promise<readonly string[]> {
    const { checks } = JSON.parse((await askSite(target, 'www.shop.localhost')).text)
    return checks.map(({ outcome }: { outcome: string }) => outcome)
  }
})

const ALL_PASS = Array(4).fill('pass')
