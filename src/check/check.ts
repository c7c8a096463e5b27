import type { SuppressConfig } from '../config/config.ts'
import { oncePer } from './by-key.ts'
import { groupByCause } from './causes.ts'
import { markConsequences } from './consequences.ts'
import type { Carriage, CookieFact, Facts, PageFact } from './facts.ts'
import { findNotJudged } from './not-judged.ts'
import { traceRoutes } from './routes.ts'
import type { Rule } from './rule.ts'
import { compileRules } from './run-rules.ts'
import { suggestPoints } from './suggest-points.ts'
import { judgeSuppressions, suppress } from './suppression.ts'

/** Which rules run, and which of their findings are accepted. */
export interface Selection {
  /** Ids; empty means all. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly suppress: readonly SuppressConfig[]
}

export type CheckResult = ReturnType<typeof check>

/** Whether a listed cookie reaches the service, and through which points it certainly does. */
export type CookieVerdict = CheckResult['cookies'][number]

/** Applies rules to facts, then suppressions to the findings. Pure. */
export function check(facts: Facts, rules: readonly Rule[], selection: Selection) {
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
    /** In the order of the rules, then of the config. */
    findings,
    /** The findings that need action, grouped by cause; the worst first. */
    causes: groupByCause(findings),
    notJudged: findNotJudged(facts, ids),
    routes: traceRoutes(facts, findings),
    cookies: facts.cookies.map(judgeCookie),
    /** A better set of points, if the configured ones lack something. */
    suggestion: isSomethingMissing(facts) ? suggestPoints(facts) : undefined,
  }
}

export function chooseRules(
  rules: readonly Rule[],
  { only, skip }: Pick<Selection, 'only' | 'skip'>,
): readonly Rule[] {
  return rules.filter(({ id }) => !skip.includes(id) && (only.length === 0 || only.includes(id)))
}

export function judgeCookie({ config: { name, domain, path }, carriage }: CookieFact) {
  const { kind } = carriage
  const verdict: 'sent' | 'depends' | 'not-sent' = kind === 'sent' || kind === 'depends' ? kind : 'not-sent'
  return { name, domain, path, verdict, sentTo: listReceivers(carriage) }
}

const listReceivers = oncePer(({ sure }: Carriage): readonly string[] => sure.map(({ shown }) => shown))

// Something is missing when a cookie that a browser would send reaches no point, or a page has no point of its own; which
// can't be told if only some of the config's points are checked.
function isSomethingMissing(facts: Facts): boolean {
  const origins = new Set(facts.points.map(({ point }) => point?.origin))
  const isLost = ({ carriage }: CookieFact) => ['no-host', 'no-path', 'insecure'].includes(carriage.kind)
  const isBare = ({ parsed }: PageFact) => parsed !== undefined && !origins.has(parsed.origin)
  return !facts.ownUrls?.size && (facts.cookies.some(isLost) || facts.pages.some(isBare))
}
