import type { CheckResult } from '../check.ts'
import { type Finding, type Outcome, toSubjectText } from '../finding.ts'
import type { Rule } from '../rule.ts'

/** All that a report may tell. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string }
  readonly mode: 'offline' | 'live'
  readonly exitCode: number
  readonly result: CheckResult
  /** The rules that the findings may name. */
  readonly rules: readonly Rule[]
}

/** How bad a finding is to a reader: an accepted one counts as good. */
export type Weight = 'error' | 'warning' | 'inconclusive' | 'info' | 'suppressed' | 'skipped' | 'pass'

export function toWeight({ outcome, severity, suppressed }: Finding): Weight {
  if (suppressed !== undefined) return 'suppressed'
  return outcome === 'fail' ? severity : weightOf[outcome]
}

/** The findings with the worst first; equals stay in the order of the rules. */
export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => weights.indexOf(toWeight(a)) - weights.indexOf(toWeight(b)))
}

/** The findings that ask a person to do something: failed, or not to be told. */
export function toOpenFindings(findings: readonly Finding[]): readonly Finding[] {
  const quiet: readonly Weight[] = ['suppressed', 'skipped', 'pass']
  return worstFirst(findings).filter((finding) => !quiet.includes(toWeight(finding)))
}

/** An open finding with what its fix ends too, so that a person reads of one fault once. */
export interface OpenCause {
  readonly finding: Finding
  readonly consequences: readonly Finding[]
}

/** The open findings, the worst first, each consequence below the first finding of the rule that it follows from. */
export function toOpenCauses(findings: readonly Finding[]): readonly OpenCause[] {
  const open = toOpenFindings(findings)
  const follows = ({ outcome, because }: Finding) => outcome === 'fail' && because !== undefined
  const seen = new Set<string>()
  return open
    .filter((finding) => !follows(finding))
    .map((finding) => {
      const isFirst = !seen.has(finding.id)
      seen.add(finding.id)
      const consequences = open.filter((each) => isFirst && follows(each) && each.because === finding.id)
      return { finding, consequences }
    })
}

/** Consequences in words: `page/no-point https://www.example.com/`, the first ten. */
export function toConsequenceTexts(consequences: readonly Finding[]): readonly string[] {
  const texts = consequences
    .slice(0, mostConsequences)
    .map(({ id, subject }) => `${id} ${toSubjectText(subject)}`)
  const more = consequences.length - mostConsequences
  return more > 0 ? [...texts, `and ${more} more`] : texts
}

/** `config.json:9:5`, or the variable or argument; empty where there is no place. */
export function toPlaceText({ location }: Finding): string {
  if (location === undefined) return ''
  const { file, line, column, pointer } = location
  return line === undefined ? `${file} ${pointer}` : `${file}:${line}:${column ?? 1}`
}

/** The findings of each subject, in the order of their first one. */
export function bySubject(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const subject = toSubjectText(finding.subject)
    const group = groups.get(subject)
    if (group === undefined) groups.set(subject, [finding])
    else group.push(finding)
  }
  return groups
}

const mostConsequences = 10

const weights: readonly Weight[] = [
  'error',
  'warning',
  'inconclusive',
  'info',
  'suppressed',
  'skipped',
  'pass',
]

const weightOf: Readonly<Record<Exclude<Outcome, 'fail'>, Weight>> = {
  pass: 'pass',
  skipped: 'skipped',
  inconclusive: 'inconclusive',
  crashed: 'inconclusive',
}
