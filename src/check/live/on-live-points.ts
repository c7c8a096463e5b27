import type { Facts } from '../facts.ts'
import { because, onPoints, type Rule, type Ruling, skip } from '../rule.ts'
import type { LiveFact } from './live-fact.ts'

/** A rule that others wait for: when it failed, what they would see says nothing of their own subject. */
export interface Step {
  readonly id: string
  judge(fact: LiveFact, facts: Facts): Ruling
}

/** Judges what was observed of every point, where `steps` let it; no entry at all when nobody was asked. */
export function onLivePoints(judge: Step['judge'], steps: readonly Step[]): Rule['evaluate'] {
  const evaluate = onPoints((point, facts) => {
    const fact = facts.live?.get(point)
    if (fact === undefined) return skip('the point was not asked')
    return findObstacle(fact, facts, steps) ?? judge(fact, facts)
  })
  return (facts) => (facts.live === undefined ? [] : evaluate(facts))
}

/** The first step that stands in the way, as the ruling of whoever comes after it. */
export function findObstacle(fact: LiveFact, facts: Facts, steps: readonly Step[]): Ruling | undefined {
  for (const step of steps) {
    const ruling = step.judge(fact, facts)
    if (ruling.outcome === 'inconclusive') return ruling
    // What fails more mildly than its rule (a certificate that soon expires) stands in nobody's way.
    if (ruling.outcome === 'fail' && ruling.severity === undefined) return because(step.id)
  }
  return undefined
}

/** A point whose URL is no good is asked nothing, one that stands twice once, and one that the widget ignores is no point. */
export const URL_RULES = ['url/invalid', 'url/prefix', 'url/duplicate', 'url/cross-site'] as const
