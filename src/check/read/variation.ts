import { valuesOf } from '../../http/fields.ts'
import { isLimit, isOwnErrorPage } from './front-end.ts'
import type { LiveFact, Observation } from './live-fact.ts'
import { isVouched, standInOf, vouchedOf } from './observations.ts'
import { readOwnRefusal } from './own-refusal.ts'
import { isAddedRedirect } from './redirect.ts'
import { isConclusive, isSameKind } from './reply.ts'
import { arrivesAsSent, standInMethod } from './stand-in-report.ts'
import { isStale } from './stored-responses.ts'

/** Answers that came from the service for some questions, and from something else for others like them. */
export type Variation = NonNullable<ReturnType<typeof findVariation>>

/** Finds whether asking again helped, or a limit stopped some of the `asked` questions; gives the most frequent kind alone. */
export function findVariation(fact: LiveFact) {
  const all = fact.observations.flatMap((each) => [each, ...(each.attempts ?? [])])
  const foreign = all.filter((each) => isForeign(each, fact))
  const differing = fact.observations.flatMap((each) =>
    isForeign(each, fact) ? [] : (each.attempts?.filter((one) => isForeign(one, fact)) ?? []),
  )
  const varying = [...differing, ...foreign.filter((each) => isLimited(each, fact) || isGateways(each))]
  if (foreign.length === all.length) return undefined
  const kinds = varying.map((one) => foreign.filter((each) => isSame(each, one)))
  const [most] = kinds.sort((a, b) => b.length - a.length)
  return most && { foreign: most, asked: all.length }
}

/** Whether something other than the service answered, or the request reached it changed, as far as that shows. */
export function isForeign(observation: Observation, fact: LiveFact): boolean {
  return isChanged(observation, fact) || isStrange(observation, fact)
}

/** Whether the request reached the service, but not as it was sent. */
export function isChanged(observation: Observation, { servicePath }: LiveFact): boolean {
  const { question, reply } = observation
  // A cache answers with what another question got, and asks with GET for HEAD.
  if (question.method === 'HEAD' || isStale(observation)) return false
  const received = reply.standIn?.received
  if (received === undefined) return Object.values(vouchedOf(observation)?.arrived ?? {}).includes(false)
  if (received.method !== question.method || received.target !== `${servicePath}${question.rest}`) return true
  return valuesOf(question.fields, 'cookie').length > 0 && arrivesAsSent(observation) === false
}

function isStrange(observation: Observation, fact: LiveFact): boolean {
  const { question, reply, direct, vouched } = observation
  if (reply.kind === 'response' && reply.fault !== undefined) return false
  if (!isConclusive(reply) || vouched?.kind === 'stored' || isAddedRedirect(observation)) return false
  if (standInOf(fact) !== undefined) {
    if (reply.standIn !== undefined || standInMethod(reply) !== undefined) return false
    return question.purpose !== 'preflight' || reply.kind === 'none' || reply.status >= 400
  }
  if (isVouched(fact)) return vouchedOf(observation) === undefined
  return direct?.kind === 'response' && !isSameKind(direct, reply)
}

function isSame({ reply: a }: Observation, { reply: b }: Observation): boolean {
  return a.kind === 'none' ? b.kind === 'none' : isSameKind(a, b)
}

/** The next hop did not answer, whatever it was asked. Only a large body may itself be the reason. */
function isGateways({ question, reply }: Observation): boolean {
  if (reply.kind === 'none' || ![502, 503, 504].includes(reply.status)) return false
  return (
    !/^(?:response|body)-size$/.test(question.purpose) &&
    readOwnRefusal(reply) === undefined &&
    isOwnErrorPage(reply)
  )
}

/** A limit on the rate would have stopped any other question in its place. */
function isLimited({ reply }: Observation, fact: LiveFact): boolean {
  return reply.kind === 'response' && readOwnRefusal(reply) === undefined && isLimit(reply.status, fact)
}
