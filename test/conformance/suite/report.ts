import type { Paint } from '../../../src/text/paint.ts'
import type { Outcome } from './suite.ts'

export function tallyOf(outcomes: readonly Outcome[], level: Outcome['level']) {
  const ofLevel = outcomes.filter((each) => each.level === level)
  const passed = ofLevel.filter(({ outcome }) => outcome === 'pass').length
  return { passed, failed: ofLevel.length - passed }
}

/** For a terminal: the failed cases, `must` first, with what was expected and observed; then the counts. */
export function renderConformance(point: string, outcomes: readonly Outcome[], paint: Paint): string {
  const failed = (['must', 'should'] as const).flatMap((wanted) =>
    outcomes.filter(({ level, outcome }) => level === wanted && outcome === 'fail'),
  )
  const blocks = failed.map((each) => `${renderBlock(each, paint)}\n`)
  return [...blocks, renderVerdict(point, outcomes, paint)].join('\n')
}

function renderBlock({ id, level, title, faults }: Outcome, paint: Paint): string {
  const mark = level === 'must' ? paint('red', '✖ must') : paint('yellow', '▲ should')
  const lines = faults.map(
    ({ expected, seen }) =>
      `  ${paint('dim', 'expected')}  ${expected}\n  ${paint('dim', 'seen')}      ${seen}`,
  )
  return [`${mark} ${paint('bold', id)}`, `  ${title}`, ...lines].join('\n')
}

function renderVerdict(point: string, outcomes: readonly Outcome[], paint: Paint): string {
  const { failed } = tallyOf(outcomes, 'must')
  const counts = (['must', 'should'] as const).map((level) => {
    const tally = tallyOf(outcomes, level)
    return `${level}: ${tally.passed} of ${tally.passed + tally.failed}`
  })
  const verdict = `${point} ${failed > 0 ? 'does not conform' : 'conforms'}: ${counts.join(', ')}`
  return `${paint(failed > 0 ? 'red' : 'green', verdict)}\n`
}
