import { describe, expect, it } from 'vitest'
import { groupByCause } from '../../src/check/causes.ts'
import type { Finding } from '../../src/check/finding.ts'
import { type Given, prefix } from './a-config.ts'
import { aFinding } from './a-finding.ts'
import { checkGiven } from './check-given.ts'

const points = ['https://a.example.com', 'https://b.example.com', 'https://c.example.com'].map(
  (origin) => `${origin}${prefix}`,
)

describe('causes', () => {
  it('are one if a rule says the same of several points', () => {
    const [cause, ...others] = groupByCause(points.map((point) => aFinding({ subject: { point } })))
    expect(others).toEqual([])
    expect(cause?.findings.map(({ subject }) => subject)).toEqual(points.map((point) => ({ point })))
  })

  it.each<[string, Partial<Finding>]>([
    ['says something else', { topic: 'something else' }],
    ['is another rule', { id: 'live/tls' }],
    ['is milder', { severity: 'warning' }],
  ])('are two if a failure %s', (_what, other) => {
    expect(groupByCause([aFinding({}), aFinding(other)])).toHaveLength(2)
  })

  it('are one if the topic is the same, whatever the message', () => {
    expect(
      groupByCause(['a is down', 'b is down'].map((message) => aFinding({ message, topic: 'down' }))),
    ).toHaveLength(1)
  })

  it('are one for all rules that are inconclusive for the same reason', () => {
    const unclear = { outcome: 'inconclusive', topic: 'no answer' } as const
    const findings = ['live/forwarded', 'live/origin', 'live/methods'].map((id) =>
      aFinding({ ...unclear, id }),
    )
    expect(groupByCause(findings).map((cause) => cause.findings.length)).toEqual([3])
  })

  it('contain their consequences, and what was skipped because of them', () => {
    const root = aFinding({})
    const follows = aFinding({ id: 'page/no-point', because: root.id, topic: 'x' })
    const waits = aFinding({ id: 'live/origin', because: root.id, outcome: 'skipped' })
    expect(groupByCause([root, follows, waits])).toMatchObject([
      {
        findings: [{ id: root.id }],
        consequences: [{ id: 'page/no-point' }],
        waiting: [{ id: 'live/origin' }],
      },
    ])
  })

  it('are one if rules suggest the same change of a URL', () => {
    const url = 'https://www.example.com/service_cookie_transfer/'
    const fix = { what: `Add ${url} to "points"`, url, lines: [] }
    const page = aFinding({ id: 'page/no-point', fix })
    const cookie = aFinding({ id: 'cookie/never-sent', fix })
    expect(groupByCause([page, cookie])).toMatchObject([
      { findings: [{ id: 'page/no-point' }], consequences: [{ id: 'cookie/never-sent' }] },
    ])
    const general = [page, cookie].map((finding) => ({
      ...finding,
      fix: { what: 'Correct the config', lines: [] },
    }))
    expect(groupByCause(general)).toHaveLength(2)
  })

  it('are sorted: errors, warnings, inconclusive ones, notes', () => {
    const kinds: readonly Partial<Finding>[] = [
      { severity: 'info' },
      { outcome: 'inconclusive' },
      { severity: 'warning' },
      { severity: 'error' },
    ]
    const causes = groupByCause(kinds.map((kind, index) => aFinding({ ...kind, topic: `${index}` })))
    expect(causes.map(({ findings: [first] }) => first.topic)).toEqual(['3', '2', '1', '0'])
  })

  it('exclude what passed and what is accepted', () => {
    expect(
      groupByCause([aFinding({ outcome: 'pass' }), aFinding({ suppressed: { reason: 'known' } })]),
    ).toEqual([])
  })

  it('have ids that are stable from run to run, and unique', () => {
    const findings = [aFinding({}), aFinding({ topic: 'y' }), aFinding({ outcome: 'inconclusive' })]
    const ids = groupByCause(findings).map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(groupByCause([...findings]).map(({ id }) => id)).toEqual(ids)
    for (const id of ids) expect(id).toMatch(/^live\/connect:[0-9a-f]{8}$/)
  })
})

describe('what was not judged', () => {
  const page = 'https://a.example.com/'
  const all: Given = { points, pages: [page], cookies: [{}], service: 'https://cobrowse.example.net' }
  it.each<[string, Given, readonly string[], readonly string[]]>([
    ['nothing but the network', all, [], ['the check was offline']],
    ['no cookies', { ...all, cookies: [] }, [], ['the config lists no "cookies"', 'the check was offline']],
    ['no pages', { ...all, pages: [] }, [], ['no pages are given', 'the check was offline']],
    ['rules that were not wanted', { points }, ['url/prefix'], []],
    [
      'a service that is the placeholder of init, on a real site',
      { ...all, points: [`https://www.shop.de${prefix}`] },
      [],
      ['cobrowse.example.net is a name reserved for examples', 'the check was offline'],
    ],
    [
      'a service of a real name',
      { ...all, points: [`https://www.shop.de${prefix}`], service: 'https://cobrowse.myexample.net' },
      [],
      ['the check was offline'],
    ],
  ])('%s', (_what, given, only, whys) => {
    const { notJudged } = checkGiven(given, { only })
    expect(notJudged.map(({ why }) => why)).toEqual(whys)
  })

  it.each([
    [undefined, 'the config names no service'],
    ['https://cobrowse.example.net', 'it was not asked'],
  ])('the account, where the service is %s', (service, why) => {
    const { notJudged } = checkGiven({ ...all, service: service ?? '' }, {}, { live: new Map() })
    expect(notJudged.map((each) => each.why)).toEqual([why])
  })
})
