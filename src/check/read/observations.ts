import type { LiveFact, Observation, Purpose, Reply } from './live-fact.ts'
import type { StandInReport } from './stand-in.ts'

/** The observations of questions with these purposes, in the order of asking. */
export function observationsFor(fact: LiveFact, ...purposes: readonly Purpose[]): readonly Observation[] {
  return fact.observations.filter(({ question }) => purposes.includes(question.purpose))
}

/** The reply to the first question, the verification page's. */
export function verificationReply(fact: LiveFact): Reply | undefined {
  return observationsFor(fact, 'verification')[0]?.reply
}

/** What the stand-in reported of the verification question; `undefined` if the service doesn't say what arrived. */
export function standInOf(fact: LiveFact): StandInReport | undefined {
  return verificationReply(fact)?.standIn
}

/** What is vouched for this question and its answer. */
export function vouchedOf({ vouched }: Observation) {
  return vouched?.kind === 'fresh' ? vouched : undefined
}

/** Whether continuation-point is behind the front end and vouches: then what it doesn't vouch for did not reach it. */
export function isVouched(fact: LiveFact): boolean {
  return observationsFor(fact, 'verification').some((each) => vouchedOf(each) !== undefined)
}

/** Whether continuation-point sends the widget key of the config each time; `undefined` if either doesn't say. */
export function isKeyVouched({ widgetKeySha256, observations }: LiveFact): boolean | undefined {
  const told = observations.flatMap((each) => vouchedOf(each)?.isConfigsKey ?? [])
  return widgetKeySha256 === undefined || told.length === 0 ? undefined : !told.includes(false)
}
