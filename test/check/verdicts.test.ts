import { describe, expect, it } from 'vitest'
import type { Finding, Outcome, Severity } from '../../src/check/finding.ts'
import { advance, type Change, dropGone, type Verdicts } from '../../src/check/verdicts.ts'
import { aFinding } from './a-finding.ts'

type Step = Outcome | Severity | 'suppressed' | 'absent'

/** What a run finds, in one word: an outcome, or how bad a failure is. */
function findingsOf(step: Step): readonly Finding[] {
  if (step === 'absent') return []
  if (step === 'suppressed') return [aFinding({ suppressed: { reason: 'known' } })]
  if (step === 'error' || step === 'warning' || step === 'info') return [aFinding({ severity: step })]
  return [aFinding({ outcome: step })]
}

/** Plays runs; gives the changes of each. */
function play(...steps: readonly Step[]) {
  let verdicts: Verdicts = new Map()
  const told: Change[][] = []
  for (const step of steps) {
    const next = advance(verdicts, findingsOf(step))
    verdicts = next.verdicts
    told.push([...next.changes])
  }
  return { verdicts: [...verdicts.values()], told }
}

const words = (changes: readonly Change[]) =>
  changes.map(({ was, is }) => {
    const { outcome, severity } = is
    return `${was?.outcome ?? 'unknown'}>${outcome === 'fail' ? severity : outcome}`
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

  it('there is no verdict if no run was conclusive', () => {
    expect(play('skipped', 'inconclusive', 'crashed').verdicts).toEqual([])
  })

  it('a pass has nothing to fix', () => {
    expect(play('error', 'pass').verdicts).toMatchObject([{ outcome: 'pass', fix: undefined }])
    expect(play('suppressed').verdicts).toMatchObject([{ outcome: 'pass', fix: undefined }])
  })
})

describe('subjects', () => {
  const verdictsOf = (...findings: readonly Finding[]) => [...advance(new Map(), findings).verdicts.values()]

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

it('a verdict is gone once a run has no finding of it, not if it can only not judge', () => {
  const { verdicts } = advance(new Map(), [aFinding(), aFinding({ id: 'live/dns' })])
  const { verdicts: left, gone } = dropGone(verdicts, [aFinding({ outcome: 'inconclusive' })])
  expect([...left.values()]).toMatchObject([{ rule: 'live/connect', outcome: 'fail' }])
  expect(gone).toMatchObject([{ rule: 'live/dns', outcome: 'fail' }])
})
