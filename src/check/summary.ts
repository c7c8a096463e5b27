import type { Finding, Proof } from './finding.ts'

/** How bad a finding is; a suppressed one counts as good, and one of a rule that crashed as inconclusive. */
export function weigh({ outcome, severity, suppressed }: Finding) {
  if (suppressed !== undefined) return 'suppressed'
  if (outcome === 'fail') return severity
  return outcome === 'crashed' ? 'inconclusive' : outcome
}

export type Weight = ReturnType<typeof weigh>

/** Where a weight comes in reports: the lower, the worse. */
export function rank(weight: Weight): number {
  return ORDER.indexOf(weight)
}

const ORDER: Weight[] = ['error', 'warning', 'inconclusive', 'info', 'suppressed', 'skipped', 'pass']

export function summarize(findings: readonly Finding[]): Readonly<Record<Weight, number>> {
  const count = { error: 0, warning: 0, info: 0, inconclusive: 0, skipped: 0, pass: 0, suppressed: 0 }
  for (const finding of findings) count[weigh(finding)] += 1
  return count
}

/** Counts what passed by what points answer, by what proves it. */
export function countProofs(findings: readonly Finding[]): Readonly<Record<Proof, number>> {
  const count = { service: 0, serve: 0, comparison: 0 }
  for (const { proof } of findings) if (proof !== undefined) count[proof] += 1
  return count
}

/** The lowest severity that makes the check fail. */
export type FailOn = (typeof FAIL_ON_WORDS)[number]

export const FAIL_ON_WORDS = ['error', 'warning', 'never'] as const

/** 1 if something failed with at least this severity; else 3 if a rule crashed, or nothing, or no answer, was conclusive. */
export function chooseExitCode(findings: readonly Finding[], failOn: FailOn): 0 | 1 | 3 {
  if (failOn !== 'never' && findings.some((finding) => rank(weigh(finding)) <= rank(failOn))) return 1
  if (findings.some(({ outcome }) => outcome === 'crashed')) return 3
  const isInconclusive = inconclusiveAmong(findings)
  const judged = findings.filter((finding) => finding.outcome !== 'skipped' || isInconclusive(finding))
  const live = judged.filter(({ id }) => id.startsWith('live/'))
  // A name that resolves and an open port are not yet an answer of the point.
  const answers = live.filter(({ id }) => !['live/dns', 'live/connect', 'live/tls'].includes(id))
  const observed = answers.length > 0 ? answers : live
  return [judged, observed].some((group) => group.length > 0 && group.every(isInconclusive)) ? 3 : 0
}

/** A finding that was skipped because of a rule outside the report counts as inconclusive: the failure is not in the report. */
function inconclusiveAmong(findings: readonly Finding[]): (finding: Finding) => boolean {
  const failed = new Set(findings.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id))
  return ({ outcome, because }) =>
    outcome === 'inconclusive' || (because !== undefined && !failed.has(because))
}
