import { verificationReply } from '../../live/live-fact.ts'
import type { Step } from '../../live/on-live-points.ts'
import { readStandIn } from '../../live/stand-in-answer.ts'
import { pass } from '../../rule.ts'
import { SERVICE_STEPS } from './forwarded.ts'
import { originStep } from './origin.ts'
import { widgetKeyStep } from './widget-key.ts'

/**
 * What everything waits for that compares with direct answers: to wrong fields a service may give another status, or
 * no cookies. Where it says what arrived, nothing else hangs on the fields.
 */
export const COMPARISON_STEPS: readonly Step[] = [
  ...SERVICE_STEPS,
  ...[originStep, widgetKeyStep].map(whereCompared),
]

function whereCompared({ id, judge }: Step): Step {
  return {
    id,
    judge(fact, facts) {
      if (readStandIn(verificationReply(fact)) !== undefined) return pass
      const ruling = judge(fact, facts)
      return ruling.outcome === 'fail' ? ruling : pass
    },
  }
}
