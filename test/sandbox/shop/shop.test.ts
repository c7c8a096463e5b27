import { describe, expect, it } from 'vitest'
import { createShop } from '../../../src/sandbox/shop/shop.ts'
import { shopScopes } from '../../../src/sandbox/shop/shop-cookies.ts'

const shop = createShop({
  points: [
    { url: 'http://www.shop.localhost:8080/service_cookie_transfer/', cookiePath: '/' },
    { url: 'http://www.shop.localhost:8080/checkout/service_cookie_transfer/', cookiePath: '/checkout' },
  ],
})

const widgetShop = createShop({
  points: [],
  sister: { name: 'Birch & Beam', url: 'http://www.other.localhost:8080/' },
  widget: {
    widgetKey: 'demo-widget-key',
    pageUrl: 'http://www.shop.localhost:8080/',
    pointUrls: [
      'http://www.shop.localhost:8080/service_cookie_transfer/',
      'http://pay.shop.localhost:8080/service_cookie_transfer/',
      'http://www.other.localhost:8080/service_cookie_transfer/',
    ],
    services: [{ origin: 'http://cobrowse.shop.localhost:9090', label: 'here' }],
    steps: [],
  },
})

describe('the demo shop', () => {
  it('sets two httpOnly cookies, on / and on /checkout, and one that a script reads', async () => {
    const lines = (await shop.request('/')).headers.getSetCookie()
    expect(lines).toEqual([
      expect.stringMatching(/^shop_session=robin\.[0-9a-f-]{36}; Path=\/; HttpOnly; SameSite=Lax$/),
      'shop_basket=oak-lamp; Path=/checkout; HttpOnly; SameSite=Lax',
      'shop_theme=warm; Path=/; SameSite=Lax',
    ])
  })

  it('keeps a session that it started', async () => {
    const answer = await shop.request('/', { headers: { Cookie: 'shop_session=begun' } })
    expect(answer.headers.getSetCookie()[0]).toMatch(/^shop_session=begun;/)
  })

  it('leaves the basket and the look of a known visitor alone: a session may have changed them', async () => {
    const answer = await shop.request('/', { headers: { Cookie: 'shop_session=begun' } })
    expect(answer.headers.getSetCookie()).toHaveLength(1)
  })

  it('contacts nothing but itself without a widget', async () => {
    const answer = await shop.request('/')
    expect(answer.headers.get('content-security-policy')?.split('; ')).toContain("connect-src 'self'")
    expect(await answer.text()).not.toContain('id="widget-form"')
  })

  it('lets its home page reach the points that the widget calls, and the service', async () => {
    const answer = await widgetShop.request('/')
    expect(answer.headers.get('content-security-policy')?.split('; ')).toContain(
      "connect-src 'self' http://www.shop.localhost:8080 http://pay.shop.localhost:8080 http://cobrowse.shop.localhost:9090",
    )
    const checkout = await widgetShop.request('/checkout')
    expect(checkout.headers.get('content-security-policy')?.split('; ')).toContain("connect-src 'self'")
  })

  it('leads to the site whose points the widget ignores', async () => {
    const text = await (await widgetShop.request('/')).text()
    expect(text).toContain('<a href="http://www.other.localhost:8080/">Birch &amp; Beam</a>')
  })

  it('links to the verification page of each point', async () => {
    const text = await (await shop.request('/')).text()
    expect([...text.matchAll(/class="action" href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'http://www.shop.localhost:8080/service_cookie_transfer/',
      'http://www.shop.localhost:8080/checkout/service_cookie_transfer/',
    ])
  })

  it.each([
    ['/checkout', 'shop_basket=oak-lamp', 200, 'Oak table lamp'],
    ['/checkout/', 'shop_basket=reading-arm', 200, 'Reading arm'],
    ['/checkout', 'shop_basket=<b>', 200, 'Your basket is empty'],
    ['/checkout', '', 200, 'Your basket is empty'],
    ['/other', '', 404, 'There is no such page'],
  ])('%s with Cookie "%s" answers %i', async (path, Cookie, status, text) => {
    const answer = await shop.request(path, { headers: { Cookie } })
    expect(answer.status).toBe(status)
    expect(await answer.text()).toContain(text)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    [
      'shop_session=robin.1; shop_basket=oak-lamp; shop_theme=warm',
      ['Robin', 'Oak table lamp, € 89', 'warm'],
    ],
    [
      'shop_session=robin-business; shop_basket=lounge-chair; shop_theme=cool',
      ['Robin, business account', 'Lounge chair, € 420', 'cool'],
    ],
    ['', ['nobody', 'empty', 'warm']],
    ['shop_session=<b>; shop_basket=<b>; shop_theme=<b>', ['nobody', 'empty', 'warm']],
  ])('reads the cookies "%s" as %j', async (Cookie, [account, basket, look]) => {
    const visit = await (await shop.request('/checkout/visit', { headers: { Cookie } })).json()
    expect(visit).toEqual({ account, basket, look })
    const page = await (await shop.request('/checkout', { headers: { Cookie } })).text()
    expect(page).toContain(`<body data-brand="oak" data-look="${look}">`)
    expect(page).toContain(`<dd>${account}</dd>`)
  })

  it('has nothing to break unless it is configured', async () => {
    expect(await (await shop.request('/')).text()).not.toContain('action="/break"')
    expect((await shop.request('/break', { method: 'POST' })).status).toBe(404)
  })

  it('escapes its configuration', async () => {
    const odd = createShop({ points: [{ url: 'http://x.localhost/"><img>/', cookiePath: '/"><img>' }] })
    expect(await (await odd.request('/')).text()).not.toContain('<img>')
  })

  it('knows the scopes to list for its cookies', () => {
    expect(shopScopes('www.shop.localhost')).toEqual([
      { name: 'shop_session', domain: 'www.shop.localhost', path: '/', httponly: true },
      { name: 'shop_basket', domain: 'www.shop.localhost', path: '/checkout', httponly: true },
      { name: 'shop_theme', domain: 'www.shop.localhost', path: '/', httponly: false },
    ])
  })
})
