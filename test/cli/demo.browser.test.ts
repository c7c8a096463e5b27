import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemo } from '../../src/cli/demo.ts'
import { launchBrowser, skipsBrowser } from '../sandbox/support/chromium.ts'
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

  it('prints the address of each site and of each verification page', async () => {
    const { port } = new URL(siteOrigin)
    const printed = program.stdout().match(/http:\/\/\S+\.localhost\S*/g)
    expect(printed).toEqual([
      `${siteOrigin}/`,
      expect.stringMatching(/^http:\/\/app\.cobrowse\.localhost:\d+\/join\?agent_token=[0-9a-z]{32}$/),
      `${siteOrigin}/service_cookie_transfer/`,
      `${siteOrigin}/checkout/service_cookie_transfer/`,
      `http://www.other.localhost:${port}/`,
    ])
  })

  it('carries the httpOnly cookies of both paths once the shop was visited', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${siteOrigin}/`)
    const answer = await page.goto(`${siteOrigin}/checkout/service_cookie_transfer/store`)
    const body: { received: { cookies: { name: string }[] } } | undefined = await answer?.json()
    const seen = body?.received.cookies.map(({ name }) => name).sort()
    await context.close()
    expect(seen).toEqual(['shop_basket', 'shop_session', 'shop_theme'])
  })

  it('shows a red box that says how to fix a wrong widget key', async () => {
    const demo = await startDemo(0, 'not-the-key')
    try {
      const page = await browser.newPage()
      await page.goto(`${demo.siteOrigin}/service_cookie_transfer/`)
      await page.locator('[data-check="origin"][data-outcome="pass"]').waitFor()
      const box = page.locator('[data-check="widget-key"]')
      expect(await box.getAttribute('data-outcome')).toBe('fail')
      await box.locator('button, summary').first().click()
      expect(await box.textContent()).toMatch(/widget key/i)
      for (const check of ['forwarded', 'origin']) {
        expect(await page.locator(`[data-check="${check}"]`).getAttribute('data-outcome')).toBe('pass')
      }
      await page.close()
    } finally {
      await demo.close()
    }
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
