import { describe, expect, it } from 'vitest'
import { gatherOfflineFacts } from '../../../src/check/offline-facts.ts'
import { renderHtml } from '../../../src/check/report/html.ts'
import { traceRoutes } from '../../../src/check/routes.ts'
import { aConfig, type Given, prefix } from '../a-config.ts'
import { aFinding } from '../a-finding.ts'
import { aReport, manyReport } from './a-report.ts'

const www = `https://www.example.com${prefix}`
const pay = `https://pay.example.com${prefix}`
const pages = ['https://www.example.com/', 'https://pay.example.com/']
const sid = { name: 'sid', domain: 'www.example.com' }

describe('the map', () => {
  it.each<[string, Given, Readonly<Record<string, number>>]>([
    ['all travels', { points: [www, pay], pages, cookies: [sid] }, { travels: 5, depends: 0, broken: 0 }],
    [
      'a cookie path is not covered',
      { points: [www], pages, cookies: [{ ...sid, path: '/shop' }] },
      { travels: 2, depends: 0, broken: 1 },
    ],
    [
      'a point is bad',
      { points: [www, `http://old.example.com${prefix}`], pages, cookies: [sid] },
      { travels: 3, depends: 0, broken: 2 },
    ],
    [
      'the scheme decides',
      { points: [`http://www.example.com${prefix}`], pages: ['http://www.example.com/'], cookies: [sid] },
      { travels: 1, depends: 1, broken: 0 },
    ],
    [
      'nothing is on the host',
      { points: [www], pages, cookies: [{ domain: 'x.org' }] },
      { travels: 2, broken: 0 },
    ],
    [
      'a point is listed twice',
      { points: [www, www], pages: pages.slice(0, 1), cookies: [sid] },
      { travels: 2 },
    ],
  ])('has a line for each connection: %s', (_what, given, counts) => {
    const html = renderHtml(aReport(given))
    for (const svg of picturesOf(html)) {
      for (const [state, count] of Object.entries(counts)) {
        expect([state, svg.match(new RegExp(`<path class="${state}"`, 'g'))?.length ?? 0]).toEqual([
          state,
          count,
        ])
      }
      expect(svg.match(/class="cross"/g)?.length ?? 0).toBe(counts.broken ?? 0)
    }
    for (const [state, count] of Object.entries(counts))
      expect(html.match(new RegExp(`<td class="${state}">`, 'g'))?.length ?? 0).toBe(count)
  })

  it('says as text what its lines show', () => {
    const html = renderHtml(aReport({ points: [www], pages, cookies: [{ ...sid, path: '/shop' }] }))
    const labels = picturesOf(html).map((svg) => /^<svg [^>]*role="img" aria-label="([^"]*)"/.exec(svg)?.[1])
    const label = 'Map from 2 pages through 1 point to 1 cookie: 1 broken route, 1 cookie not sent.'
    expect(labels).toEqual([`${label} The table below says the same.`])
    expect(rowsOf(html)).toEqual([
      'sid www.example.com /shop|✖ not sent|✖',
      `${pages[1]} page||✔`,
      `${pages[0]} page||✔`,
    ])
  })

  it('lists in the table what no line reaches', () => {
    const html = renderHtml(
      aReport({ points: [`https://www.example.net${prefix}`], pages: pages.slice(0, 1), cookies: [sid] }),
    )
    expect(rowsOf(html)).toEqual([
      'sid www.example.com /|✖ not sent|',
      'https://www.example.com/ page|calls no point|',
    ])
  })

  it.each([
    ['good', { points: [www], pages: pages.slice(0, 1), cookies: [sid] }, ['good', 'good', 'good']],
    ['bad', { points: [www.slice(0, -1)], cookies: [sid] }, ['bad', 'bad']],
    ['unsure', { points: [`http://www.example.com${prefix}`], cookies: [sid] }, ['unsure', 'unsure']],
  ])('marks what is %s', (_state, given, states) => {
    const [svg = ''] = picturesOf(renderHtml(aReport(given)))
    expect([...svg.matchAll(/<g class="(\w+)">/g)].map(([, state]) => state)).toEqual(states)
  })

  it.each([
    ['4 points and 8 cookies', 4, 8, 1],
    ['5 points', 5, 8, 0],
    ['9 cookies', 4, 9, 0],
  ])('gives way to the table where it would be a tangle: %s', (_what, points, cookies, pictures) => {
    const html = renderHtml(aSite(points, cookies))
    expect(picturesOf(html)).toHaveLength(pictures)
    expect(html.includes('<summary>Show as a table</summary>')).toBe(pictures > 0)
    const rows = rowsOf(html)
    expect(rows).toHaveLength(points + cookies)
    expect(rows[0]).toBe(`c0 s0.example.com /|✔ sent|✔${'|'.repeat(points - 1)}`)
  })

  it('has the worst first, and says of which point', () => {
    const html = renderHtml(manyReport)
    const [, head] = /<thead>.*?<th scope="col" class="bad">(.*?)<\/th>/s.exec(html) ?? []
    expect(head).toMatch(/^point \/service_.*>pay\.<.*<br>✖ failing$/)
    const verdicts = rowsOf(html).map((row) => row.split('|')[1] ?? '')
    expect(verdicts.lastIndexOf('✖ not sent')).toBeLessThan(verdicts.indexOf('✔ sent'))
  })

  it('says how many it leaves out, and stays within a bound', () => {
    const html = renderHtml(aSite(300, 300))
    expect(html).toContain('And 276 more points')
    expect(html.match(/<th scope="row">and 100 more<\/th>/g)).toHaveLength(2)
    expect(html.match(/<td/g)?.length).toBeLessThan(2 * 201 * 25 + 10)
  })

  it('is uncertain where it is inconclusive whether a point reaches the service', () => {
    const facts = gatherOfflineFacts(aConfig({ points: [www, pay], pages, cookies: [sid] }))
    const location = facts.points[0]?.location
    const unclear = aFinding({
      id: 'live/forwarded',
      outcome: 'inconclusive',
      subject: { point: www },
      location,
    })
    const { calls, carries, points } = traceRoutes(facts, [unclear])
    expect(points.map(({ state }) => state)).toEqual(['unsure', 'good'])
    expect(calls.map(({ to, state }) => [to, state])).toEqual([
      [0, 'depends'],
      [1, 'travels'],
      [0, 'depends'],
      [1, 'travels'],
    ])
    expect(carries).toEqual([{ from: 0, to: 0, state: 'depends' }])
  })

  it('is absent without points and cookies', () => {
    expect(renderHtml(aReport({ pages }))).not.toContain('Which point carries which cookie')
  })
})

describe('the page around it', () => {
  const html = renderHtml(aReport({ points: [www], pages, cookies: [sid] }))

  it('says when it was made', () => {
    expect(html).toContain('<time datetime="2026-11-22T08:30:00.000Z">2026-11-22 08:30 UTC</time>')
  })

  it('folds what passed, each check once', () => {
    const [before, rest = ''] = html.split('<h2>Every other check</h2>')
    expect(rest).toMatch(/<summary>\d+ passed<\/summary>[\s\S]*<summary>\d+ skipped<\/summary>/)
    expect(rest.match(/page\/invalid<\/code> <span class="extent">2 times</g)).toHaveLength(1)
    expect(before).not.toContain('data-outcome="pass"')
  })

  it('folds the points of a cause past the tenth, and leaves none out', () => {
    const points = Array.from({ length: 40 }, (_, index) => `http://s${index}.example.com${prefix}`)
    const [block = ''] =
      renderHtml(aReport({ points })).match(/<section class="cause warning">[\s\S]*?<\/section>/) ?? []
    expect(block.match(/data-check="url\/plain-http"/g)).toHaveLength(40)
    const open = block.replace(/<details><summary class="extent">and 30 more[\s\S]*?<\/details>/, '')
    expect(open.match(/data-check="url\/plain-http"/g)).toHaveLength(10)
  })

  it('says what was not judged before the rest', () => {
    expect(html.indexOf('<h2>Not judged</h2>')).toBeLessThan(
      html.indexOf('<h2>Which point carries which cookie</h2>'),
    )
    expect(html).toContain('<h1>One error to fix</h1>')
    const clean = renderHtml(aReport({ points: [www], pages: pages.slice(0, 1), cookies: [sid] }))
    expect(clean).toContain('<h1>No errors in what was checked</h1>')
  })
})

function picturesOf(html: string): readonly string[] {
  return [...html.matchAll(/<svg [\s\S]*?<\/svg>/g)].map(([svg]) => svg)
}

/** A site with this many points on hosts of their own, each with a page, and cookies for them. */
function aSite(points: number, cookies: number) {
  const hosts = Array.from({ length: points }, (_, at) => `s${at}.example.com`)
  return aReport({
    points: hosts.map((host) => `https://${host}${prefix}`),
    pages: hosts.map((host) => `https://${host}/`),
    cookies: Array.from({ length: cookies }, (_, at) => ({
      name: `c${at}`,
      domain: hosts[at % points] ?? '',
    })),
  })
}

/** The rows of the table as text, with a line between cells. */
function rowsOf(html: string): readonly string[] {
  const [, ...rows] = html.match(/<tr[\s\S]*?<\/tr>/g) ?? []
  return rows.map((row) =>
    row
      .replace(/<\/t[hd]>(?=<)/g, '|')
      .replace(/<[^>]*>/g, '')
      .replace(/\|$/, ''),
  )
}
