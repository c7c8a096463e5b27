import type { Probe } from '../../probe/probe.ts'
import type { Observation, Question } from '../read/live-fact.ts'
import { retryAfterMs } from './asker.ts'

/** Asks a point. `direct`: the service's own answer to the question, where it is needed for comparison. */
export type Observe = (question: Question, direct?: Observation['direct']) => Promise<Observation>

/**
 * Asks again what something other than the service answered, so that answers that vary are told from a fault that stays.
 * Once they do, or after some repetitions without a difference, each question is asked once.
 */
export function askAgain(
  observe: Observe,
  isForeign: (observation: Observation) => boolean,
  pause: Probe['pause'],
): Observe {
  let left = MOST_REPETITIONS
  return async (question, direct) => {
    const attempts = [await observe(question, direct)]
    // A limit that says when to come back was waited for.
    const mayDiffer = (each: Observation) => isForeign(each) && retryAfterMs(each.reply) === undefined
    while (left > 0 && attempts.length < MOST_ATTEMPTS && attempts.every(mayDiffer)) {
      left -= 1
      // The next of several servers may answer at once, a limit on the rate only after a while.
      if (attempts.length > 1 && attempts.some(isBusy)) await pause(PAUSE_MS)
      attempts.push(await observe(question, direct))
    }
    const [first, ...others] = attempts
    const best = attempts.find((each) => !isForeign(each)) ?? first
    if (best === undefined) throw new Error('A question was not asked')
    if (best !== first) left = 0
    return others.length === 0 ? best : { ...best, attempts: attempts.filter((each) => each !== best) }
  }
}

function isBusy({ reply }: Observation): boolean {
  return reply.kind === 'response' && [429, 502, 503, 504].includes(reply.status)
}

const MOST_ATTEMPTS = 3
const MOST_REPETITIONS = 8
const PAUSE_MS = 1000
