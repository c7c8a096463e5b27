import type { Location } from '../config/problem.ts'
import type { FindingFix } from './fix.ts'

/** How bad it is when a rule fails; a property of the rule. */
export type Severity = 'error' | 'warning' | 'info'

/** How one check ended. `crashed`: the rule itself threw; that says nothing about its subject. */
export type Outcome = 'pass' | 'fail' | 'skipped' | 'inconclusive' | 'crashed'

/** What shows that a point is right: the service says what arrived, `serve` vouches for it, or answers were compared. */
export type Proof = 'service' | 'serve' | 'comparison'

/** What a check is about. URLs are shown without credentials and query. */
export type Subject =
  | { readonly point: string }
  | { readonly page: string }
  | { readonly cookie: { readonly name: string; readonly domain: string; readonly path: string } }
  | { readonly setting: string }

/** The result of one rule on one subject; a box in the HTML report. */
export interface Finding {
  readonly id: string
  readonly outcome: Outcome
  readonly severity: Severity
  readonly subject: Subject
  readonly message: string
  readonly fix: FindingFix | undefined
  /** The data behind the result. Never a secret, a cookie's value or a query. */
  readonly evidence: Readonly<Record<string, unknown>>
  readonly location: Location | undefined
  /** The rule whose failure this finding depends on: if skipped, it could not be judged; if failed, that rule's fix resolves it. */
  readonly because: string | undefined
  /** Rules that depend on this one are judged all the same. */
  readonly holds?: boolean
  /** Failures of one rule with the same topic have one cause. */
  readonly topic: string
  readonly suppressed: { readonly reason: string } | undefined
  /** Of a rule that passed by what a point answers. */
  readonly proof?: Proof | undefined
}

/** What a finding is about, and where the config says it. */
export type Located = Pick<Finding, 'subject' | 'location'>

/** A key for a subject. Subjects with the same text in two places of a config have different keys. */
export function toSubjectKey({ subject, location }: Located): string {
  return JSON.stringify([subject, location?.pointer])
}

/** The same for a rule on a subject. */
export function toFindingKey(finding: Pick<Finding, 'id'> & Located): string {
  return `${finding.id} ${toSubjectKey(finding)}`
}

/** The subject in one line: the URL, the name of the setting, or `sid (.example.com /)`. */
export function describeSubject(subject: Subject): string {
  if ('point' in subject) return subject.point
  if ('page' in subject) return subject.page
  if ('setting' in subject) return subject.setting
  const { name, domain, path } = subject.cookie
  return `${name} (${domain} ${path})`
}
