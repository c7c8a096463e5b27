import type { FrontEndName } from '../config/front-end-names.ts'
import { findBlame, type Standing, type Standings } from './blame.ts'
import type { Facts } from './facts.ts'
import { type Finding, type Located, toSubjectKey } from './finding.ts'
import { resolveFix } from './fix.ts'
import type { LiveFact } from './read/live-fact.ts'
import { type Proof, weighProof } from './read/vouched.ts'
import { type Case, inconclusive, pass, type Rule, type Ruling, skip } from './rule.ts'

/**
 * Orders rules so that each comes after those it needs, and returns a function that applies them to facts. A rule whose
 * needs are not met is not judged; its finding names the rule at the root. A rule that throws yields one `crashed`
 * finding, and the others still run.
 *
 * @param rules all rules: a needed rule is judged even if it was not chosen
 * @param chosen ids of the rules whose findings are returned
 */
export function compileRules(
  rules: readonly Rule[],
  chosen: ReadonlySet<string>,
): (facts: Facts) => readonly Finding[] {
  const wanted = rules.filter(({ id }) => chosen.has(id))
  const ordered = inOrderOfNeeds(rules, chosen)
  return (facts) => {
    const findings = runAll(ordered, chosen, facts)
    return wanted.flatMap(({ id }) => findings.get(id) ?? [])
  }
}

function runAll(
  ordered: readonly Rule[],
  chosen: ReadonlySet<string>,
  facts: Facts,
): ReadonlyMap<string, readonly Finding[]> {
  const standings = new Map<string, ReadonlyMap<string, Standing>>()
  const findings = new Map<string, readonly Finding[]>()
  for (const rule of ordered) {
    const results = runSafely(rule, { chosen, facts, standings })
    const own = results.map(({ finding }) => finding)
    findings.set(rule.id, own)
    const unmet = results.flatMap(({ finding, standing }) =>
      standing === undefined ? [] : [[toSubjectKey(finding), standing] as const],
    )
    standings.set(rule.id, new Map(unmet))
  }
  return findings
}

/** What a rule is judged with. */
interface Context {
  readonly chosen: ReadonlySet<string>
  readonly facts: Facts
  readonly standings: Standings
}

interface Result {
  readonly finding: Finding
  /** Absent if the rule holds, or says nothing. */
  readonly standing?: Standing | undefined
}

function runSafely(rule: Rule, context: Context): readonly Result[] {
  try {
    return rule.evaluate(context.facts).map((each) => run(rule, each, context))
  } catch (error) {
    // Only the error's name: its message may quote the input.
    const kind = error instanceof Error ? error.name : 'an unknown error'
    const message = `this rule crashed (${kind}); the others are not affected. Please report it with its id`
    const about = { subject: { setting: rule.id }, location: undefined }
    const finding = makeFinding(rule, about, pass)
    return [{ finding: { ...finding, outcome: 'crashed', message, topic: message } }]
  }
}

function run(rule: Rule, each: Case, context: Context): Result {
  const unmet = findBlame(rule, each, context.facts, context.standings)
  if (unmet?.kind === 'missing') return { finding: makeFinding(rule, each, skip(unmet.message)) }
  if (unmet?.kind === 'failed') return skipCase(rule, each, unmet, context)
  if (unmet?.kind === 'inconclusive') {
    const finding = makeFinding(rule, each, inconclusive(unmet.message))
    return { finding: { ...finding, because: unmet.root }, standing: unmet }
  }
  const ruling = each.judge()
  const root = ruling.outcome === 'fail' ? findReporter(rule, each, context) : undefined
  if (root !== undefined && ruling.outcome === 'fail') {
    return skipCase(rule, each, { kind: 'failed', root, message: ruling.message }, context)
  }
  const finding = makeFinding(rule, each, ruling, context.facts.frontEnd)
  return { finding, standing: standingOf(rule, ruling) }
}

function standingOf({ id }: Rule, ruling: Ruling): Standing | undefined {
  if (ruling.outcome === 'inconclusive' && ruling.holds) return undefined
  if (ruling.outcome === 'inconclusive') return { kind: 'inconclusive', root: id, message: ruling.message }
  // A failure milder than its rule (a certificate that expires soon) doesn't stop rules that depend on it.
  const isFailed = ruling.outcome === 'fail' && ruling.severity === undefined
  return isFailed ? { kind: 'failed', root: id, message: ruling.message } : undefined
}

/** If the rule at the root was not chosen, its message is given here, since it is in no other finding. */
function skipCase(rule: Rule, each: Case, standing: Standing, { chosen }: Context): Result {
  const { root } = standing
  const message = chosen.has(root)
    ? `because ${root} failed`
    : `${root} was left out, but it fails: ${standing.message}`
  return { finding: { ...makeFinding(rule, each, skip(message)), because: root }, standing }
}

/** The rule that failed and reports the same fault. */
function findReporter({ saidBy = [] }: Rule, each: Case, { chosen, standings }: Context): string | undefined {
  const keys = [each, ...(each.settings ?? [])].map(toSubjectKey)
  return saidBy.find(
    (id) => chosen.has(id) && keys.some((key) => standings.get(id)?.get(key)?.kind === 'failed'),
  )
}

function makeFinding(
  rule: Rule,
  { subject, location, live }: Located & Pick<Case, 'live'>,
  ruling: Ruling,
  frontEnd?: FrontEndName,
): Finding {
  const failure = ruling.outcome === 'fail' ? ruling : undefined
  const message = ('message' in ruling ? ruling.message : undefined) ?? rule.title
  return {
    id: rule.id,
    outcome: ruling.outcome,
    severity: failure?.severity ?? rule.severity,
    subject,
    message,
    fix: failure && resolveFix(failure.fix, live, frontEnd),
    evidence: failure?.evidence ?? {},
    location,
    because: undefined,
    topic: failure?.topic ?? message,
    suppressed: undefined,
    proof: ruling.outcome === 'pass' ? (ruling.proof ?? findProof(rule, live)) : undefined,
  }
}

/** Connections are observed; what comes after them has to be proven. */
function findProof({ needs }: Rule, live: LiveFact | undefined): Proof | undefined {
  const isAnswered = needs?.answers !== undefined || needs?.rules?.includes('live/forwarded') === true
  return live !== undefined && isAnswered ? weighProof(live, needs?.answers) : undefined
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
