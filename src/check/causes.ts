import { createHash } from 'node:crypto'
import { type Finding, toFindingKey } from './finding.ts'
import { printWholeFix } from './fix.ts'
import { rank } from './summary.ts'

/** One thing to change, or one reason why something is inconclusive, with everything that follows from it. */
export type Cause = Readonly<ReturnType<typeof groupByCause>[number]>

/** Groups failed and inconclusive findings by cause: the worst first, otherwise in the order of the findings. */
export function groupByCause(findings: readonly Finding[]) {
  const drafts = new Map<string, Draft>()
  const reported = new Set(findings.map(({ id }) => id))
  for (const finding of findings) {
    if (!isOrigin(finding, reported)) continue
    const { id, outcome, severity, topic } = finding
    const key = JSON.stringify(outcome === 'fail' ? [id, severity, topic] : [outcome, topic])
    const draft = drafts.get(key)
    if (draft === undefined) drafts.set(key, { key, findings: [finding], consequences: [], waiting: [] })
    else draft.findings.push(finding)
  }
  const ordered = [...drafts.values()].sort((a, b) => rankOf(a) - rankOf(b))
  attach(findings, ordered)
  return mergeByFix(ordered).map(({ key, ...draft }) => {
    const [{ id, because }] = draft.findings
    const digest = createHash('sha256').update(key).digest('hex')
    /** The first rule and a digest of its message: stable from run to run. */
    return { id: `${because ?? id}:${digest.slice(0, 8)}`, ...draft }
  })
}

interface Draft {
  readonly key: string
  /** Failed ones of one rule, or of those about what the account has; or of any rules that are inconclusive, or skipped because of one that did not run, for one reason. */
  readonly findings: [Finding, ...Finding[]]
  /** Failed findings of other rules that the fix also resolves. */
  readonly consequences: Finding[]
  /** Findings that were skipped because of it. */
  readonly waiting: Finding[]
}

/** Adds each finding that depends on a failure to the cause on the same subject, else to the first cause of that rule. */
function attach(findings: readonly Finding[], drafts: readonly Draft[]): void {
  const byKey = new Map<string, Draft>()
  const byRule = new Map<string, Draft>()
  for (const draft of drafts) {
    for (const each of draft.findings) {
      if (each.outcome !== 'fail') continue
      byKey.set(toFindingKey(each), draft)
      if (!byRule.has(each.id)) byRule.set(each.id, draft)
    }
  }
  for (const finding of findings) {
    const { because, outcome, suppressed } = finding
    if (because === undefined || suppressed !== undefined) continue
    const draft = byKey.get(toFindingKey({ ...finding, id: because })) ?? byRule.get(because)
    if (outcome === 'fail') draft?.consequences.push(finding)
    if (outcome === 'skipped') draft?.waiting.push(finding)
  }
}

/** Failures of different rules that the same change of a URL fixes, or that one command does, become one cause, the worst of them. */
function mergeByFix(drafts: readonly Draft[]): readonly Draft[] {
  const byFix = new Map<string, Draft>()
  return drafts.filter((draft) => {
    const fix = isOfAccount(draft.findings[0]) ? 'account' : findSharedFix(draft)
    if (fix === undefined) return true
    const known = byFix.get(fix)
    if (known === undefined) return byFix.set(fix, draft)
    const together = fix === 'account' ? known.findings : known.consequences
    together.push(...draft.findings)
    known.consequences.push(...draft.consequences)
    known.waiting.push(...draft.waiting)
    return false
  })
}

/** Whether the account differs from the config, which writing its settings mends. */
export function isOfAccount({ fix }: Finding): boolean {
  return fix?.command === 'settings apply'
}

/** The fix that all findings share, if it changes a URL: a general one ("correct the config") may mean different changes. */
function findSharedFix({ findings: [first, ...others] }: Draft): string | undefined {
  if (first.fix?.url === undefined) return undefined
  const fix = printWholeFix(first.fix)
  return others.every((each) => printWholeFix(each.fix) === fix) ? fix : undefined
}

/** A finding that was skipped because of a rule outside the report starts a cause, since nothing else reports the fault. */
function isOrigin({ outcome, because, suppressed }: Finding, reported: ReadonlySet<string>): boolean {
  if (suppressed !== undefined) return false
  if (outcome === 'skipped') return because !== undefined && !reported.has(because)
  return outcome === 'fail' ? because === undefined : outcome === 'inconclusive' || outcome === 'crashed'
}

function rankOf({ findings: [{ outcome, severity }] }: Draft): number {
  return rank(outcome === 'fail' ? severity : 'inconclusive')
}
