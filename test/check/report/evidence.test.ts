import { describe, expect, it } from 'vitest'
import { groupByCause } from '../../../src/check/causes.ts'
import type { Finding } from '../../../src/check/finding.ts'
import { describeEvidence } from '../../../src/check/report/evidence.ts'
import { FORMATS, render } from '../../../src/check/report/formats.ts'
import { renderHtml } from '../../../src/check/report/html.ts'
import { renderPretty } from '../../../src/check/report/pretty.ts'
import { withoutColour } from '../../../src/text/paint.ts'
import { prefix } from '../a-config.ts'
import { aFinding } from '../a-finding.ts'
import { accountReport, aReport } from './a-report.ts'

const long = `/service_cookie_transfer/check/${'x'.repeat(90)}`

it.each<[string, Finding['evidence'], readonly string[]]>([
  [
    'what was sent and what arrived',
    { sent: 'GET /a%2Fb', arrived: 'GET /a/b' },
    ['sent GET /a%2Fb', 'arrived GET /a/b'],
  ],
  [
    'what was expected',
    { arrived: ['http://a'], expected: 'https://a' },
    ['expected https://a', 'arrived http://a'],
  ],
  [
    'nothing, where nothing arrived',
    { sent: ['a=…', 'b=…'], arrived: [] },
    ['sent a=…, b=…', 'arrived nothing'],
  ],
  ['of lists what differs', { sent: ['a', 'b', 'c'], arrived: ['a', 'B', 'c'] }, ['sent b', 'arrived B']],
  ['of lists in another order all', { sent: ['a', 'b'], arrived: ['b', 'a'] }, ['sent a, b', 'arrived b, a']],
  [
    'what was added, beside what it was added to',
    { sent: ['a'], arrived: ['a', '*'] },
    ['sent a', 'arrived a, *'],
  ],
  [
    'of long lists the first',
    { sent: ['a', 'b', 'c', 'd', 'e'], arrived: [] },
    ['sent a, b, c, 2 more', 'arrived nothing'],
  ],
  [
    'of long texts the place where they part',
    { sent: `${long}a%2Fb`, arrived: `${long}a/b` },
    [`sent …${'x'.repeat(23)}a%2Fb`, `arrived …${'x'.repeat(23)}a/b`],
  ],
  ['facts with a readable name', { code: 'ECONNRESET', status: 502, noAnswer: 'x' }, ['code ECONNRESET']],
  ['nothing where there is none', {}, []],
  [
    'the changes of a setting',
    { config: true, account: false, observed: 'x', changes: ['+ backTransfer: true'] },
    ['+ backTransfer: true'],
  ],
  ['the changes of a list', { config: [], changes: ['+ a', '− b', '− c'] }, ['+ a', '− b', '− c']],
])('evidence in lines show %s', (_what, evidence, lines) => {
  expect(describeEvidence([aFinding({ evidence })]).map(({ label, text }) => `${label} ${text}`)).toEqual(
    lines,
  )
})

describe('what the account lacks and what it has too much', () => {
  const point = `https://www.example.com${prefix}`

  it('is one block in a terminal, with the command once', () => {
    const text = renderPretty(accountReport, withoutColour)
    expect(text).toContain(`  The account differs from the config
  +    ${point}
  −    https://www.example.com/<b>${prefix}
  why `)
    expect(text.match(/settings apply/g)).toHaveLength(1)
  })

  it('is listed in a page, escaped', () => {
    const html = renderHtml(accountReport).replaceAll('<wbr>', '')
    expect(html).toContain(
      `<dt>+</dt><dd>${point}</dd><dt>−</dt><dd>https://www.example.com/&lt;b&gt;${prefix}</dd>`,
    )
    expect(html).not.toContain('<b>')
    expect(html.match(/settings apply/g)?.length).toBeGreaterThan(0)
  })
})

describe.each(FORMATS.filter((format) => format !== 'sarif' && format !== 'prometheus'))('%s', (format) => {
  it('shows what was sent and what arrived, and lets no control character through', () => {
    const findings = [aFinding({ evidence: { sent: 'GET /one', arrived: 'GET /two\u001b[31m' } })]
    const report = aReport({})
    const result = { ...report.result, findings, causes: groupByCause(findings) }
    const text = render({ ...report, result }, format, withoutColour)
    expect(text).toContain('GET /one')
    expect(text).toContain('GET /two\\u001b[31m')
  })
})
