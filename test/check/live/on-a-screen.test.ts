import { expect, it } from 'vitest'
import { renderPretty } from '../../../src/check/report/pretty.ts'
import { withoutColour } from '../../../src/text/paint.ts'
import { replacing } from '../../support/front-ends/faults.ts'
import type { Faults } from '../../support/front-ends/front-end.ts'
import { prefix } from '../a-config.ts'
import { toReport } from '../report/a-report.ts'
import { checkBehind, openSandbox } from './live-check.ts'

const screen = { columns: 80, lines: 24 }

const sandbox = await openSandbox()

const service502: Faults = { answer: () => ({ status: 502, fields: ['Content-Type', 'text/html'] }) }

it.each<[string, Faults, RegExp, readonly string[]]>([
  [
    'a 502 for everything',
    service502,
    /^✖ error live\/forwarded {2}at 3 places\n/,
    [
      'Your web server answers 502 itself',
      'sent GET /service_cookie_transfer/',
      'answer 502, text/html',
      'fix Start what it forwards to',
    ],
  ],
  [
    'an encoded slash that is decoded',
    replacing('a%2Fb', 'a/b'),
    /^✖ error live\/methods {2}at 3 places\n/,
    ['the path arrives decoded or re-encoded', 'sent …', 'check/a%2Fb/', 'arrived …', 'check/a/b/'],
  ],
])('one mistake at three points is one block on one screen: %s', async (_what, faults, first, shown) => {
  const text = await printed(faults, sandbox.url)
  expect(text).toMatch(first)
  expect(text.match(/^[✖▲]/gm)).toHaveLength(1)
  for (const words of shown) expect(text.replace(/\s+/g, ' ')).toContain(words)
  expectOneScreen(text)
})

it('a service that is down is one reason, named once', async () => {
  const text = await printed(service502, 'http://127.0.0.1:1')
  expect(text).toMatch(
    /^Not judged\n {2}\? The service itself does not answer, so there is nothing to compare with: the\n/,
  )
  expect(text.replace(/\s+/g, ' ')).toContain('(13 live rules at 3 points: live/')
  expect(text.match(/does not answer/g)).toHaveLength(1)
  // Nothing failed: what is proven, and what is left.
  expect(text).toMatch(/\nNext: see above why 39 checks could not be judged\.\n$/)
  expectOneScreen(text)
})

/** What the terminal shows for three points behind one front end. */
async function printed(faults: Faults, service: string): Promise<string> {
  const paths = ['/', '/shop', '/checkout']
  const result = await checkBehind(sandbox, { faults }, (origin) => ({
    points: paths.map((path) => `${origin}${path === '/' ? '' : path}${prefix}`),
    pages: [`${origin}/`],
    cookies: paths.map((path) => ({ domain: 'www.shop.localhost', path })),
    service,
    widgetKey: 'demo-widget-key',
  }))
  return renderPretty({ ...toReport(result), mode: 'live' }, withoutColour, screen.columns)
}

function expectOneScreen(text: string): void {
  const lines = text.trimEnd().split('\n')
  expect({ text, lines: Math.min(lines.length, screen.lines) }).toEqual({ text, lines: lines.length })
  const wide = lines.filter((line) => line.length > screen.columns)
  expect(wide.filter((line) => line.trim().split(/ +/).length > 2)).toEqual([])
}
