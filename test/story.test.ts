import { readdirSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../src/api/index.ts'
import { demoParts } from '../src/cli/demo.ts'
import { startDemo } from '../src/sandbox/demo.ts'
import { fakeIo } from './cli/fake-io.ts'
import { launchBrowser, skipsBrowser } from './sandbox/support/chromium.ts'
import { findViolations } from './support/axe.ts'
import { openFolderOfTest } from './support/folder.ts'
import { endAfterTest, openForTest } from './support/open-for-test.ts'
import { runProgram, startProgram } from './support/program.ts'

/** The shop's cookies once every step of a session came back. */
const CHANGED = [
  'shop_basket=globe-pendant; Path=/checkout; HttpOnly; SameSite=Lax',
  'shop_session=robin-business; Path=/; HttpOnly; SameSite=Lax',
  'shop_theme=cool; Path=/; SameSite=Lax',
]

/** What the page's own script can carry, on every setup. */
const BY_WIDGET = [
  'shop_theme: Widget',
  'shop_wishlist: Widget',
  'shop_entered_at: Widget',
  'delivery_note: Widget',
]

describe.skipIf(skipsBrowser)('the story of a session, in Chromium', () => {
  let browser: Browser
  let demo: Awaited<ReturnType<typeof startDemo>>
  let context: BrowserContext
  /** The tab of the customer's page. */
  let shop: Page
  /** The window that the test looks at, the visitor's once there is a session. */
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    browser = await launchBrowser()
    demo = await startDemo(demoParts(fakeIo()), { port: 0 })
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    complaints = []
    watch(context)
    shop = await context.newPage()
    page = shop
  })
  afterEach(async () => {
    await context.close()
    for (const { id } of await rest().sessions.list({ active_session: true })) await rest().sessions.end(id)
    await rest().options.change({ cookie_transfer_proxying: true, enable_cookie_backtransfer: true })
    expect(complaints).toEqual([])
  })

  it('carries HttpOnly cookies of both paths, through the points that receive them', async () => {
    await openSession()
    expect(await headline()).toBe('The whole visit is in the session')
    expect(await carried()).toEqual(['shop_session: Point', 'shop_basket: Point', ...BY_WIDGET])
    expect(await row('shop_session').textContent()).toContain('sent it to /service_cookie_transfer/')
    expect(await row('shop_basket').textContent()).toContain('sent it to /checkout/service_cookie_transfer/')
    const session = (await context.cookies()).find(({ name }) => name === 'shop_session')
    expect(await row('shop_session').textContent()).toContain(session?.value.slice(0, 24))
  })

  it('shows the shop’s own page as the agent sees it, beside the one that the widget alone would show', async () => {
    await openSession()
    expect(await seen('session')).toEqual(['Hello, Robin', 'Robin', 'Oak table lamp, € 89', 'warm'])
    expect(await seen('widget')).toEqual(['You are signed out', 'nobody', 'empty', 'warm'])
    await changeCookies()
    expect(await seen('session')).toEqual([
      'Hello, Robin, business account',
      ...['Robin, business account', 'Globe pendant, € 124', 'cool'],
    ])
  })

  it('misses them while the points are off, says so, and has nothing to bring back', async () => {
    await rest().options.change({ cookie_transfer_proxying: false })
    await openSession()
    expect(await page.locator('iframe').count()).toBe(1)
    expect(await seen('widget')).toEqual(['You are signed out', 'nobody', 'empty', 'warm'])
    expect(await headline()).toBe('2 cookies are missing')
    expect(await carried()).toEqual(['shop_session: Missing', 'shop_basket: Missing', ...BY_WIDGET])
    expect(await row('shop_basket').textContent()).toContain('cookie_transfer_proxying is off')
    expect(await page.getByRole('button', { name: 'into the basket' }).isDisabled()).toBe(true)
    const before = await jar()
    await page.getByRole('button', { name: 'Choose the cool look' }).click()
    await page.getByText('Changed in the session.').waitFor()
    await endSession()
    expect(await page.locator('.lead').textContent()).toContain('cookie_transfer_proxying is off')
    expect(await jar()).toEqual(before)
  })

  it('brings changed cookies back when it ends, on both paths, and the shop knows them', async () => {
    await openSession()
    await changeCookies()
    await endSession()
    expect(await headline()).toBe('The session is over, and 3 cookies went back')
    expect(await shop.getByRole('status').textContent()).toBe(
      'The session has started. 2 of 2 continuation points brought cookies along.',
    )
    expect(await row('shop_basket').textContent()).toContain(
      'sent back through /checkout/service_cookie_transfer/',
    )
    expect(await jar()).toEqual(CHANGED)
    await page.getByRole('link', { name: 'Open www.shop.localhost' }).click()
    await page.getByRole('link', { name: 'Checkout', exact: true }).click()
    await page.getByText('In your basket: Globe pendant').waitFor()
  })

  it('is one session in two windows: the agent joins by PIN, changes cookies and ends it, and they come back', async () => {
    const desk = await openForTest(browser.newContext())
    watch(desk)
    await openSession()
    const agent = await desk.newPage()
    await agent.goto(demo.joinUrl)
    await agent.getByLabel('PIN').fill((await page.locator('.pin').textContent()) ?? '')
    await agent.getByRole('button', { name: 'Join' }).click()
    await agent.getByRole('heading', { name: 'The whole visit is in the session' }).waitFor()
    await page.getByText('Ada, agent, follows').waitFor()
    const [running] = await rest().sessions.list({ active_session: true })
    expect(running).toMatchObject({ agent_id: 1, participant_num: 2, queued: true, end_time: null })
    const before = await jar()
    await changeCookies(agent)
    await page.getByText('Changed in the session.').nth(2).waitFor()
    expect(await jar()).toEqual(before)
    await agent.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('heading', { name: 'The session is over, and 3 cookies went back' }).waitFor()
    await shop.bringToFront()
    await agent.getByRole('heading', { name: 'The session is over, and 3 cookies went back' }).waitFor()
    expect(await jar()).toEqual(CHANGED)
    expect(await desk.cookies()).toEqual([])
    await agent.getByText('in the customer’s browser, not in this one').waitFor()
    expect(await agent.getByRole('link', { name: 'Open www.shop.localhost' }).count()).toBe(0)
    await shop
      .locator('[data-visit="account"][data-changed]')
      .filter({ hasText: 'business account' })
      .waitFor()
    await shop.locator('[data-visit="basket"][data-changed]').filter({ hasText: 'Globe pendant' }).waitFor()
    await shop.locator('body[data-look="cool"]').waitFor()
    const mark = `getComputedStyle(document.querySelector('[data-changed] dt'), '::after').content`
    expect(await shop.evaluate(mark)).toBe('" – just changed"')
    const [over] = await rest().sessions.list({ pin: running?.pin ?? '' })
    expect(over).toMatchObject({ id: running?.id, agent_id: 1, end_time: expect.any(String) })
  })

  it('has changed cookies come back too when the visitor’s window is alone and the API ends the session', async () => {
    await openSession()
    await changeCookies()
    const [running] = await rest().sessions.list({ active_session: true })
    await rest().sessions.end(running?.id ?? '')
    await page.getByRole('heading', { name: 'The session is over, and 3 cookies went back' }).waitFor()
    expect(await jar()).toEqual(CHANGED)
  })

  it('leaves the shop’s cookies alone while back-transfer is off, and says why', async () => {
    await rest().options.change({ enable_cookie_backtransfer: false })
    await openSession()
    expect(await carried()).toEqual(['shop_session: Point', 'shop_basket: Point', ...BY_WIDGET])
    const before = await jar()
    await changeCookies()
    expect(await page.locator('main').textContent()).toContain('enable_cookie_backtransfer is off')
    await endSession()
    expect(await headline()).toBe('The session is over, and 3 changed cookies did not go back')
    expect(await page.locator('.lead').textContent()).toContain('enable_cookie_backtransfer is off')
    expect(await jar()).toEqual(before)
  })

  it('can be followed with the keyboard only, and each step is announced', async () => {
    await page.goto(`${demo.siteOrigin}/`)
    await page.getByRole('button', { name: 'Start session' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: '2 of 2 continuation points' }).waitFor()
    const stops = ['agent', 'visitor']
    for (const _ of stops) await page.keyboard.press('Tab')
    await followLink(() => page.keyboard.press('Enter'))
    await page.getByRole('table', { name: 'What the session has' }).waitFor()
    expect(await page.getByRole('rowheader', { name: 'shop_session' }).count()).toBe(1)
  })

  it.each([390, 1280])('does not scroll sideways at %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await openSession()
    await changeCookies()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.goto(`${demo.siteOrigin}/`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  it('says which check failed when a point is not set up', async () => {
    const broken = await openForTest(startDemo(demoParts(fakeIo()), { port: 0, widgetKey: 'not-the-key' }))
    await openSession(`${broken.siteOrigin}/`)
    expect(await carried()).toEqual(['shop_session: Missing', 'shop_basket: Missing', ...BY_WIDGET])
    await shop.getByText('The service knows no widget key').first().waitFor()
  })

  it('is rehearsed by the line that demo says, whose config is one in which check finds nothing', async () => {
    const said = endAfterTest(startProgram(['demo', '--port', '0']))
    const [, words = ''] = await said.printed(/continuation-point (rehearse http:.*)\n/)
    const folder = openFolderOfTest()
    const line = `${words} --headless --no-sandbox --output ${folder}/out --write ${folder}/config.json`
    const ran = await runProgram(line.split(' '), { env: { TMPDIR: folder } })
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toMatch(
      /^✔ With two continuation points an agent sees what the visitor sees; without them a visitor who is signed out\.\n/,
    )
    expect(ran.stdout.trimEnd().split('\n').at(-1)).toContain(`${folder}/out/report.html`)
    // Without a home, Chromium has a hidden folder there.
    const left = readdirSync(folder).filter((name) => !name.startsWith('.'))
    expect(left.sort()).toEqual(['config.json', 'out'])
    const { stdout } = await runProgram(['check', '--offline', '--config', `${folder}/config.json`])
    expect(stdout).toContain('no findings')
    const report = await openForTest(browser.newPage())
    const asked: string[] = []
    report.on('request', (request) => asked.push(request.url()))
    await report.goto(`file://${folder}/out/report.html`)
    await report.locator('img').first().click()
    for (const width of [390, 1280]) {
      await report.setViewportSize({ width, height: 800 })
      expect(await report.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await findViolations(report)).toEqual([])
    }
    expect(asked.filter((url) => /^(?:https?|wss?):/.test(url))).toEqual([])
    const drawn = 'Array.from(document.images, ({ naturalWidth, width }) => [naturalWidth, width > 1279])'
    expect(await report.evaluate(drawn)).toEqual([true, false, false].map((isLarge) => [1280, isLarge]))
  }, 120_000)

  async function openSession(url = `${demo.siteOrigin}/`): Promise<void> {
    await page.goto(url)
    await page.getByRole('button', { name: 'Start session' }).click()
    await followLink(() => page.getByRole('link', { name: 'Open your window' }).click())
    await page.getByRole('heading', { name: 'What the session has' }).waitFor()
  }

  /** Makes what opens another tab the window to look at. */
  async function followLink(open: () => Promise<void>): Promise<void> {
    const opened = context.waitForEvent('page')
    await open()
    page = await opened
  }

  async function changeCookies(window = page): Promise<void> {
    for (const [index, name] of ['into the basket', 'business account', 'cool look'].entries()) {
      await window.getByRole('button', { name }).click()
      await window.getByText('Changed in the session.').nth(index).waitFor()
    }
  }

  /** Notes whatever goes wrong in a browser's tabs, or leaves this machine. */
  function watch(watched: BrowserContext): void {
    watched.on('weberror', (error) => complaints.push(error.error().message))
    watched.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    watched.on('request', (request) => {
      if (!/^(?:http:\/\/[a-z.]+\.localhost:\d+\/|data:)/.test(request.url())) complaints.push(request.url())
    })
  }

  async function endSession(): Promise<void> {
    await page.getByRole('button', { name: 'End session' }).click()
    await page
      .getByRole('heading', { level: 1, name: /^(?:Over|The session is over)(?!.*(?:wait|yet))/ })
      .waitFor()
  }

  /** Headline, account, basket and look of the shop's page in the window. */
  function seen(view: string): Promise<string[]> {
    const frame = page.frameLocator(`[data-view="${view}"] iframe`)
    return frame.locator('h1, [data-visit] dd').allTextContents()
  }

  function rest() {
    return createClient({ baseUrl: `${demo.serviceUrl}/v2`, apiKey: 'demo-api-key' })
  }

  function headline(): Promise<string | null> {
    return page.getByRole('heading', { level: 1 }).textContent()
  }

  /** `NAME: WAY` of each row. */
  async function carried(): Promise<string[]> {
    const rows = await page.locator('tbody tr').all()
    return Promise.all(
      rows.map(async (each) => {
        return `${await each.getAttribute('data-name')}: ${await each.locator('.way').textContent()}`
      }),
    )
  }

  function row(name: string) {
    return page.locator(`tr[data-name="${name}"]`)
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
