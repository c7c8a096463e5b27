import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { CONTINUATION, type FrontEnd, startFrontEnd, withField } from '../../support/front-ends/front-end.ts'
import { launchBrowser, skipsBrowser } from '../support/chromium.ts'

describe.skipIf(skipsBrowser)('the verification page in Chromium', () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let sandbox: Sandbox
  let frontEnd: FrontEnd
  /** A field that the front end sets otherwise than it should. */
  let wrong: readonly [name: string, value: string] | undefined
  let origin: string

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  beforeEach(async () => {
    sandbox = await startSandbox()
    wrong = undefined
    frontEnd = await startFrontEnd(sandbox.url, {
      faults: { request: ({ fields }) => (wrong ? { fields: withField(fields, ...wrong) } : {}) },
    })
    origin = frontEnd.origin
    sandbox.setAccount(
      demoAccount({
        cookie_transfer_urls: [`${origin}${CONTINUATION}`, `${origin}/checkout${CONTINUATION}`],
      }),
    )
    context = await browser.newContext()
    page = await context.newPage()
  })
  afterEach(async () => {
    await context.close()
    await frontEnd.close()
    await sandbox.close()
  })

  it.each(['', '/checkout'])('is all green on a correct setup with cookie path "%s"', async (cookiePath) => {
    await page.goto(`${origin}${cookiePath}${CONTINUATION}?query#fragment`)
    expect(await outcomes(page)).toEqual(ALL_PASS)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('All checks passed')
    expect(await page.title()).toContain('All checks passed')
    expect(await page.locator('.help:visible, .waiting:visible').count()).toBe(0)
  })

  it('turns green on reload once the setup is fixed', async () => {
    wrong = ['X-Widget-Key', 'another-widget-key']
    await page.goto(`${origin}${CONTINUATION}`)
    expect(await outcomes(page)).toEqual({ ...ALL_PASS, 'widget-key': 'fail', allowed: 'fail' })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('2 of 4 checks failed')
    wrong = undefined
    await page.reload()
    expect(await outcomes(page)).toEqual(ALL_PASS)
  })

  it('lets the browser compare the origin that arrived with its own', async () => {
    wrong = ['X-Continuation-Origin', origin.replace('http:', 'https:')]
    sandbox.setAccount(
      demoAccount({ cookie_transfer_urls: [`${origin.replace('http:', 'https:')}${CONTINUATION}`] }),
    )
    await page.goto(`${origin}${CONTINUATION}`)
    expect(await outcomes(page)).toEqual({ ...ALL_PASS, origin: 'fail', allowed: 'fail' })
    expect(await description(page, 'origin')).toContain(`but your browser requested ${origin}.`)
    expect(await page.locator('[data-check=origin] summary').isVisible()).toBe(true)
  })

  it('lets the browser compare the URL that it requested with the listed ones', async () => {
    await page.goto(`${origin}/other${CONTINUATION}`)
    expect(await outcomes(page)).toEqual({ ...ALL_PASS, allowed: 'fail' })
    expect(await description(page, 'allowed')).toContain(
      `Your browser requested ${origin}/other${CONTINUATION}.`,
    )
  })

  it('opens the instructions of a failed box from the keyboard', async () => {
    wrong = ['X-Widget-Key', 'another-widget-key']
    await page.goto(`${origin}${CONTINUATION}`)
    const help = page.locator('[data-check=widget-key] .help-text')
    expect(await help.isVisible()).toBe(false)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await help.isVisible()).toBe(true)
    expect(await page.locator('summary:focus').textContent()).toBe('?How to fix this: Widget key')
    await page.keyboard.press('Enter')
    expect(await help.isVisible()).toBe(false)
  })

  it('sets no cookie, requests nothing else and obeys its own policy', async () => {
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${origin}${CONTINUATION}`, { waitUntil: 'networkidle' })
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`${origin}${CONTINUATION}`])
    expect(complaints).toEqual([])
    expect(await context.cookies()).toEqual([])
  })

  it('says in text what is undecided while scripts are off', async () => {
    const quiet = await browser.newContext({ javaScriptEnabled: false })
    const still = await quiet.newPage()
    await still.goto(`${origin}${CONTINUATION}`)
    expect(await still.getByRole('heading', { level: 1 }).textContent()).toBe(
      '2 passed, 2 wait for your browser',
    )
    for (const check of ['origin', 'allowed']) {
      const box = still.locator(`[data-check=${check}]`)
      expect(await box.locator('.outcome').textContent()).toBe('Waiting')
      expect(await box.textContent()).toContain('Scripts are off')
    }
    await quiet.close()
  })

  it('does not scroll sideways on a phone', async () => {
    wrong = ['X-Continuation-Origin', `https://${'long-label.'.repeat(20)}example`]
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${origin}${CONTINUATION}`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})

function outcomes(page: Page): Promise<Record<string, string>> {
  return page.evaluate(
    `Object.fromEntries([...document.querySelectorAll('[data-check]')].map(({ dataset }) => [dataset.check, dataset.outcome]))`,
  )
}

function description(page: Page, check: string): Promise<string | null> {
  return page.locator(`[data-check=${check}] .description`).textContent()
}

const ALL_PASS = { forwarded: 'pass', origin: 'pass', 'widget-key': 'pass', allowed: 'pass' }
