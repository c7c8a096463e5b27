import type { Advisor } from '../../front-ends/advisor.ts'
import { advisors } from '../../front-ends/advisors.ts'
import { valuesOf } from '../../http/fields.ts'
import type { ProbeReply, ProbeResponse } from '../../probe/probe.ts'
import type { LiveFact } from './live-fact.ts'

/** By Server and Via fields and error pages. A server that the service's direct answers name too is not taken for it. */
export function recogniseFrontEnd({ observations, direct, bare }: LiveFact): Advisor | undefined {
  const own = [direct?.right, bare].map(recognise)
  const found = observations.flatMap(({ reply }) => recognise(reply) ?? [])
  return found.find((each) => !own.includes(each))
}

function recognise(reply: ProbeReply | undefined): Advisor | undefined {
  if (reply?.kind !== 'response') return undefined
  const said = [...valuesOf(reply.fields, 'server'), ...valuesOf(reply.fields, 'via')].join(' ')
  return advisors.find((each) => each.field?.test(said) || isErrorPageOf(each, reply))
}

/** Whether the front end of a point says with this status that there were too many requests, or that it is in maintenance. */
export function isLimit(status: number | undefined, fact: LiveFact): boolean {
  return status === 429 || (status === 503 && recogniseFrontEnd(fact)?.limitsBy503 === true)
}

/** Whether an answer is an error page that the front end itself made. */
export function isOwnErrorPage(response: ProbeResponse): boolean {
  return advisors.some((each) => isErrorPageOf(each, response))
}

function isErrorPageOf({ errorPage }: Advisor, { status, body }: ProbeResponse): boolean {
  return status >= 400 && errorPage?.test(body.slice(0, PAGE_CHARACTERS)) === true
}

const PAGE_CHARACTERS = 1000
