import type { Facts } from './facts.ts'
import type { Located, Proof, Severity } from './finding.ts'
import type { Fix, Remedy } from './fix.ts'
import type { LiveFact, Purpose } from './read/live-fact.ts'

/** One thing that can be wrong. `check --explain` and every report show its texts. */
export interface Rule {
  /** `group/kebab-name`; never changes. */
  readonly id: string
  readonly severity: Severity
  /** What is true when the rule passes, as one sentence without full stop. */
  readonly title: string
  readonly why: string
  readonly wrong: string
  readonly right: string
  /** What to change, as one sentence; the fix of failures that have none of their own. */
  readonly fix: string
  /** What to write in each front end, if one can be at fault. */
  readonly remedy?: Remedy
  readonly reference?: Reference
  /** What it can't be judged without. Where that is missing, the engine skips the rule and says why. */
  readonly needs?: Needs
  /** If one of these rules failed on the same subject, or on a setting that the case names, it says the same more precisely. */
  readonly saidBy?: readonly string[]
  /** Judges the answers of pages. If no chosen rule does, the pages are not visited. */
  readonly needsPageVisits?: boolean
  /** Runs after the other rules, on their findings and the suppressions. */
  readonly isReview?: boolean
  /** One case for each subject; the engine judges it only if the needs are met. */
  evaluate(facts: Facts): readonly Case[]
}

/** Rules on related subjects, by id, in the order of reports. Without a severity, a failure is an error. */
export type RulesById = Readonly<
  Record<string, Omit<Rule, 'id' | 'severity'> & Partial<Pick<Rule, 'severity'>>>
>

export interface Reference {
  readonly text: string
  readonly url: string
}

export interface Needs {
  /** What the config must have. */
  readonly facts?: readonly FactName[]
  /** Rules that must hold on the same subject. If one is inconclusive, so is this one. */
  readonly rules?: readonly string[]
  /** Rules that must not have failed if the point's answers can only be compared with the service's own. */
  readonly comparison?: readonly string[]
  /** Questions to the point that the rule judges. If the fault of another rule replaced an answer, that rule is blamed. */
  readonly answers?: readonly Purpose[]
}

export type FactName = 'pages' | 'cookies' | 'service' | 'backTransfer'

/** One subject of a rule. */
export interface Case extends Located {
  /** Settings that affect this subject too, named as by the rules on them. */
  readonly settings?: readonly Located[]
  /** What the point answered, for a rule that judges answers. */
  readonly live?: LiveFact
  judge(): Ruling
}

/** The judgement of a rule on one subject. */
export type Ruling =
  /** `message`: what is true, if it is less than the title says. `proof`: if it is another than that of the point. */
  | { readonly outcome: 'pass'; readonly message?: string; readonly proof?: Proof }
  | Failure
  /** `skipped`: the rule does not apply. `holds`: what depends on it is judged anyway. `because`, of the engine: what it depends on. */
  | {
      readonly outcome: 'skipped' | 'inconclusive'
      readonly message: string
      readonly holds?: true
      readonly because?: string
    }

interface Failure {
  readonly outcome: 'fail'
  readonly message: string
  /** Without `what`, it is the rule's own fix. */
  readonly fix: Partial<Fix>
  readonly evidence?: Readonly<Record<string, unknown>>
  /** Groups failures of this rule into one cause if their messages differ by subject; default: the message. */
  readonly topic?: string
  /** If this failure is milder than the rule, or worse. Rules that depend on this one are then judged anyway. */
  readonly severity?: Severity
}

export const pass: Ruling = { outcome: 'pass' }

export function passAs(message: string): Ruling {
  return { outcome: 'pass', message }
}

export function fail(
  message: string,
  fix: Fix | string,
  evidence: Readonly<Record<string, unknown>> = {},
): Failure & { readonly fix: Fix } {
  return { outcome: 'fail', message, fix: typeof fix === 'string' ? { what: fix } : fix, evidence }
}

/** A failure that the rule's own fix resolves. */
export function failAsRule(message: string, evidence: Readonly<Record<string, unknown>> = {}): Failure {
  return { outcome: 'fail', message, fix: {}, evidence }
}

export function skip(message: string) {
  return { outcome: 'skipped', message } as const
}

export function inconclusive(message: string): Ruling {
  return { outcome: 'inconclusive', message }
}

/** @param section the number of a section of an RFC, else the anchor of one */
export function cite(standard: keyof typeof STANDARDS, section: string, about: string): Reference {
  return { text: `${standard}, ${about}`, url: `${STANDARDS[standard]}${section}` }
}

const STANDARDS = {
  'RFC 3986': 'https://www.rfc-editor.org/rfc/rfc3986#section-',
  'RFC 6265bis': 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-',
  'RFC 6585': 'https://www.rfc-editor.org/rfc/rfc6585#section-',
  'RFC 9110': 'https://www.rfc-editor.org/rfc/rfc9110#section-',
  'RFC 9111': 'https://www.rfc-editor.org/rfc/rfc9111#section-',
  'Content Security Policy Level 3': 'https://www.w3.org/TR/CSP3/#',
  'Fetch Standard': 'https://fetch.spec.whatwg.org/#',
  // Its page on sites and origins.
  'HTML Standard': 'https://html.spec.whatwg.org/multipage/browsers.html#',
  'Mixed Content': 'https://www.w3.org/TR/mixed-content/#',
  'URL Standard': 'https://url.spec.whatwg.org/#',
} as const
