import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Demo, startDemo } from '../src/cli/demo.ts'
import { launchBrowser, skipsBrowser } from './sandbox/support/chromium.ts'

interface Setup {
  readonly points: 'on' | 'off'
  readonly backTransfer: 'on' | 'off'
  readonly service: 'the shop’s domain' | 'its own domain'
}

const ALL_ON: Setup = { points: 'on', backTransfer: 'on', service: 'the shop’s domain' }

/** What the page's own script can carry, on every setup. */
const BY_WIDGET = [
  'shop_theme: Widget',
  'shop_wishlist: Widget',
  'shop_entered_at: Widget',
  'delivery_note: Widget',
]

describe.skipIf(skipsBrowser)('the story of a session, in Chromium', () => {
  let browser: Browser
  let demo: Demo
  let context: BrowserContext
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    browser = await launchBrowser()
    demo = await startDemo(0)
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    page = await context.newPage()
    complaints = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (!/^(?:http:\/\/[a-z.]+\.localhost:\d+\/|data:)/.test(request.url())) complaints.push(request.url())
    })
  })
  afterEach(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })

  it('carries HttpOnly cookies of both paths, through the points that receive them', async () => {
    await openSession(ALL_ON)
    expect(await headline()).toBe('The whole visit is in the session')
    expect(await carried()).toEqual(['shop_session: Point', 'shop_basket: Point', ...BY_WIDGET])
    expect(await row('shop_session').textContent()).toContain('sent it to /service_cookie_transfer/')
    expect(await row('shop_basket').textContent()).toContain('sent it to /checkout/service_cookie_transfer/')
    const [session] = await cookies('shop_session')
    expect(await row('shop_session').textContent()).toContain(session?.slice(0, 24))
  })

  it('lacks them while the points are off, and says so', async () => {
    await openSession({ ...ALL_ON, points: 'off' })
    expect(await headline()).toBe('2 cookies are missing')
    expect(await carried()).toEqual(['shop_session: Missing', 'shop_basket: Missing', ...BY_WIDGET])
    expect(await row('shop_basket').textContent()).toContain('the continuation points are off')
    expect(await page.getByRole('button', { name: 'globe pendant' }).isDisabled()).toBe(true)
  })

  it('brings changed cookies back when it ends, on both paths, and the shop knows them', async () => {
    await openSession(ALL_ON)
    await changeCookies()
    await endSession()
    expect(await headline()).toBe('Over, and 3 cookies went back')
    expect(await row('shop_basket').textContent()).toContain(
      'sent back through /checkout/service_cookie_transfer/',
    )
    expect(await jar()).toEqual([
      'shop_basket=globe-pendant; Path=/checkout; HttpOnly; SameSite=Lax',
      'shop_session=signed-in-anew; Path=/; HttpOnly; SameSite=Lax',
      'shop_theme=cool; Path=/; SameSite=Lax',
    ])
    await page.getByRole('link', { name: 'Open www.shop.localhost' }).click()
    await page.getByRole('link', { name: 'Checkout', exact: true }).click()
    await page.getByText('In your basket: Globe pendant').waitFor()
  })

  it.each<[Partial<Setup>, RegExp]>([
    [{ backTransfer: 'off' }, /Back-transfer is off/],
    [{ service: 'its own domain' }, /runs as app\.cobrowse\.localhost, which is not under shop\.localhost/],
    [{ service: 'its own domain', backTransfer: 'off' }, /Back-transfer is off/],
  ])('leaves the shop’s cookies alone with %o, and says why', async (setup, reason) => {
    await openSession({ ...ALL_ON, ...setup })
    expect(await carried()).toEqual(['shop_session: Point', 'shop_basket: Point', ...BY_WIDGET])
    const before = await jar()
    await changeCookies()
    expect(await page.locator('main').textContent()).toMatch(reason)
    await endSession()
    expect(await headline()).toBe('Over, and 3 changed cookies stayed behind')
    expect(await page.locator('.lead').textContent()).toMatch(reason)
    expect(await jar()).toEqual(before)
  })

  it('has nothing to bring back while the points are off', async () => {
    await openSession({ ...ALL_ON, points: 'off' })
    const before = await jar()
    await page.getByRole('button', { name: 'Choose the cool look' }).click()
    await page.getByText('Changed in the session.').waitFor()
    await endSession()
    expect(await page.locator('.lead').textContent()).toContain('The continuation points are off')
    expect(await jar()).toEqual(before)
  })

  it.each([
    ['www.shop.localhost', 'www.other.localhost'],
    ['www.other.localhost', 'www.shop.localhost'],
  ])('on %s it calls the points of that site and ignores those of %s', async (here, there) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/service_cookie_transfer/')) asked.push(new URL(request.url()).hostname)
    })
    await openSession(ALL_ON, `http://${here}:${new URL(demo.siteOrigin).port}/`)
    expect(asked).toEqual(Array(6).fill(here))
    expect(await carried()).toEqual(['shop_session: Point', 'shop_basket: Point', ...BY_WIDGET])
    expect(await hostsOf('data-point')).toEqual([here, here])
    expect(await hostsOf('data-ignored')).toEqual([there, there])
  })

  it('is told by the keyboard alone, and each step is announced', async () => {
    await page.goto(`${demo.siteOrigin}/`)
    await page.getByRole('switch', { name: 'Continuation points.' }).focus()
    await page.keyboard.press('Space')
    expect(await page.getByRole('switch', { name: 'Continuation points.' }).isChecked()).toBe(false)
    for (const _ of ['back-transfer', 'service', 'start']) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'No continuation point was called' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'What the session has' }).waitFor()
    expect(await page.getByRole('rowheader', { name: 'shop_session' }).count()).toBe(1)
  })

  it.each([390, 1280])('does not scroll sideways at %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await openSession(ALL_ON)
    await changeCookies()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.goto(`${demo.siteOrigin}/`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  it('says which check failed when a point is not set up', async () => {
    const broken = await startDemo(0, 'not-the-key')
    try {
      await openSession(ALL_ON, `${broken.siteOrigin}/`)
      expect(await carried()).toEqual(['shop_session: Missing', 'shop_basket: Missing', ...BY_WIDGET])
      await page.goBack()
      await page.getByRole('button', { name: 'Start session' }).click()
      await page.getByText('The service knows no widget key').first().waitFor()
    } finally {
      await broken.close()
    }
  })

  async function openSession(
    { points, backTransfer, service }: Setup,
    url = `${demo.siteOrigin}/`,
  ): Promise<void> {
    await page.goto(url)
    await page.getByRole('switch', { name: 'Continuation points.' }).setChecked(points === 'on')
    await page.getByRole('switch', { name: 'Back-transfer.' }).setChecked(backTransfer === 'on')
    const label = service === 'its own domain' ? 'under a domain of its own' : 'under this shop’s own domain'
    await page.getByRole('radio', { name: label }).check()
    await page.getByRole('button', { name: 'Start session' }).click()
    await page.getByRole('link', { name: 'Open the session' }).click()
    await page.getByRole('heading', { name: 'What the session has' }).waitFor()
  }

  async function changeCookies(): Promise<void> {
    for (const [index, name] of ['globe pendant', 'Sign in anew', 'cool look'].entries()) {
      await page.getByRole('button', { name }).click()
      await page.getByText('Changed in the session.').nth(index).waitFor()
    }
  }

  async function endSession(): Promise<void> {
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('heading', { name: 'Back to the customer’s page' }).waitFor()
  }

  function headline(): Promise<string | null> {
    return page.getByRole('heading', { level: 1 }).textContent()
  }

  /** `NAME: WAY` of each row. */
  function carried(): Promise<string[]> {
    return page
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map(
          (each) => `${each.getAttribute('data-name')}: ${each.querySelector('.way')?.textContent ?? ''}`,
        ),
      )
  }

  function row(name: string) {
    return page.locator(`tr[data-name="${name}"]`)
  }

  async function hostsOf(attribute: string): Promise<string[]> {
    const items = await page.locator(`[${attribute}]`).all()
    const urls = await Promise.all(items.map((item) => item.getAttribute(attribute)))
    return urls.map((url) => new URL(url ?? '').hostname)
  }

  async function cookies(name: string): Promise<string[]> {
    const all = await context.cookies()
    return all.filter((cookie) => cookie.name === name).map(({ value }) => value)
  }

  /** Every cookie of the browser, as Set-Cookie would write it. */
  async function jar(): Promise<string[]> {
    const all = await context.cookies()
    return all
      .map(
        ({ name, value, path, httpOnly, sameSite }) =>
          `${name}=${value}; Path=${path}${httpOnly ? '; HttpOnly' : ''}; SameSite=${sameSite}`,
      )
      .sort()
  }
})
