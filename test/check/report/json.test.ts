import { describe, expect, it } from 'vitest'
import { render, renderPieces } from '../../../src/check/report/formats.ts'
import { withoutColour } from '../../../src/text/paint.ts'
import { prefix } from '../a-config.ts'
import { aReport, hostileConfig, hostileText } from './a-report.ts'

const www = `https://www.example.com${prefix}`

describe('the JSON of schemaVersion 1', () => {
  const report = aReport({
    points: [www, `http://intranet.example.com${prefix}`],
    pages: ['https://www.example.net/'],
    cookies: [{ name: 'sid', domain: '.example.com', path: '/' }],
    suppress: [{ rule: 'url/plain-http', reason: 'moves in May' }],
  })
  const document = JSON.parse(render(report, 'json', withoutColour))
  const checks: readonly { id: string; outcome: string; because?: string; cause?: string }[] = document.checks

  it('has these members, in this order', () => {
    expect(Object.keys(document).slice(0, 7)).toEqual([
      'schemaVersion',
      'tool',
      'mode',
      'exitCode',
      'summary',
      'checks',
      'cookies',
    ])
    expect(document).toMatchObject({
      schemaVersion: 1,
      tool: { name: 'continuation-point', version: '1.2.3', suffixList: 'tldts 4.5.6' },
      mode: 'offline',
      exitCode: 1,
    })
    expect(document.cookies).toEqual([
      { name: 'sid', domain: '.example.com', path: '/', verdict: 'not-sent', sentTo: [] },
    ])
  })

  it('counts every check once', () => {
    const counts: Record<string, number> = document.summary
    expect(Object.keys(counts)).toEqual([
      'error',
      'warning',
      'info',
      'inconclusive',
      'skipped',
      'pass',
      'suppressed',
    ])
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(document.checks.length)
    expect(counts.suppressed).toBe(1)
    expect(document.checks).toContainEqual(
      expect.objectContaining({ id: 'url/plain-http', suppressed: { reason: 'moves in May' } }),
    )
  })

  it('has all members of a failed check', () => {
    const check = checks.find(({ id, outcome }) => id === 'url/cross-site' && outcome === 'fail')
    expect(check).toEqual({
      id: 'url/cross-site',
      outcome: 'fail',
      severity: 'error',
      subject: { point: www },
      message: 'No page is on the site example.com, so the widget ignores this point',
      fix: `Put it on the page's site, as in https://www.example.net${prefix}, or add the page that uses it to "pages"`,
      evidence: { site: 'example.com', pageSites: ['example.net'] },
      cause: expect.stringMatching(/^url\/cross-site:[0-9a-f]{8}$/),
      location: { file: 'config.json', line: 1, column: 1, pointer: '/points/0' },
    })
  })

  it('names the rule that a skipped or failed check depends on', () => {
    expect(checks).toContainEqual(
      expect.objectContaining({ id: 'page/no-point', outcome: 'fail', because: 'url/cross-site' }),
    )
    expect(checks).toContainEqual(
      expect.objectContaining({ id: 'url/mixed-content', outcome: 'skipped', because: 'url/cross-site' }),
    )
    expect(document.summary.error).toBeGreaterThan(2)
  })

  it('gives related checks the same cause, and the others none', () => {
    const [root] = checks.filter(({ id, outcome }) => id === 'url/cross-site' && outcome === 'fail')
    const hanging = checks.filter(({ because }) => because === 'url/cross-site')
    expect(hanging.length).toBeGreaterThan(3)
    for (const { cause } of hanging) expect(cause).toMatch(/^url\/cross-site:/)
    expect(hanging.map(({ cause }) => cause)).toContain(root?.cause)
    for (const { outcome, cause } of checks) if (outcome === 'pass') expect(cause).toBeUndefined()
  })

  it('names what was not checked', () => {
    expect(document.notJudged).toEqual([
      {
        what: 'what points and pages answer, and what the account says',
        why: 'the check was offline',
        next: 'leave out --offline',
      },
    ])
  })

  it.each([{}, { points: [www] }, { cookies: [{}], pages: ['https://www.example.com/'] }])(
    'has a line for each check: %j',
    (given) => {
      const text = render(aReport(given), 'json', withoutColour)
      const { checks } = JSON.parse(text)
      const lines = text.slice(text.indexOf('"checks": [\n') + 12, text.indexOf('\n  ],')).split('\n')
      expect(lines.map((line) => JSON.parse(line.replace(/,$/, '')))).toEqual(checks)
    },
  )

  it('comes in pieces, however large it is', () => {
    const points = Array.from({ length: 60 }, (_, index) => `https://www.example.com/${index}${prefix}`)
    const cookies = Array.from({ length: 60 }, (_, index) => ({ name: `c${index}` }))
    const pieces = [...renderPieces(aReport({ points, cookies }), 'json', withoutColour)]
    expect(pieces.length).toBeGreaterThan(5)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(50_000)
    expect(JSON.parse(pieces.join('')).cookies[59].sentTo).toHaveLength(60)
  })

  it('round-trips every value, however hostile', () => {
    const hostile = JSON.parse(render(aReport(hostileConfig), 'json', withoutColour))
    expect(hostile.cookies[0].name).toBe(hostileText)
  })
})
