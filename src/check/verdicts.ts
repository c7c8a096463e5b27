import { describeSubject, type Finding } from './finding.ts'
import { printWholeFix } from './fix.ts'
import { rank } from './summary.ts'

/** What is known of one rule on one subject. */
export interface Verdict extends Pick<Finding, 'subject' | 'severity' | 'message'> {
  readonly rule: string
  readonly outcome: 'pass' | 'fail'
  /** What to change; absent where nothing fails. */
  readonly fix: string | undefined
}

export type Verdicts = ReadonlyMap<string, Verdict>

/** A verdict that changed. `was` is `undefined` if there was none before. */
export interface Change {
  readonly was: Verdict | undefined
  readonly is: Verdict
}

/** What a run could not judge keeps its verdict. A suppressed failure counts as a pass; a first pass is not a change. */
export function advance(
  known: Verdicts,
  findings: readonly Finding[],
): { readonly verdicts: Verdicts; readonly changes: readonly Change[] } {
  const told = collectVerdicts(findings)
  const changes = [...told].map(([key, is]): Change => ({ was: known.get(key), is })).filter(isChange)
  return { verdicts: new Map([...known, ...told]), changes }
}

/** Parts the verdicts whose rule and subject a run still knows, if only to say that it can't judge, from the others. */
export function dropGone(
  known: Verdicts,
  findings: readonly Finding[],
): { readonly verdicts: Verdicts; readonly gone: readonly Verdict[] } {
  const asked = new Set(findings.map(({ id, subject }) => keyOf({ rule: id, subject })))
  const left = [...known].filter(([key]) => asked.has(key))
  const gone = [...known].flatMap(([key, verdict]) => (asked.has(key) ? [] : [verdict]))
  return { verdicts: new Map(left), gone }
}

function isChange({ was, is }: Change): boolean {
  if (is.outcome === 'pass') return was?.outcome === 'fail'
  return was?.outcome !== 'fail' || was.severity !== is.severity
}

/** A subject that is in the config twice has one verdict, the worse one. */
function collectVerdicts(findings: readonly Finding[]): Verdicts {
  const verdicts = new Map<string, Verdict>()
  for (const finding of findings) {
    const verdict = judgeFinding(finding)
    if (verdict === undefined) continue
    const key = keyOf(verdict)
    const other = verdicts.get(key)
    if (other === undefined || rankOf(verdict) < rankOf(other)) verdicts.set(key, verdict)
  }
  return verdicts
}

function judgeFinding(finding: Finding): Verdict | undefined {
  const { id, outcome, severity, subject, message, fix, suppressed } = finding
  if (outcome !== 'pass' && outcome !== 'fail') return undefined
  const verdict = { rule: id, subject, severity, message }
  if (outcome === 'pass' || suppressed !== undefined) return { ...verdict, outcome: 'pass', fix: undefined }
  return { ...verdict, outcome, fix: fix && printWholeFix(fix) }
}

/** Subjects with the same text are one. */
function keyOf({ rule, subject }: Pick<Verdict, 'rule' | 'subject'>): string {
  return JSON.stringify([rule, Object.keys(subject), describeSubject(subject)])
}

function rankOf({ outcome, severity }: Verdict): number {
  return rank(outcome === 'pass' ? outcome : severity)
}
