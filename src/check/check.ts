import type { SuppressConfig } from '../config/config.ts'
import { markConsequences } from './consequences.ts'
import type { CookieFact, Facts } from './facts.ts'
import { type Finding, toSubjectKey } from './finding.ts'
import { because, type Judgement, type Rule } from './rule.ts'
import { type Suggestion, suggestPoints } from './suggest-points.ts'
import { suppress, toSuppressionFacts } from './suppression.ts'

/** Which rules run, and which of their findings are accepted. */
export interface Selection {
  /** Ids; empty means all. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly suppress: readonly SuppressConfig[]
}

/** Whether a listed cookie gets to the service, and through which points it surely does. */
export interface CookieVerdict {
  readonly name: string
  readonly domain: string
  readonly path: string
  readonly verdict: 'sent' | 'not-sent' | 'depends'
  readonly sentTo: readonly string[]
}

export interface CheckResult {
  /** In the order of the rules, then of the config. */
  readonly findings: readonly Finding[]
  readonly cookies: readonly CookieVerdict[]
  /** The points to have instead, when something is missing among those there are. */
  readonly suggestion: Suggestion | undefined
}

/**
 * Applies rules to facts. Pure. A rule that throws gives one `crashed` finding and stops nobody; a rule whose parent
 * failed on a subject is skipped there and says so.
 */
export function check(facts: Facts, rules: readonly Rule[], selection: Selection): CheckResult {
  const chosen = toChosenRules(rules, selection)
  const known = { ...facts, chosen: new Set(chosen.map(({ id }) => id)) }
  const judged = evaluateAll(chosen, 'judge', known)
  const suppressions = toSuppressionFacts(selection.suppress, judged, {
    known: new Set(rules.map((rule) => rule.id)),
    ran: new Set(judged.map(({ id }) => id)),
  })
  const reviewed = evaluateAll(chosen, 'review', { ...known, suppressions })
  return {
    findings: markConsequences(suppress([...judged, ...reviewed], selection.suppress), known, (corrected) =>
      evaluateAll(chosen, 'judge', corrected),
    ),
    cookies: facts.cookies.map(toCookieVerdict),
    suggestion: isSomethingMissing(facts) ? suggestPoints(facts) : undefined,
  }
}

/** The groups of the rules that will run; what none of them looks at need not be gathered. */
export function toChosenGroups(
  rules: readonly Rule[],
  selection: Pick<Selection, 'only' | 'skip'>,
): ReadonlySet<string> {
  return new Set(toChosenRules(rules, selection).map(({ id }) => id.slice(0, id.indexOf('/'))))
}

/** The rules that will run, in their order. */
export function toChosenRules(
  rules: readonly Rule[],
  { only, skip }: Pick<Selection, 'only' | 'skip'>,
): readonly Rule[] {
  return rules.filter(({ id }) => !skip.includes(id) && (only.length === 0 || only.includes(id)))
}

function evaluateAll(rules: readonly Rule[], phase: Rule['phase'], facts: Facts): readonly Finding[] {
  const blocked = new Map<string, string>()
  return rules
    .filter((rule) => rule.phase === phase)
    .flatMap((rule) =>
      evaluateSafely(rule, facts).map((judgement) => {
        const toKey = (id: string) => `${id} ${toSubjectKey(judgement)}`
        const parent = rule.after.map((id) => blocked.get(toKey(id))).find((id) => id !== undefined)
        const finding = parent === undefined ? judgement : toSkipped(judgement, parent)
        // A skipped child hands on the id of the failure at the root, so that grandchildren name the cause.
        const cause = parent ?? (isBroken(finding) ? rule.id : undefined)
        if (cause !== undefined) blocked.set(toKey(rule.id), cause)
        return toFinding(rule, finding)
      }),
    )
}

type Judged =
  | Judgement
  | (Omit<Judgement, 'outcome'> & { readonly outcome: 'crashed'; readonly message: string })

function evaluateSafely(rule: Rule, facts: Facts): readonly Judged[] {
  try {
    return rule.evaluate(facts)
  } catch (error) {
    // Only the kind of the error: its message may hold what it choked on.
    const kind = error instanceof Error ? error.name : 'an unknown error'
    const message = `this rule broke (${kind}); the others are not affected. Please report it with its id`
    return [{ outcome: 'crashed', message, subject: { setting: rule.id }, location: undefined }]
  }
}

function toSkipped(judgement: Judged, parent: string): Judged {
  const { subject, location } = judgement
  return { ...because(parent), subject, location }
}

function isBroken(judged: Judged): boolean {
  return judged.outcome === 'crashed' || (judged.outcome === 'fail' && judged.severity === undefined)
}

function toFinding(rule: Rule, judged: Judged): Finding {
  return {
    id: rule.id,
    outcome: judged.outcome,
    severity: (judged.outcome === 'fail' ? judged.severity : undefined) ?? rule.severity,
    subject: judged.subject,
    message: 'message' in judged ? judged.message : rule.title,
    fix: judged.outcome === 'fail' ? judged.fix : undefined,
    evidence: (judged.outcome === 'fail' ? judged.evidence : undefined) ?? {},
    location: judged.location,
    because: 'because' in judged ? judged.because : undefined,
    corrected: judged.outcome === 'fail' ? judged.corrected : undefined,
    suppressed: undefined,
  }
}

function toCookieVerdict({ config, carriage }: CookieFact): CookieVerdict {
  const { name, domain, path } = config
  const verdict = carriage.kind === 'sent' ? 'sent' : carriage.kind === 'depends' ? 'depends' : 'not-sent'
  return { name, domain, path, verdict, sentTo: carriage.sure.map((point) => point.shown) }
}

// Something is missing when a cookie that a browser would send reaches no point, or a page has no point of its own.
function isSomethingMissing(facts: Facts): boolean {
  const origins = new Set(facts.points.map(({ point }) => point?.origin))
  const isLost = ({ carriage }: CookieFact) => ['no-host', 'no-path', 'insecure'].includes(carriage.kind)
  return (
    facts.cookies.some(isLost) ||
    facts.pages.some(({ place }) => place !== undefined && !origins.has(place.origin))
  )
}
