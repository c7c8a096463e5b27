import { type LiveFact, type Observation, observationsFor, type Purpose, type Vouched } from './live-fact.ts'
import { standInOf } from './stand-in-report.ts'

/** What is vouched for this question and its answer. */
export function vouchedOf({
  vouched,
}: Observation): Extract<Vouched, { readonly kind: 'fresh' }> | undefined {
  return vouched?.kind === 'fresh' ? vouched : undefined
}

/** Whether continuation-point is behind the front end and vouches: then what it doesn't vouch for did not reach it. */
export function isVouched(fact: LiveFact): boolean {
  return observationsFor(fact, 'verification').some((each) => vouchedOf(each) !== undefined)
}

/** What shows that a point is right: the service says what arrived, `serve` vouches for it, or answers were compared. */
export type Proof = 'service' | 'serve' | 'comparison'

/** The proof of a rule that judges the answers to these questions. Only the service knows which origins it allows. */
export function weighProof(fact: LiveFact, purposes: readonly Purpose[] = []): Proof {
  if (standInOf(fact) !== undefined) return 'service'
  return isVouched(fact) && !purposes.includes('cors') ? 'serve' : 'comparison'
}
