import { createHash } from 'node:crypto'
import { type Finding, type Severity, toSubjectKey } from './finding.ts'

/** One thing to change, or one reason why something could not be told, with all that it explains. */
export interface Cause {
  /** The first rule and a digest of what it says: the same from run to run. */
  readonly id: string
  /** What says it: failed findings of one rule, or of any those that could not be told, or wait for one that was left out. */
  readonly findings: readonly [Finding, ...Finding[]]
  /** Failed findings of other rules that end with its fix, or have the same. */
  readonly consequences: readonly Finding[]
  /** Findings that were skipped because of it. */
  readonly waiting: readonly Finding[]
}

/** Groups what failed or could not be told by its cause: the worst first, else in the order of the findings. */
export function toCauses(findings: readonly Finding[]): readonly Cause[] {
  const drafts = new Map<string, Draft>()
  const told = new Set(findings.map(({ id }) => id))
  for (const finding of findings) {
    if (!isOrigin(finding, told)) continue
    const key = toKey(finding)
    const draft = drafts.get(key)
    if (draft === undefined) drafts.set(key, { key, findings: [finding], consequences: [], waiting: [] })
    else draft.findings.push(finding)
  }
  const ordered = [...drafts.values()].sort((a, b) => rank(a.findings[0]) - rank(b.findings[0]))
  attach(findings, ordered)
  return mergeByFix(ordered).map(({ key, ...draft }) => ({ id: toId(draft.findings[0], key), ...draft }))
}

interface Draft {
  readonly key: string
  readonly findings: [Finding, ...Finding[]]
  readonly consequences: Finding[]
  readonly waiting: Finding[]
}

/** Puts what hangs on a failure to the cause on the same subject, else to the first cause of that rule. */
function attach(findings: readonly Finding[], drafts: readonly Draft[]): void {
  const bySubject = new Map<string, Draft>()
  const byRule = new Map<string, Draft>()
  for (const draft of drafts) {
    for (const each of draft.findings) {
      if (each.outcome !== 'fail') continue
      bySubject.set(`${each.id} ${toSubjectKey(each)}`, draft)
      if (!byRule.has(each.id)) byRule.set(each.id, draft)
    }
  }
  for (const finding of findings) {
    const { because, outcome, suppressed } = finding
    if (because === undefined || suppressed !== undefined) continue
    const draft = bySubject.get(`${because} ${toSubjectKey(finding)}`) ?? byRule.get(because)
    if (outcome === 'fail') draft?.consequences.push(finding)
    if (outcome === 'skipped') draft?.waiting.push(finding)
  }
}

/** What one and the same change of a URL mends has one cause, whatever rule it fails: the worst of them stands for all. */
function mergeByFix(drafts: readonly Draft[]): readonly Draft[] {
  const byFix = new Map<string, Draft>()
  return drafts.filter((draft) => {
    const fix = toSharedFix(draft)
    if (fix === undefined) return true
    const known = byFix.get(fix)
    if (known === undefined) {
      byFix.set(fix, draft)
      return true
    }
    known.consequences.push(...draft.findings, ...draft.consequences)
    known.waiting.push(...draft.waiting)
    return false
  })
}

/** The one fix of all findings, if it names a URL: a general one ("correct the config") may mean many things. */
function toSharedFix({ findings: [first, ...others] }: Draft): string | undefined {
  const { fix } = first
  if (fix === undefined || first.outcome !== 'fail' || !fix.includes('://')) return undefined
  return others.every((each) => each.fix === fix) ? fix : undefined
}

/** What was skipped because of a rule that was left out begins here: nothing else says what is wrong. */
function isOrigin({ outcome, because, suppressed }: Finding, told: ReadonlySet<string>): boolean {
  if (suppressed !== undefined) return false
  if (outcome === 'skipped') return because !== undefined && !told.has(because)
  return outcome === 'fail' ? because === undefined : outcome === 'inconclusive' || outcome === 'crashed'
}

function toKey({ id, outcome, severity, topic }: Finding): string {
  return outcome === 'fail' ? JSON.stringify([id, severity, topic]) : JSON.stringify([outcome, topic])
}

function toId({ id, because }: Finding, key: string): string {
  return `${because ?? id}:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}

function rank({ outcome, severity }: Finding): number {
  return outcome === 'fail' ? ranks[severity] : 2
}

/** What could not be told stands behind warnings and before notes. */
const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 3 }
