import { valuesOf } from '../../http/fields.ts'
import { because, type Ruling } from '../rule.ts'
import { type Exchange, exchangesFor, type LiveFact, verificationReply } from './live-fact.ts'
import type { Purpose } from './question.ts'
import { isTelling, toReplyText } from './reply-text.ts'
import { readStandIn } from './stand-in-answer.ts'
import { isStale } from './stored-answers.ts'

/**
 * Tells when replies say nothing of a rule's own subject, because a redirect of the front end or an answer out of a
 * cache came instead, which is another rule's finding, or because a rate limit kept the check from asking.
 */
export function findInterference(exchanges: readonly Exchange[]): Ruling | undefined {
  if (exchanges.some(isAddedRedirect)) return because('live/redirect')
  if (exchanges.some(isStale)) return because('live/cached')
  const limited = exchanges.find(({ reply }) => reply.kind === 'none' && reply.cause === 'rate-limited')
  if (limited === undefined) return undefined
  const message = `Not everything could be observed: ${toReplyText(limited.reply)}. Try again later, or let the check through`
  return { outcome: 'inconclusive', message }
}

/**
 * Tells when a question of a rule went without an answer as one of another rule did before: a front end that hangs up
 * is one fault, of the rule where it began.
 */
export function findHangUp(fact: LiveFact, exchanges: readonly Exchange[]): Ruling | undefined {
  if (!exchanges.some(hangsUp)) return undefined
  const first = fact.exchanges.find((each) => hangsUp(each) && BLAMED_FOR_HANG_UP[each.question.purpose])
  const id = first && BLAMED_FOR_HANG_UP[first.question.purpose]
  return first === undefined || id === undefined || exchanges.includes(first) ? undefined : because(id)
}

function hangsUp({ reply }: Exchange): boolean {
  return reply.kind === 'none' && isTelling(reply)
}

/**
 * Tells when no path below the point's own arrives, so that the test resources there say nothing: live/methods finds
 * that by itself, or live/redirect where the front end redirects them.
 */
export function findDeepLoss(fact: LiveFact): Ruling | undefined {
  if (readStandIn(verificationReply(fact)) === undefined) return undefined
  const deep = exchangesFor(fact, 'method').find(({ question }) => question.method === 'GET')
  if (deep?.reply.kind !== 'answer' || readStandIn(deep.reply) !== undefined) return undefined
  return because(isAddedRedirect(deep) ? 'live/redirect' : 'live/methods')
}

/** A redirect that the service did not give. */
export function isAddedRedirect({ question, reply, direct }: Exchange): boolean {
  const location = redirectLocation(reply)
  if (location === undefined || question.purpose === 'redirect') return false
  if (readStandIn(reply) !== undefined) return false
  return direct === undefined || redirectLocation(direct) !== location
}

/** The Location of a redirect; the empty text where there is none. */
export function redirectLocation(reply: Exchange['reply']): string | undefined {
  if (reply.kind !== 'answer' || ![301, 302, 303, 307, 308].includes(reply.status)) return undefined
  return valuesOf(reply.fields, 'location')[0] ?? ''
}

/** The rule that fails where a question goes without an answer. Others may have a cause of their own: a large head, CORS. */
const BLAMED_FOR_HANG_UP: Readonly<Partial<Record<Purpose, string>>> = {
  method: 'live/methods',
  redirect: 'live/redirect',
  'set-cookie': 'live/set-cookie',
  cookie: 'live/set-cookie',
}
