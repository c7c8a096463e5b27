import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { createShop } from '../../../src/sandbox/shop/shop.ts'
import { demoAccount } from '../../../src/sandbox/state/account.ts'
import { launchBrowser, skipsBrowser } from '../support/chromium.ts'
import { CONTINUATION, type FrontEnd, startFrontEnd } from '../support/front-end.ts'

describe.skipIf(skipsBrowser)('the demo shop in Chromium', () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let sandbox: Sandbox
  let frontEnd: FrontEnd
  let origin: string

  beforeAll(async () => {
    browser = await launchBrowser()
    sandbox = await startSandbox()
    const site = new Hono()
    const listener = getRequestListener(site.fetch, { overrideGlobalObjects: false })
    frontEnd = await startFrontEnd(
      sandbox.url,
      (host) => ({ 'X-Widget-Key': 'demo-widget-key', 'X-Continuation-Origin': `http://${host}` }),
      listener,
    )
    origin = `http://www.shop.localhost:${frontEnd.port}`
    const points = [
      { url: `${origin}${CONTINUATION}`, cookiePath: '/' },
      { url: `${origin}/checkout${CONTINUATION}`, cookiePath: '/checkout' },
    ]
    site.route('/', createShop({ points }))
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: points.map(({ url }) => url) }))
    context = await browser.newContext()
    page = await context.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await frontEnd?.close()
    await sandbox?.close()
  })

  it('shows that a script reads only the cookie without HttpOnly', async () => {
    await page.goto(`${origin}/`)
    expect(await page.locator('#readable').textContent()).toBe('shop_theme=warm')
    expect(await page.locator('[data-cookie]').allTextContents()).toEqual([
      'cannot see it',
      'cannot see it',
      'reads it',
    ])
  })

  it.each([
    [0, ['shop_session', 'shop_theme']],
    [1, ['shop_basket', 'shop_session', 'shop_theme']],
  ])(
    'leads to a verification page where all passes and every cookie arrived: point %i',
    async (nth, names) => {
      await page.goto(`${origin}/`)
      await page.getByText('See what the service sees').click()
      await page.getByRole('link', { name: 'Open the verification page' }).nth(nth).click()
      await page.getByRole('heading', { name: 'All checks passed' }).waitFor()
      expect(await page.locator('.chips code').allTextContents()).toEqual(names)
    },
  )

  it('knows the basket at the checkout', async () => {
    await page.goto(`${origin}/`)
    await page.getByRole('link', { name: 'Checkout', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello, Robin', level: 1 }).waitFor()
    expect(await page.locator('.lead').textContent()).toContain('Oak table lamp')
  })

  it.each([390, 1280])('does not scroll sideways at %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${origin}/`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})
