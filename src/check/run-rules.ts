import type { FrontEndName } from '../config/schema.ts'
import type { Facts } from './facts.ts'
import { type Finding, type Located, type Proof, toSubjectKey } from './finding.ts'
import { type Fix, resolveFix } from './fix.ts'
import type { LiveFact, Purpose } from './read/live-fact.ts'
import { isVouched, standInOf } from './read/observations.ts'
import { explainUnanswered, findTroubles } from './read/troubles.ts'
import { type Case, type FactName, inconclusive, type Needs, type Rule, type Ruling, skip } from './rule.ts'

/** Orders the chosen rules and all that they need. The function returned applies them to facts; it gives the chosen ones' findings. */
export function compileRules(
  rules: readonly Rule[],
  chosen: ReadonlySet<string>,
): (facts: Facts) => readonly Finding[] {
  const wanted = rules.filter(({ id }) => chosen.has(id))
  const ordered = inOrderOfNeeds(rules, chosen)
  return (facts) => {
    const findings = new Map<string, readonly Finding[]>()
    const unmet = new Map<string, ReadonlyMap<string, Finding>>()
    for (const rule of ordered) {
      const own = runSafely(rule, { chosen, facts, unmet })
      findings.set(rule.id, own)
      unmet.set(rule.id, new Map(own.filter(isUnmet).map((finding) => [toSubjectKey(finding), finding])))
    }
    return wanted.flatMap(({ id }) => findings.get(id) ?? [])
  }
}

/** Whether rules that depend on this one can't be judged on its subject. */
function isUnmet({ outcome, because, holds }: Finding): boolean {
  return outcome !== 'pass' && !holds && (outcome !== 'skipped' || because !== undefined)
}

/** What a rule is judged with. */
interface Context {
  readonly chosen: ReadonlySet<string>
  readonly facts: Facts
  /** What stops rules that depend on it: by rule, then by the key of the subject. */
  readonly unmet: ReadonlyMap<string, ReadonlyMap<string, Finding>>
}

function runSafely(rule: Rule, context: Context): readonly Finding[] {
  try {
    return rule.evaluate(context.facts).map((each) => run(rule, each, context))
  } catch (error) {
    // Only the error's name: its message may quote the input.
    const kind = error instanceof Error ? error.name : 'an unknown error'
    const message = `this rule crashed (${kind}); the others are not affected. Please report it with its id`
    const about = { subject: { setting: rule.id }, location: undefined }
    return [{ ...makeFinding(rule, about, inconclusive(message)), outcome: 'crashed' }]
  }
}

function run(rule: Rule, each: Case, context: Context): Finding {
  const judged = findBlame(rule, each, context) ?? each.judge()
  const isLeftOut = judged.outcome === 'fail' && judged.fix.isLeftOut
  const ruling = isLeftOut
    ? skip('another point of the config is there for it, which this check leaves out')
    : judged
  const reporter = ruling.outcome === 'fail' ? findReporter(rule, each, context) : undefined
  const said = reporter === undefined ? ruling : skipBecause(reporter, '', context.chosen)
  return makeFinding(rule, each, said, context.facts.frontEnd)
}

/** What is said instead if one of a rule's needs is not met on this subject. Only here is it decided which rule gets the blame. */
function findBlame(
  { id, needs = {} }: Rule,
  each: Case,
  { chosen, facts, unmet }: Context,
): Ruling | undefined {
  for (const name of needs.facts ?? []) {
    const message = MISSING[name](facts)
    if (message !== undefined) return skip(message)
  }
  const key = toSubjectKey(each)
  for (const need of needs.rules ?? []) {
    const finding = unmet.get(need)?.get(key)
    // If this rule is the root itself, the other one depends on it, not the other way round.
    if (finding !== undefined && (finding.because ?? need) !== id) return dependOn(finding, chosen)
  }
  const { live } = each
  if (live === undefined) return undefined
  const isCompared = standInOf(live) === undefined && !isVouched(live)
  for (const need of isCompared ? (needs.comparison ?? []) : []) {
    const finding = unmet.get(need)?.get(key)
    if (finding !== undefined && finding.outcome !== 'inconclusive') return dependOn(finding, chosen)
  }
  return needs.answers && findSpoiler(id, live, needs.answers, chosen)
}

/** What a rule says that depends on one which failed, or could not be judged either. */
function dependOn({ id, outcome, message, because }: Finding, chosen: Context['chosen']): Ruling {
  if (outcome === 'fail') return skipBecause(id, message, chosen)
  return { outcome: outcome === 'skipped' ? outcome : 'inconclusive', message, because: because ?? id }
}

/** If the rule at the root was not chosen, its message is given here, since it is in no other finding. */
function skipBecause(root: string, message: string, chosen: Context['chosen']): Ruling {
  const why = chosen.has(root) ? `because ${root} failed` : `${root} was left out, but it fails: ${message}`
  return { ...skip(why), because: root }
}

function findSpoiler(
  id: string,
  live: LiveFact,
  purposes: readonly Purpose[],
  chosen: Context['chosen'],
): Ruling | undefined {
  const { spoiled, shown } = findTroubles(live)
  // A rule always reports its own fault.
  if ([...shown].some(({ rule }) => rule === id)) return undefined
  const troubles = [...spoiled].flatMap(([observation, trouble]) =>
    purposes.includes(observation.question.purpose) ? [trouble] : [],
  )
  for (const { rule, instead } of troubles) {
    if (rule !== undefined) return skipBecause(rule, instead, chosen)
  }
  const message = explainUnanswered(live) ?? LIMITED
  return troubles.length === 0 ? undefined : { outcome: 'inconclusive', message, because: id }
}

/** The chosen rule that failed and reports the same fault. */
function findReporter({ saidBy = [] }: Rule, each: Case, { chosen, unmet }: Context): string | undefined {
  const keys = [each, ...(each.settings ?? [])].map(toSubjectKey)
  const hasFailed = (finding: Finding | undefined) =>
    finding !== undefined && finding.outcome !== 'inconclusive'
  return saidBy.find((id) => chosen.has(id) && keys.some((key) => hasFailed(unmet.get(id)?.get(key))))
}

function makeFinding(
  rule: Rule,
  { subject, location, live }: Located & Pick<Case, 'live'>,
  ruling: Ruling,
  frontEnd?: FrontEndName,
): Finding {
  const { id, severity, title, needs } = rule
  const finding = {
    id,
    severity,
    subject,
    location,
    message: title,
    evidence: {},
    because: undefined,
    suppressed: undefined,
    proof: ruling.outcome === 'pass' ? findProof(needs, live) : undefined,
    // A failure milder than its rule (a certificate that expires soon) doesn't stop rules that depend on it.
    holds: 'severity' in ruling,
    ...ruling,
  }
  const fix = ruling.outcome === 'fail' ? resolveFix(chooseFix(rule, ruling.fix), live, frontEnd) : undefined
  return { topic: finding.message, ...finding, fix }
}

function chooseFix({ fix, remedy }: Rule, own: Partial<Fix>): Fix {
  const whole = { what: fix.slice(0, -1), ...own }
  return own.what === undefined && remedy !== undefined ? { remedy, ...whole } : whole
}

/** Connections are observed; what comes after them has to be proven. */
function findProof(needs: Needs | undefined, live: LiveFact | undefined): Proof | undefined {
  const isAnswered = needs?.answers !== undefined || needs?.rules?.includes('live/forwarded') === true
  if (live === undefined || !isAnswered) return undefined
  if (standInOf(live) !== undefined) return 'service'
  // Only the service knows which origins it allows.
  return isVouched(live) && !needs.answers?.includes('cors') ? 'serve' : 'comparison'
}

/** The chosen rules and all that they need, each after what it needs; otherwise in their given order. */
function inOrderOfNeeds(rules: readonly Rule[], chosen: ReadonlySet<string>): readonly Rule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const ordered = new Set<Rule>()
  const add = (rule: Rule) => {
    if (ordered.has(rule)) return
    const reporters = (rule.saidBy ?? []).filter((id) => chosen.has(id))
    for (const id of [...(rule.needs?.rules ?? []), ...(rule.needs?.comparison ?? []), ...reporters]) {
      const needed = byId.get(id)
      if (needed !== undefined) add(needed)
    }
    ordered.add(rule)
  }
  for (const rule of rules) if (chosen.has(rule.id)) add(rule)
  return [...ordered]
}

const LIMITED =
  'A rate limit (429, or 503 with Retry-After) turned requests away, so not everything could be tested. Try again later, or exempt the check from the limit'

const MISSING: Readonly<Record<FactName, (facts: Facts) => string | undefined>> = {
  pages: ({ pages, pagesBySite }) => {
    if (pages.length === 0) return 'no pages are given'
    return pagesBySite.size === 0 ? 'no page has a URL that can be read' : undefined
  },
  cookies: ({ cookies }) => (cookies.length === 0 ? 'the config lists no "cookies"' : undefined),
  service: ({ service }) => (service === undefined ? 'no service is given' : undefined),
  backTransfer: ({ backTransfer }) => (backTransfer ? undefined : 'backTransfer is off'),
}
