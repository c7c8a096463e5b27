import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderHtml } from '../../../src/check/report/html.ts'
import type { Report } from '../../../src/check/report/report.ts'
import { launchBrowser, skipsBrowser } from '../../sandbox/support/chromium.ts'
import { findViolations } from '../../support/axe.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { prefix } from '../a-config.ts'
import { accountReport, aReport, hostileConfig, manyReport } from './a-report.ts'

const long = `https://www.example.com/${'a/very/long/cookie/path/'.repeat(4)}`

const reports = {
  usual: aReport({
    points: [
      `http://www.example.co.uk${prefix}`,
      `https://shop.other.net${prefix.slice(0, -1)}`,
      `${long}${prefix.slice(1)}`,
    ],
    pages: ['https://www.example.com/', 'https://www.example.co.uk/', 'https://start.example.com/'],
    cookies: [
      {},
      { name: 'basket', domain: '.example.com', path: '/shop' },
      { name: '__Host-uk', domain: 'www.example.co.uk' },
    ],
  }),
  hostile: aReport(hostileConfig),
  account: accountReport,
  many: manyReport,
}

describe.skipIf(skipsBrowser)('the HTML report in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  const show = async (report: Report, width: number) => {
    const page = await openForTest(browser.newPage({ viewport: { width, height: 900 } }))
    await page.setContent(renderHtml(report))
    return page
  }

  it.each([
    ['a phone', 390, 'screen'],
    ['a desk', 1280, 'screen'],
    ['A4', 794, 'print'],
  ] as const)('is not wider than %s, with everything unfolded', async (_what, width, media) => {
    for (const [name, report] of Object.entries(reports)) {
      const page = await show(report, width)
      await page.emulateMedia({ media })
      await page.$$eval('details', (all) => {
        for (const each of all) each.setAttribute('open', '')
      })
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width])
    }
  })

  it.each([390, 1280])(
    'has no faults that axe finds, at a width of %i',
    async (width) => {
      for (const [name, report] of Object.entries(reports)) {
        const page = await show(report, width)
        expect([name, ...(await findViolations(page))]).toEqual([name])
      }
    },
    60_000,
  )

  it('gives what the account has most of the width of a phone', async () => {
    const page = await show(reports.account, 390)
    const widths = await page.evaluate(
      "[...document.querySelectorAll('.evidence dd')].map((each) => each.clientWidth)",
    )
    expect(widths).toHaveLength(2)
    for (const width of widths as number[]) expect(width).toBeGreaterThan(170)
  })

  it('keeps a short cell of the cookie table in one line', async () => {
    const page = await show(reports.usual, 1280)
    const lines =
      await page.evaluate(`[...document.querySelectorAll('tr.not-sent td, tr.sent td')].flatMap((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return cell.cellIndex < 3 ? [[cell.textContent, range.getClientRects().length]] : []
    })`)
    expect(lines).toContainEqual(['/shop', 1])
    expect(lines).toContainEqual(['www.example.co.uk', 1])
  })
})
