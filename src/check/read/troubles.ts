import { valuesOf } from '../../http/fields.ts'
import { arrivesAsSent } from './cookie-line.ts'
import { type Exchange, exchangesFor, type LiveFact, verificationReply } from './live-fact.ts'
import type { Purpose } from './question.ts'
import { isTelling } from './reply-text.ts'
import { readStandIn, standInMethod } from './stand-in-answer.ts'
import { findCacheMarks, isStale, showsStoredAnswer } from './stored-answers.ts'

/** Why an answer tells nothing of what was asked: something else came in its place. */
export type Trouble =
  /** A redirect that the service did not give. */
  | { readonly kind: 'redirected' }
  /** What the service answered to another request. */
  | { readonly kind: 'stored' }
  /** Nothing, as to an earlier question of this purpose: a front end that hangs up has one fault, where it began. */
  | { readonly kind: 'hung-up'; readonly since: Purpose }
  /** No path below the point's own arrives, so the test resources there tell nothing. */
  | { readonly kind: 'no-deep-path' }
  /** Even the short Cookie line does not arrive as it was sent. */
  | { readonly kind: 'no-cookie-line' }
  | { readonly kind: 'rate-limited' }

/** What went wrong with the answers of one point. */
export interface Troubles {
  /** Exchanges whose answer tells nothing of their question. */
  readonly spoiled: ReadonlyMap<Exchange, Trouble>
  /** Everything that shows in some answer, whether it spoiled one or not. */
  readonly shown: readonly Trouble[]
}

/** Finds what kept the answers of a point from telling something; of several troubles the first here counts. */
export function findTroubles(fact: LiveFact): Troubles {
  const spoiled = new Map<Exchange, Trouble>()
  const add = (exchanges: readonly Exchange[], trouble: Trouble) => {
    for (const each of exchanges) if (!spoiled.has(each)) spoiled.set(each, trouble)
  }
  const redirected = fact.exchanges.filter(isAddedRedirect)
  add(redirected, { kind: 'redirected' })
  add(findStored(fact), { kind: 'stored' })
  add(fact.exchanges.filter(isRateLimited), { kind: 'rate-limited' })
  const silent = fact.exchanges.filter(hangsUp)
  const since = silent.find(({ question }) => HANGING.includes(question.purpose))?.question.purpose
  if (since !== undefined) {
    const later = silent.filter(({ question }) => question.purpose !== since)
    add(later, { kind: 'hung-up', since })
  }
  if (isShortLineLost(fact)) add(exchangesFor(fact, 'header-size'), { kind: 'no-cookie-line' })
  if (areDeepPathsLost(fact)) {
    const kind = redirected.length > 0 ? 'redirected' : 'no-deep-path'
    add(exchangesFor(fact, ...DEEP), { kind })
  }
  add(exchangesFor(fact, ...DEEP).filter(isCut), { kind: 'no-deep-path' })
  const stored: readonly Trouble[] = showsCache(fact) ? [{ kind: 'stored' }] : []
  return { spoiled, shown: [...spoiled.values(), ...stored] }
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

// An old answer to the verification question still shows who answers.
function findStored(fact: LiveFact): readonly Exchange[] {
  const stale = fact.exchanges.filter((each) => isStale(each) && each.question.purpose !== 'verification')
  return showsStoredAnswer(fact) ? [...stale, ...findStoredHead(exchangesFor(fact, 'method'))] : stale
}

// A cache answers HEAD with what it keeps of GET, or asks GET in its place. Where other methods are lost as well, HEAD
// is one of them.
function findStoredHead(exchanges: readonly Exchange[]): readonly Exchange[] {
  const isHead = ({ question }: Exchange) => question.method === 'HEAD'
  const isLost = ({ reply }: Exchange) => readStandIn(reply) === undefined && isTelling(reply)
  if (exchanges.some((each) => !isHead(each) && isLost(each))) return []
  return exchanges.filter((each) => isHead(each) && isLost(each) && standInMethod(each.reply) !== 'HEAD')
}

function showsCache(fact: LiveFact): boolean {
  return showsStoredAnswer(fact) || findCacheMarks(fact).length > 0
}

function isRateLimited({ reply }: Exchange): boolean {
  return reply.kind === 'none' && reply.cause === 'rate-limited'
}

function hangsUp({ reply }: Exchange): boolean {
  return reply.kind === 'none' && isTelling(reply)
}

function isShortLineLost(fact: LiveFact): boolean {
  const [short] = exchangesFor(fact, 'cookie')
  return short?.reply.kind === 'answer' && arrivesAsSent(short) === false
}

function areDeepPathsLost(fact: LiveFact): boolean {
  if (readStandIn(verificationReply(fact)) === undefined) return false
  const deep = exchangesFor(fact, 'method').find(({ question }) => question.method === 'GET')
  return deep?.reply.kind === 'answer' && readStandIn(deep.reply) === undefined
}

/** A question to a test resource that arrived elsewhere at the service. */
function isCut({ reply }: Exchange): boolean {
  const target = readStandIn(reply)?.received.target
  return target !== undefined && !target.includes('/_stand-in/')
}

// A front end that hangs up begins here; others may have a cause of their own: a large head, CORS.
const HANGING: readonly Purpose[] = ['method', 'redirect', 'set-cookie', 'cookie']
const DEEP: readonly Purpose[] = ['redirect', 'set-cookie', 'nonce']
