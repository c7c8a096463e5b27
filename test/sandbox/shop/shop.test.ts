import { describe, expect, it } from 'vitest'
import { aShop } from './a-shop.ts'

const shop = aShop()
const ask = (path: string, Cookie = '') => shop.request(path, { headers: { Cookie } })

describe('the demo shop', () => {
  it('sets two httpOnly cookies, on / and on /checkout, and one that a script reads', async () => {
    expect((await ask('/')).headers.getSetCookie()).toEqual([
      expect.stringMatching(/^shop_session=robin\.[0-9a-f-]{36}; Path=\/; HttpOnly; SameSite=Lax$/),
      'shop_basket=oak-lamp; Path=/checkout; HttpOnly; SameSite=Lax',
      'shop_theme=warm; Path=/; SameSite=Lax',
    ])
  })

  it('keeps a session that it started, and leaves its basket and look alone: a session may have changed them', async () => {
    const answer = await ask('/', 'shop_session=begun')
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^shop_session=begun;/)])
  })

  it('lets its home page alone reach the points that the widget calls, and the service', async () => {
    const policies = await Promise.all(
      ['/', '/checkout'].map(async (path) => (await ask(path)).headers.get('content-security-policy') ?? ''),
    )
    expect(policies.map((policy) => /connect-src ([^;]*)/.exec(policy)?.[1])).toEqual([
      "'self' http://www.shop.localhost:8080 http://pay.shop.localhost:8080 http://cobrowse.shop.localhost:9090",
      "'self'",
    ])
  })

  it.each([
    ['/checkout', 'shop_basket=oak-lamp', 200, 'Oak table lamp'],
    ['/checkout/', 'shop_basket=reading-arm', 200, 'Reading arm'],
    ['/checkout', 'shop_basket=<b>', 200, 'Your basket is empty'],
    ['/other', '', 404, 'There is no such page'],
  ])('%s with Cookie "%s" answers %i', async (path, cookie, status, text) => {
    const answer = await ask(path, cookie)
    expect(answer.status).toBe(status)
    expect(await answer.text()).toContain(text)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    [
      'shop_session=robin-business; shop_basket=reading-arm; shop_theme=cool',
      ['Robin, business account', 'Reading arm, € 156', 'cool'],
    ],
    ['shop_session=<b>; shop_basket=<b>; shop_theme=<b>', ['nobody', 'empty', 'warm']],
  ])('reads the cookies "%s" as %j', async (cookie, [account, basket, look]) => {
    expect(await (await ask('/checkout/visit', cookie)).json()).toEqual({ account, basket, look })
    const page = await (await ask('/checkout', cookie)).text()
    expect(page).toContain(`<body data-look="${look}">`)
    expect(page).toContain(`<dd>${account}</dd>`)
  })

  it('escapes its configuration', async () => {
    const odd = aShop(['http://x.localhost/"><img>/'])
    expect(await (await odd.request('/')).text()).not.toContain('<img>')
  })
})
