import type { SuppressConfig } from '../config/config.ts'
import { type Cause, groupByCause } from './causes.ts'
import { markConsequences } from './consequences.ts'
import type { CookieFact, Facts } from './facts.ts'
import type { Finding } from './finding.ts'
import { findNotJudged, type NotJudged } from './not-judged.ts'
import { type Routes, traceRoutes } from './routes.ts'
import type { Rule } from './rule.ts'
import { compileRules } from './run-rules.ts'
import { type Suggestion, suggestPoints } from './suggest-points.ts'
import { judgeSuppressions, suppress } from './suppression.ts'

/** Which rules run, and which of their findings are accepted. */
export interface Selection {
  /** Ids; empty means all. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly suppress: readonly SuppressConfig[]
}

/** Whether a listed cookie reaches the service, and through which points it certainly does. */
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
  /** The findings that need action, grouped by cause; the worst first. */
  readonly causes: readonly Cause[]
  readonly notJudged: readonly NotJudged[]
  readonly routes: Routes
  /** A better set of points, if the configured ones lack something. */
  readonly suggestion: Suggestion | undefined
}

/** Applies rules to facts, then suppressions to the findings. Pure. */
export function check(facts: Facts, rules: readonly Rule[], selection: Selection): CheckResult {
  const chosen = chooseRules(rules, selection)
  const ids = new Set(chosen.map(({ id }) => id))
  // Reviews judge the suppressions, so they run when it is known which of these were used.
  const reviews = rules.filter(({ isReview }) => isReview)
  const others = rules.filter(({ isReview }) => !isReview)
  const judge = compileRules(others, ids)
  const judged = judge(facts)
  const suppressions = judgeSuppressions(selection.suppress, judged, {
    known: new Set(rules.map((rule) => rule.id)),
    ran: new Set(judged.map(({ id }) => id)),
  })
  const reviewed = compileRules(reviews, ids)({ ...facts, suppressions })
  const findings = markConsequences(suppress([...judged, ...reviewed], selection.suppress), facts, judge)
  return {
    findings,
    causes: groupByCause(findings),
    notJudged: findNotJudged(facts, ids),
    routes: traceRoutes(facts, findings),
    cookies: facts.cookies.map(judgeCookie),
    suggestion: isSomethingMissing(facts) ? suggestPoints(facts) : undefined,
  }
}

/** The rules that will run, in their order. */
export function chooseRules(
  rules: readonly Rule[],
  { only, skip }: Pick<Selection, 'only' | 'skip'>,
): readonly Rule[] {
  return rules.filter(({ id }) => !skip.includes(id) && (only.length === 0 || only.includes(id)))
}

function judgeCookie({ config, carriage }: CookieFact): CookieVerdict {
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
    facts.pages.some(({ parsed }) => parsed !== undefined && !origins.has(parsed.origin))
  )
}
