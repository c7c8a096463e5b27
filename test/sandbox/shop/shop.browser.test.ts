import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/account.ts'
import { launchBrowser, skipsBrowser } from '../support/chromium.ts'
import { CONTINUATION, type FrontEnd, startFrontEnd } from '../support/front-end.ts'
import { aShop } from './a-shop.ts'

describe.skipIf(skipsBrowser)('the demo shop in Chromium', () => {
  let browser: Browser
  let page: Page
  let sandbox: Sandbox
  let frontEnd: FrontEnd

  beforeAll(async () => {
    browser = await launchBrowser()
    sandbox = await startSandbox()
    const site = new Hono()
    frontEnd = await startFrontEnd(
      sandbox.url,
      (host) => ({ 'X-Widget-Key': 'demo-widget-key', 'X-Continuation-Origin': `http://${host}` }),
      getRequestListener(site.fetch, { overrideGlobalObjects: false }),
    )
    const origin = `http://www.shop.localhost:${frontEnd.port}`
    const points = [`${origin}${CONTINUATION}`, `${origin}/checkout${CONTINUATION}`]
    site.route('/', aShop(points))
    sandbox.setAccount(demoAccount({ cookie_transfer_urls: points }))
    page = await (await browser.newContext({ baseURL: origin })).newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await frontEnd?.close()
    await sandbox?.close()
  })

  it('shows that a script reads only the cookie without HttpOnly', async () => {
    await page.goto('/')
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
  ])('leads to a verification page where all passes and every cookie arrived: %i', async (nth, names) => {
    await page.goto('/')
    await page.getByText('See what the service sees').click()
    await page.getByRole('link', { name: 'Open the verification page' }).nth(nth).click()
    await page.getByRole('heading', { name: 'All checks passed' }).waitFor()
    expect(await page.locator('.chips code').allTextContents()).toEqual(names)
  })

  it('knows the basket at the checkout', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Checkout', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello, Robin', level: 1 }).waitFor()
    expect(await page.locator('.lead').textContent()).toContain('Oak table lamp')
  })
})
