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
    120_000,
  )

  it('gives what the account has most of the width of a phone', async () => {
    const page = await show(reports.account, 390)
    const widths = await page.evaluate(
      "[...document.querySelectorAll('.evidence dd')].map((each) => each.clientWidth)",
    )
    expect(widths).toHaveLength(2)
    for (const width of widths as number[]) expect(width).toBeGreaterThan(170)
  })

  it('breaks no line inside a word, so that URLs break after a slash or a dot', async () => {
    for (const width of [390, 1280]) {
      const page = await show(reports.usual, width)
      expect(await page.evaluate(BROKEN_WORDS)).toEqual([])
    }
  })

  it.each([390, 1280])(
    'shows two points of a large table, and keeps its first column, at %i',
    async (width) => {
      const page = await show(reports.many, width)
      const right = (cell: string) =>
        page.evaluate<number>(`document.querySelector('${cell}').getBoundingClientRect().right`)
      const before = await right('tbody th')
      expect(await right('thead th:nth-child(4)')).toBeLessThan(width)
      await page.evaluate("document.querySelector('.scroll').scrollTo(9999, 9999)")
      expect(await right('tbody th')).toBe(before)
      expect(await right('thead th:last-child')).toBeLessThan(width)
      expect(await page.evaluate("document.querySelector('.scroll').scrollTop")).toBe(0)
    },
  )
})

/** Words that are on more than one line; a line may break where the markup says so, at spaces and hyphens. */
const BROKEN_WORDS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const broken = []
  while (texts.nextNode()) {
    const { data } = texts.currentNode
    for (const word of data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange()
      range.setStart(texts.currentNode, word.index)
      range.setEnd(texts.currentNode, word.index + word[0].length)
      const tops = new Set([...range.getClientRects()].map(({ top }) => top))
      if (tops.size > 1) broken.push(word[0])
    }
  }
  return broken
})()`
