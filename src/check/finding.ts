import type { Location } from '../config/problem.ts'

/** How bad it is when a rule fails; a property of the rule. */
export type Severity = 'error' | 'warning' | 'info'

/** How one check ended. `inconclusive`: it could not be told; `crashed`: the rule broke, not what it looked at. */
export type Outcome = 'pass' | 'fail' | 'skipped' | 'inconclusive' | 'crashed'

/** What a check is about. URLs are shown without credentials and query. */
export type Subject =
  | { readonly point: string }
  | { readonly page: string }
  | { readonly cookie: { readonly name: string; readonly domain: string; readonly path: string } }
  | { readonly setting: string }

/** One box: one rule applied to one subject. */
export interface Finding {
  readonly id: string
  readonly outcome: Outcome
  readonly severity: Severity
  readonly subject: Subject
  readonly message: string
  /** What to change, literally. */
  readonly fix: string | undefined
  /** What the judgement rests on. Never a secret, a cookie's value or a query. */
  readonly evidence: Readonly<Record<string, unknown>>
  readonly location: Location | undefined
  /** The id of the rule on whose failure this one hangs: skipped, it had nothing to tell; failed, it ends with that fix. */
  readonly because: string | undefined
  /** The URL that the fix writes in place of the point's, where it is as plain as that. */
  readonly corrected: string | undefined
  /** Findings of one rule and topic have one cause. */
  readonly topic: string
  readonly suppressed: { readonly reason: string } | undefined
}

/** Tells subjects apart, also those that are spelled alike in two places of a config. */
export function toSubjectKey({ subject, location }: Pick<Finding, 'subject' | 'location'>): string {
  return JSON.stringify([subject, location?.pointer])
}

/** The subject in one line: the URL, the name of the setting, or `sid (.example.com /)`. */
export function toSubjectText(subject: Subject): string {
  if ('point' in subject) return subject.point
  if ('page' in subject) return subject.page
  if ('setting' in subject) return subject.setting
  const { name, domain, path } = subject.cookie
  return `${name} (${domain} ${path})`
}
