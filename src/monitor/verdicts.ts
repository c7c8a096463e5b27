import { type Finding, type Severity, type Subject, toSubjectText } from '../check/finding.ts'

/** What is known of one rule on one subject. */
export interface Verdict {
  readonly rule: string
  readonly subject: Subject
  readonly outcome: 'pass' | 'fail'
  readonly severity: Severity
  readonly message: string
  /** What to change; absent where nothing fails. */
  readonly fix: string | undefined
  /** When a run last told. Later runs may have said nothing of it. */
  readonly judgedAtMs: number
}

/** By rule and subject. */
export type Verdicts = ReadonlyMap<string, Verdict>

/** A verdict that is another now. `was` is `undefined` where none was known. */
export interface Change {
  readonly was: Verdict | undefined
  readonly is: Verdict
}

/**
 * Puts the findings of a run into what is known. Only a finding that passes or fails is a verdict: one that is
 * inconclusive, skipped or crashed, or that the run did not come to, leaves what was known before it as it is. A failure
 * that the config accepts counts as a pass. A rule that passes the first time is no change.
 */
export function advance(
  known: Verdicts,
  findings: readonly Finding[],
  atMs: number,
): { readonly verdicts: Verdicts; readonly changes: readonly Change[] } {
  const told = toVerdicts(findings, atMs)
  const changes = [...told].map(([key, is]): Change => ({ was: known.get(key), is })).filter(isChange)
  return { verdicts: new Map([...known, ...told]), changes }
}

/** Adds changes to those that nobody was told yet. What is again as it was when somebody was told last, is no news. */
export function coalesce(untold: readonly Change[], changes: readonly Change[]): readonly Change[] {
  const merged = new Map(untold.map((change) => [toKey(change.is), change]))
  for (const { was, is } of changes) {
    const key = toKey(is)
    const earlier = merged.get(key)
    merged.set(key, { was: earlier === undefined ? was : earlier.was, is })
  }
  return [...merged.values()].filter(isChange)
}

/** How a verdict begins: `unknown` before any run told. */
export function toFormerOutcome({ was }: Change): 'unknown' | Verdict['outcome'] {
  return was?.outcome ?? 'unknown'
}

function isChange({ was, is }: Change): boolean {
  if (is.outcome === 'pass') return was?.outcome === 'fail'
  return was?.outcome !== 'fail' || was.severity !== is.severity
}

/** A subject that stands twice in the config has one verdict, the worse. */
function toVerdicts(findings: readonly Finding[], atMs: number): Verdicts {
  const verdicts = new Map<string, Verdict>()
  for (const finding of findings) {
    const verdict = toVerdict(finding, atMs)
    if (verdict === undefined) continue
    const key = toKey(verdict)
    const other = verdicts.get(key)
    if (other === undefined || rank(verdict) > rank(other)) verdicts.set(key, verdict)
  }
  return verdicts
}

function toVerdict(finding: Finding, judgedAtMs: number): Verdict | undefined {
  const { id, outcome, severity, subject, message, fix, suppressed } = finding
  if (outcome !== 'pass' && outcome !== 'fail') return undefined
  const verdict = { rule: id, subject, severity, message, judgedAtMs }
  if (outcome === 'pass' || suppressed !== undefined) return { ...verdict, outcome: 'pass', fix: undefined }
  return { ...verdict, outcome, fix }
}

/** Subjects that read alike are one: they would be one series of the metrics too. */
function toKey({ rule, subject }: Pick<Verdict, 'rule' | 'subject'>): string {
  return JSON.stringify([rule, Object.keys(subject), toSubjectText(subject)])
}

function rank({ outcome, severity }: Verdict): number {
  return outcome === 'pass' ? 0 : ranks[severity]
}

const ranks: Readonly<Record<Severity, number>> = { info: 1, warning: 2, error: 3 }
