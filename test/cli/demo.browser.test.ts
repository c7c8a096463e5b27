import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, skipsBrowser } from '../sandbox/support/chromium.ts'
import { findViolations } from '../support/axe.ts'
import { type Program, startProgram } from '../support/program.ts'

const CHECKS = ['forwarded', 'origin', 'widget-key', 'allowed']

describe.skipIf(skipsBrowser)('the demo in Chromium', () => {
  let browser: Browser
  let program: Program
  let siteOrigin: string

  beforeAll(async () => {
    browser = await launchBrowser()
    program = startProgram(['demo', '--port', '0'])
    const [, origin = ''] = await program.printed(/(http:\/\/www\.shop\.localhost:\d+)\/\s[\s\S]*Ctrl-C/)
    siteOrigin = origin
  })
  afterAll(async () => {
    await browser.close()
    program.signal('SIGINT')
    expect(await program.ended()).toBe(0)
    expect(program.stderr()).toBe('')
  })

  it.each(['/service_cookie_transfer/', '/checkout/service_cookie_transfer/'])(
    'shows four green boxes at %s',
    async (path) => {
      const outcomes = await outcomesAt(browser, `${siteOrigin}${path}`)
      expect(outcomes).toEqual(CHECKS.map((check) => [check, 'pass']))
    },
  )

  it('prints the address of the shop and of each verification page', () => {
    const printed = program.stdout().match(/http:\/\/\S+\.localhost\S*/g)
    expect(printed).toEqual([
      `${siteOrigin}/`,
      expect.stringMatching(/^http:\/\/cobrowse\.shop\.localhost:\d+\/join\?agent_token=[0-9a-z]{32}$/),
      `${siteOrigin}/service_cookie_transfer/`,
      `${siteOrigin}/checkout/service_cookie_transfer/`,
      `${siteOrigin}/`,
      `${siteOrigin}/checkout`,
    ])
  })

  it('carries the httpOnly cookies of both paths', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${siteOrigin}/`)
    expect(await page.evaluate('document.cookie')).toBe('shop_theme=warm')
    await page.getByRole('link', { name: '/checkout/service_cookie_transfer/' }).click()
    await page.getByRole('heading', { name: 'All checks passed' }).waitFor()
    const arrived = await page.locator('.chips code').allTextContents()
    await context.close()
    expect(arrived).toEqual(['shop_basket', 'shop_session', 'shop_theme'])
  })

  it('tells its story in three steps, and opens the agent’s window without a PIN', async () => {
    const context = await browser.newContext()
    const complaints: string[] = []
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    const page = await context.newPage()
    await page.goto(`${siteOrigin}/`)
    expect(await page.locator('.story > li > h2').allTextContents()).toEqual([
      'Start a session',
      'Look at what the agent sees',
      'Break a point on purpose',
    ])
    expect(await page.locator('details[open]').count()).toBe(0)
    await page.getByRole('button', { name: 'Start session' }).click()
    const opened = context.waitForEvent('page')
    await page.getByText('The session has started').waitFor()
    const link = page.getByRole('link', { name: 'Open the agent’s window' })
    const address = await link.getAttribute('href')
    await page.reload()
    expect(await link.getAttribute('href')).toBe(address)
    await link.click()
    const agent = await opened
    await agent.getByText('Session window: Ada, agent').waitFor()
    const headline = (view: string) => agent.frameLocator(`[data-view="${view}"] iframe`).locator('h1')
    expect(await headline('session').textContent()).toBe('Hello, Robin')
    expect(await headline('widget').textContent()).toBe('You are signed out')
    for (const width of [390, 1280]) {
      await agent.setViewportSize({ width, height: 800 })
      expect(await agent.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    expect(complaints).toEqual([])
    const ownOpened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open your window of the session' }).click()
    const own = await ownOpened
    await own.getByRole('button', { name: 'End session' }).click()
    for (const each of [page, agent, own]) await each.getByText(/\d{4} \(expired\)/).waitFor()
    expect(await link.isVisible()).toBe(false)
    await context.close()
  })

  it('has no faults that axe finds, on a phone and on a desk', async () => {
    const page = await browser.newPage()
    await page.goto(`${siteOrigin}/`)
    await page.getByRole('button', { name: 'Start session' }).click()
    await page.getByText('The session has started').waitFor()
    const hrefs = await page.locator('#widget-session a').evaluateAll((links) => links.map(String))
    const paths = ['/', '/checkout', '/break/check', '/service_cookie_transfer/']
    const join = /http:\S+\/join\?\S+/.exec(program.stdout())?.[0] ?? ''
    for (const url of [...paths.map((path) => siteOrigin + path), join, ...hrefs]) {
      await page.goto(url)
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        expect([url, ...(await findViolations(page))]).toEqual([url])
      }
    }
    await page.close()
  }, 120_000)

  it('breaks a point on purpose, which leads to its red box and to the line of check', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
    await page.goto(`${siteOrigin}/`)
    await page.getByRole('button', { name: 'Send a wrong widget key' }).click()
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Show the failing check' }).click()
    const verification = await opened
    await verification.locator('[data-check="origin"][data-outcome="pass"]').waitFor()
    const box = verification.locator('[data-check="widget-key"]')
    expect(await box.getAttribute('data-outcome')).toBe('fail')
    await verification.close()
    await page.getByRole('link', { name: 'See what check says' }).click()
    const colours = await page.evaluate<[string, string][]>(
      "[...document.querySelectorAll('.report span')].map((span) => [span.textContent, getComputedStyle(span).color])",
    )
    const colourOf = (start: string) => colours.find(([text]) => text.startsWith(start))?.[1]
    expect(new Set(['✖ error', 'http://www', 'sent', 'fix'].map(colourOf)).size).toBe(4)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.getByRole('button', { name: 'Repair it' }).click()
    await page.getByRole('button', { name: 'Send a wrong widget key' }).waitFor()
    await page.close()
    const outcomes = await outcomesAt(browser, `${siteOrigin}/service_cookie_transfer/`)
    expect(outcomes).toEqual(CHECKS.map((check) => [check, 'pass']))
  })
})

async function outcomesAt(browser: Browser, url: string): Promise<(string | null)[][]> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.locator('[data-check="origin"][data-outcome="pass"]').waitFor()
  const boxes = await page.locator('[data-check]').all()
  const outcomes = await Promise.all(
    boxes.map(async (box) => [await box.getAttribute('data-check'), await box.getAttribute('data-outcome')]),
  )
  await page.close()
  return outcomes
}
