import { describe, expect, it } from 'vitest'
import type { Finding, Outcome, Severity } from '../../src/check/finding.ts'
import { advance, type Change, coalesce, formerOutcome, type Verdicts } from '../../src/monitor/verdicts.ts'
import { aFinding } from '../check/a-finding.ts'

type Step = Outcome | Severity | 'suppressed' | 'absent'

/** What a run finds, in one word: an outcome, or how bad a failure is. */
function findingsOf(step: Step): readonly Finding[] {
  if (step === 'absent') return []
  if (step === 'suppressed') return [aFinding({ suppressed: { reason: 'known' } })]
  if (step === 'error' || step === 'warning' || step === 'info') return [aFinding({ severity: step })]
  return [aFinding({ outcome: step })]
}

/** Plays runs, the first at 1 ms, the second at 2 ms…; gives the changes of each as `from>to`. */
function play(...steps: readonly Step[]) {
  let verdicts: Verdicts = new Map()
  const told: Change[][] = []
  for (const [index, step] of steps.entries()) {
    const next = advance(verdicts, findingsOf(step), index + 1)
    verdicts = next.verdicts
    told.push([...next.changes])
  }
  return { verdicts: [...verdicts.values()], told }
}

const words = (changes: readonly Change[]) =>
  changes.map((change) => {
    const { outcome, severity } = change.is
    return `${formerOutcome(change)}>${outcome === 'fail' ? severity : outcome}`
  })

describe('runs and what they change', () => {
  it.each<[readonly Step[], readonly string[]]>([
    [
      ['pass', 'error', 'error', 'pass', 'pass'],
      ['', 'pass>error', '', 'fail>pass', ''],
    ],
    // Inconclusive findings leave the verdict as it was.
    [
      ['error', 'inconclusive', 'error'],
      ['unknown>error', '', ''],
    ],
    [
      ['error', 'skipped', 'crashed', 'absent', 'pass'],
      ['unknown>error', '', '', '', 'fail>pass'],
    ],
    [
      ['inconclusive', 'pass', 'inconclusive', 'pass'],
      ['', '', '', ''],
    ],
    [
      ['inconclusive', 'error'],
      ['', 'unknown>error'],
    ],
    // A certificate that soon expires, and then has.
    [
      ['pass', 'warning', 'error', 'warning'],
      ['', 'pass>warning', 'fail>error', 'fail>warning'],
    ],
    [
      ['pass', 'info'],
      ['', 'pass>info'],
    ],
    [
      ['suppressed', 'error', 'suppressed'],
      ['', 'pass>error', 'fail>pass'],
    ],
  ])('%j', (steps, expected) => {
    expect(play(...steps).told.map((changes) => words(changes).join())).toEqual(expected)
  })

  it.each<[readonly Step[], string, number]>([
    [['error', 'inconclusive', 'skipped'], 'fail', 1],
    [['pass', 'pass', 'crashed'], 'pass', 2],
    [['pass', 'error', 'absent'], 'fail', 2],
  ])('after %j the verdict has the time of the run that gave it', (steps, outcome, judgedAtMs) => {
    expect(play(...steps).verdicts).toEqual([expect.objectContaining({ outcome, judgedAtMs })])
  })

  it('there is no verdict if no run was conclusive', () => {
    expect(play('skipped', 'inconclusive', 'crashed').verdicts).toEqual([])
  })

  it('a pass has nothing to fix', () => {
    expect(play('error', 'pass').verdicts).toMatchObject([{ outcome: 'pass', fix: undefined }])
    expect(play('suppressed').verdicts).toMatchObject([{ outcome: 'pass', fix: undefined }])
  })
})

describe('subjects', () => {
  const verdictsOf = (...findings: readonly Finding[]) => [
    ...advance(new Map(), findings, 1).verdicts.values(),
  ]

  it('have a verdict for each rule', () => {
    const other = { point: 'https://other.example.com/' }
    expect(verdictsOf(aFinding(), aFinding({ id: 'live/dns' }), aFinding({ subject: other }))).toHaveLength(3)
  })

  it('of two kinds are two, even with the same text', () => {
    const url = 'https://www.example.com/'
    expect(
      verdictsOf(aFinding({ subject: { point: url } }), aFinding({ subject: { page: url } })),
    ).toHaveLength(2)
  })

  it.each<[string, readonly Partial<Finding>[], string]>([
    ['fails after it passed', [{ outcome: 'pass' }, { outcome: 'fail' }], 'fail'],
    ['passes after it failed', [{ outcome: 'fail' }, { outcome: 'pass' }], 'fail'],
    ['is skipped', [{ outcome: 'pass' }, { outcome: 'skipped' }], 'pass'],
  ])('that are listed twice have the worse verdict: the second %s', (_what, findings, outcome) => {
    const places = findings.map((finding, i) =>
      aFinding({ ...finding, location: { file: 'config.json', pointer: `/points/${i}` } }),
    )
    expect(verdictsOf(...places)).toEqual([expect.objectContaining({ outcome })])
  })
})

describe('changes that were not delivered', () => {
  it.each<[readonly Step[], readonly string[]]>([
    [['pass', 'error'], ['pass>error']],
    [['pass', 'error', 'pass'], []],
    [['error', 'pass'], []],
    [['pass', 'error', 'pass', 'error'], ['pass>error']],
    [['pass', 'warning', 'error'], ['pass>error']],
    [['inconclusive', 'error', 'pass', 'warning'], ['pass>warning']],
  ])('of %j are %j', (steps, expected) => {
    const undelivered = play(...steps).told.reduce<readonly Change[]>(coalesce, [])
    expect(words(undelivered)).toEqual(expected)
  })

  it.each<[readonly Step[], readonly Step[], readonly string[]]>([
    [['error'], ['pass'], ['fail>pass']],
    [['error'], ['pass', 'error'], []],
    [['error'], ['warning', 'error'], []],
    [['error'], ['pass', 'warning'], ['fail>warning']],
  ])('of %j, then %j, %j remains', (before, after, expected) => {
    const { told } = play(...before, ...after)
    const undelivered = told.slice(before.length).reduce<readonly Change[]>(coalesce, [])
    expect(words(undelivered)).toEqual(expected)
  })

  it('of several rules stay apart', () => {
    const { changes } = advance(new Map(), [aFinding(), aFinding({ id: 'live/dns' })], 1)
    expect(coalesce(changes.slice(0, 1), changes.slice(1))).toHaveLength(2)
  })
})
