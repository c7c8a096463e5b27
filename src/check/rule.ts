import type { Location } from '../config/problem.ts'
import type { Facts } from './facts.ts'
import type { Severity, Subject } from './finding.ts'
import type { LiveFact } from './read/live-fact.ts'
import type { Purpose } from './read/question.ts'
import type { Remedy } from './remedy.ts'

/** One thing that can be wrong. Its texts are what `explain` and every report show. */
export interface Rule {
  /** `group/kebab-name`; never changes. */
  readonly id: string
  readonly severity: Severity
  /** What holds when the rule passes, as one sentence without full stop. */
  readonly title: string
  readonly why: string
  readonly wrong: string
  readonly right: string
  readonly fix: string
  /** What to write in each front end, where one can be at fault. */
  readonly remedy?: Remedy
  /** The law behind it, where there is one. */
  readonly reference: { readonly text: string; readonly url: string } | undefined
  /** What it can't judge without; the engine skips it elsewhere and says why. */
  readonly needs: Needs
  /**
   * Rules that name the same fault more exactly: where one of them failed, on the same subject or on a setting that a
   * case names, this one's failure is skipped.
   */
  readonly saidBy?: readonly string[]
  /** It judges what the pages answer. If no chosen rule does, the pages are not asked. */
  readonly needsPageVisits?: boolean
  /** `review`: looks at what the other rules and the suppressions gave. */
  readonly phase: 'judge' | 'review'
  /** One case for each subject; it is judged only where the needs are met. */
  evaluate(facts: Facts): readonly Case[]
}

/** What a rule can't judge without. */
interface Needs {
  /** What the config must have. */
  readonly facts?: readonly FactName[]
  /** Rules that must hold on the same subject. One that can't be told leaves this one untold. */
  readonly rules?: readonly string[]
  /** Rules that must not have failed where the point's answers can only be compared with the service's own. */
  readonly comparison?: readonly string[]
  /** Questions to the point: where another rule's fault came in place of an answer, that rule has the blame. */
  readonly answers?: readonly Purpose[]
}

export type FactName = 'pages' | 'cookies' | 'service' | 'backTransfer'

/** One subject of a rule. */
export interface Case {
  readonly subject: Subject
  readonly location: Location | undefined
  /** Settings that decide on this subject too, as the rules on them name them. */
  readonly settings?: readonly Pick<Case, 'subject' | 'location'>[]
  /** What the point answered, for a rule that looks at answers. */
  readonly live?: LiveFact
  judge(): Ruling
}

/** What a rule says of one subject. */
export type Ruling =
  | { readonly outcome: 'pass' }
  | {
      readonly outcome: 'fail'
      readonly message: string
      readonly fix: string
      readonly evidence?: Readonly<Record<string, unknown>>
      /** The URL that the fix writes in place of the point's. */
      readonly corrected?: string | undefined
      /** What makes failures of this rule one cause, where their messages differ by subject; else the message does. */
      readonly topic?: string
      /** Where this failure is milder than the rule; it then stands in no other rule's way. */
      readonly severity?: Severity
    }
  /** `skipped`: the rule does not apply here. */
  | { readonly outcome: 'skipped' | 'inconclusive'; readonly message: string }

export const pass: Ruling = { outcome: 'pass' }

export function fail(message: string, fix: string, evidence: Readonly<Record<string, unknown>> = {}): Ruling {
  return { outcome: 'fail', message, fix, evidence }
}

export function skip(message: string): Ruling {
  return { outcome: 'skipped', message }
}

export function inconclusive(message: string): Ruling {
  return { outcome: 'inconclusive', message }
}
