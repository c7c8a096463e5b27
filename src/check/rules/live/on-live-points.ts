import type { LiveFact } from '../../read/live-fact.ts'
import { pointCase, type Rule, type Ruling, skip } from '../../rule.ts'

/** Judges what was observed of every point; no entry at all when nobody was asked. */
export function onLivePoints(judge: (fact: LiveFact) => Ruling): Rule['evaluate'] {
  return ({ points, live }) => {
    if (live === undefined) return []
    return points.map((point) => {
      const fact = live.get(point)
      if (fact === undefined) return { ...pointCase(point), judge: () => skip('the point was not asked') }
      return { ...pointCase(point), live: fact, judge: () => judge(fact) }
    })
  }
}

/** Rules of the two fields that the front end sets: to wrong ones a service may give other answers. */
export const FIELD_RULES = ['live/origin', 'live/widget-key'] as const
