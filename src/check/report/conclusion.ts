import { count } from '../../text/prose.ts'
import { type Program, withCommand } from '../../text/typed-command.ts'
import type { Cause } from '../causes.ts'
import type { CheckResult } from '../check.ts'
import type { Finding } from '../finding.ts'
import { countProofs, summarize, weigh } from '../summary.ts'
import { isInconclusive, type Report } from './report.ts'

/** The counts as text: "2 errors and 1 warning from one cause; 20 passed (12 confirmed by the service), 5 skipped". */
export function countFindings({ findings, causes }: Pick<CheckResult, 'findings' | 'causes'>): string {
  const summary = summarize(findings)
  const open = listCounts([
    [summary.error, 'error', 'errors'],
    [summary.warning, 'warning', 'warnings'],
    [summary.info, 'note', 'notes'],
  ])
  const total = summary.error + summary.warning + summary.info
  const failed = causes.filter(({ findings: [{ outcome }] }) => outcome === 'fail').length
  const shared = failed === total ? '' : failed === 1 ? ' from one cause' : ` from ${failed} causes`
  const counts = open.length === 0 ? [] : [`${open.join(' and ')}${shared}`]
  const all = [...counts, ...listCounts([[summary.inconclusive, 'not judged', 'not judged']])]
  const quiet = countQuiet(findings, describeProof(findings))
  return [all.length === 0 ? 'no findings' : all.join(', '), quiet].filter(Boolean).join('; ')
}

/** What needs no attention: "20 passed, 5 skipped". */
export function countQuiet(findings: readonly Finding[], proof = ''): string {
  const { pass, skipped, suppressed } = summarize(findings)
  const passed = proof === '' ? 'passed' : `passed (${proof})`
  return listCounts([
    [pass, passed, passed],
    [skipped, 'skipped', 'skipped'],
    [suppressed, 'suppressed', 'suppressed'],
  ]).join(', ')
}

/** What confirms the rules that passed at the points: "48 confirmed by the service, 2 by comparison"; empty if nothing was asked. */
export function describeProof(findings: readonly Finding[]): string {
  const counts = Object.entries(countProofs(findings)).flatMap(([by, number]) =>
    number === 0
      ? []
      : `${number} by ${by === 'serve' ? 'continuation-point' : by.replace('service', 'the service')}`,
  )
  return counts.join(', ').replace(/^\d+/, '$& confirmed')
}

/** Whether cookies reach points: they are sent only to points that answer, and what is checked offline has none. */
export function areCookiesSent({ mode, result: { findings } }: Report): boolean {
  const isOpen = findings.some(({ id, outcome }) => id === 'live/set-cookie' && outcome === 'inconclusive')
  return mode === 'offline' || (!isOpen && describeProof(findings) !== '')
}

function listCounts(rows: readonly (readonly [count: number, one: string, many: string])[]): string[] {
  return rows.flatMap(([count, one, many]) => (count === 0 ? [] : `${count} ${count === 1 ? one : many}`))
}

/** What to do next, as one sentence without full stop. */
export function chooseNextStep(
  { findings, causes, notJudged }: Pick<CheckResult, 'findings' | 'causes' | 'notJudged'>,
  program: Program = 'continuation-point',
): string {
  const failures = causes.filter((cause) => !isInconclusive(cause))
  const [worst] = failures.filter((cause) => !isNote(cause))
  const [unclear] = causes.filter(isInconclusive)
  const { error, warning, inconclusive } = summarize(findings)
  if (worst !== undefined && error > 0) {
    const fixes = failures.length === 1 ? 'the fix' : 'the fixes from the top'
    return `apply ${fixes} and check again; ${program} check --explain ${worst.findings[0].id} tells more`
  }
  if (worst !== undefined || unclear !== undefined) {
    const see = unclear && `see above why ${count(inconclusive, 'check')} could not be judged`
    const apply = worst && `apply the fix of ${count(warning, 'warning')}`
    const more = worst ? `; ${program} check --explain ${worst.findings[0].id} tells more` : ''
    return [apply, see].filter(Boolean).join(', and ') + more
  }
  const [missing] = notJudged
  if (missing !== undefined)
    return `to check the rest, ${withCommand(missing.next, missing.command, program)}`
  const [note] = failures
  if (note === undefined) return 'nothing to do'
  return `nothing needs fixing; ${program} check --explain ${note.findings[0].id} tells more`
}

/** Whether a cause needs no action. */
export function isNote({ findings: [first] }: Cause): boolean {
  return weigh(first) === 'info'
}
