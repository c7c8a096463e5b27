import { type LiveFact, type Observation, observationsFor } from './live-fact.ts'

/** What is vouched for this question and its answer. */
export function vouchedOf({ vouched }: Observation) {
  return vouched?.kind === 'fresh' ? vouched : undefined
}

/** Whether continuation-point is behind the front end and vouches: then what it doesn't vouch for did not reach it. */
export function isVouched(fact: LiveFact): boolean {
  return observationsFor(fact, 'verification').some((each) => vouchedOf(each) !== undefined)
}
