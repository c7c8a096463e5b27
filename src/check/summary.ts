import type { Finding, Severity } from './finding.ts'

interface Summary {
  readonly error: number
  readonly warning: number
  readonly info: number
  /** Could not be told, a rule that crashed included. */
  readonly inconclusive: number
  readonly skipped: number
  readonly pass: number
  readonly suppressed: number
}

/** Counts findings: failed ones by severity, a suppressed one only as suppressed. */
export function summarize(findings: readonly Finding[]): Summary {
  const count = { error: 0, warning: 0, info: 0, inconclusive: 0, skipped: 0, pass: 0, suppressed: 0 }
  for (const finding of findings) count[toCounter(finding)] += 1
  return count
}

function toCounter({ outcome, severity, suppressed }: Finding): keyof Summary {
  if (suppressed !== undefined) return 'suppressed'
  if (outcome === 'fail') return severity
  return outcome === 'crashed' ? 'inconclusive' : outcome
}

/** The lowest severity that makes the check fail. */
export type FailOn = (typeof failOnWords)[number]

export const failOnWords = ['error', 'warning', 'never'] as const

/**
 * 1 when something at or above `failOn` failed; else 3 when a rule crashed, when points were asked and no answer told
 * anything, or when nothing at all could be told; else 0. The report's format has no say.
 */
export function toExitCode(findings: readonly Finding[], failOn: FailOn): 0 | 1 | 3 {
  const { error, warning, info } = summarize(findings)
  if (failing[failOn].reduce((sum, severity) => sum + { error, warning, info }[severity], 0) > 0) return 1
  if (findings.some(({ outcome }) => outcome === 'crashed')) return 3
  const isUntold = toUntold(findings)
  const judged = findings.filter((finding) => finding.outcome !== 'skipped' || isUntold(finding))
  const live = judged.filter(({ id }) => id.startsWith('live/'))
  // That a name resolves, or a port is open, is no answer of the point yet.
  const answers = live.filter(({ id }) => !['live/dns', 'live/connect', 'live/tls'].includes(id))
  const told = answers.length > 0 ? answers : live
  return [judged, told].some((group) => group.length > 0 && group.every(isUntold)) ? 3 : 0
}

/** What was skipped because of a failure that nobody reads of, its rule being left out, could not be told either. */
function toUntold(findings: readonly Finding[]): (finding: Finding) => boolean {
  const failed = new Set(findings.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id))
  return ({ outcome, because }) =>
    outcome === 'inconclusive' || (because !== undefined && !failed.has(because))
}

const failing: Readonly<Record<FailOn, readonly Severity[]>> = {
  error: ['error'],
  warning: ['error', 'warning'],
  never: [],
}
