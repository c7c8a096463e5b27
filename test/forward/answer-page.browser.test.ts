import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toAnswer } from '../../src/forward/answer.ts'
import { FAILURES, type FailureKind } from '../../src/forward/failure.ts'
import { isPoint, type Point, parsePoint } from '../../src/points/point.ts'
import { launchBrowser, skipsBrowser } from '../sandbox/support/chromium.ts'

const URL_OF_POINT = 'https://www.example.com/service_cookie_transfer/'
/** A name without a place to break, markup in it: a client decides what arrives. */
const LONG = `${'a'.repeat(60)}.<b>${'b'.repeat(180)}`

describe.skipIf(skipsBrowser)('our own pages in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it.each(['light', 'dark'] as const)('fit a phone and can be read: %s', async (colorScheme) => {
    const context = await browser.newContext({ colorScheme, viewport: { width: 390, height: 800 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    for (const [kind, pointRoot] of FORMS) {
      await open(page, kind, pointRoot)
      expect(await page.evaluate('document.documentElement.scrollWidth'), kind).toBe(390)
      expect(await page.locator('b').count()).toBe(0)
      expect(await page.locator('.next').innerText()).toContain(FAILURES[kind].next)
      expect(await page.evaluate(LOWEST_CONTRAST), kind).toBeGreaterThanOrEqual(4.5)
    }
    // The page asks for nothing; what the policy would forbid is in the console.
    expect(complaints).toEqual([])
    await context.close()
  })
})

async function open(page: Page, kind: FailureKind, pointRoot: Point | undefined): Promise<void> {
  const asker = {
    method: 'GET',
    accept: ['text/html'],
    pointRoot,
    addressed: { authority: LONG, scheme: undefined },
  }
  const { status, fields, body } = toAnswer(kind, 'b3b1f0de-8f0d-4e0e-9df6-3c6e3d1c8b57', asker)
  const headers = Object.fromEntries(
    fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] ?? '']] : [])),
  )
  await page.unroute('**')
  // No icon is requested: only the document is served.
  await page.route('**', (route) =>
    route.fulfill({ status: 200, headers: { ...headers, 'X-Status': `${status}` }, body }),
  )
  await page.goto(URL_OF_POINT)
}

function pointOf(url: string): Point {
  const point = parsePoint(url, '/service_cookie_transfer/')
  if (!isPoint(point)) throw new Error('It is no point')
  return point
}

const FORMS: readonly (readonly [kind: FailureKind, pointRoot: Point | undefined])[] = [
  ['unknown-authority', undefined],
  ['bad-forwarding', undefined],
  ['upstream-unreachable', pointOf(URL_OF_POINT)],
]

/** WCAG 2.2, contrast ratio: of every text on its nearest background. */
const LOWEST_CONTRAST = `(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number)
  const luminance = ([r, g, b]) => {
    const [R, G, B] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    return 0.2126 * R + 0.7152 * G + 0.0722 * B
  }
  const background = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor)
      if (colour.length === 3 || colour[3] === 1) return colour
    }
    return [255, 255, 255]
  }
  const ratios = [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .map((element) => {
      const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(background(element))]
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    })
  return Math.min(...ratios)
})()`
