import { arrivesAsSent } from './cookie-line.ts'
import { type LiveFact, type Observation, observationsFor, verificationReply } from './live-fact.ts'
import type { Purpose } from './question.ts'
import { isAddedRedirect } from './redirect.ts'
import { isTelling } from './reply-text.ts'
import { readStandIn, standInMethod } from './stand-in-report.ts'
import { findCacheMarks, isStale, showsStoredResponse } from './stored-responses.ts'

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
interface Troubles {
  /** Exchanges whose answer tells nothing of their question. */
  readonly spoiled: ReadonlyMap<Observation, Trouble>
  /** Everything that shows in some answer, whether it spoiled one or not. */
  readonly shown: readonly Trouble[]
}

/** Finds what kept the answers of a point from telling something; of several troubles the first here counts. */
export function findTroubles(fact: LiveFact): Troubles {
  const spoiled = new Map<Observation, Trouble>()
  const add = (observations: readonly Observation[], trouble: Trouble) => {
    for (const each of observations) if (!spoiled.has(each)) spoiled.set(each, trouble)
  }
  const redirected = fact.observations.filter(isAddedRedirect)
  add(redirected, { kind: 'redirected' })
  add(findStored(fact), { kind: 'stored' })
  add(fact.observations.filter(isRateLimited), { kind: 'rate-limited' })
  const silent = fact.observations.filter(hangsUp)
  const since = silent.find(({ question }) => HANGING.includes(question.purpose))?.question.purpose
  if (since !== undefined) {
    const later = silent.filter(({ question }) => question.purpose !== since)
    add(later, { kind: 'hung-up', since })
  }
  if (isShortLineLost(fact)) add(observationsFor(fact, 'header-size'), { kind: 'no-cookie-line' })
  if (areDeepPathsLost(fact)) {
    const kind = redirected.length > 0 ? 'redirected' : 'no-deep-path'
    add(observationsFor(fact, ...DEEP), { kind })
  }
  add(observationsFor(fact, ...DEEP).filter(isCut), { kind: 'no-deep-path' })
  const stored: readonly Trouble[] = showsCache(fact) ? [{ kind: 'stored' }] : []
  return { spoiled, shown: [...spoiled.values(), ...stored] }
}

// An old answer to the verification question still shows who answers.
function findStored(fact: LiveFact): readonly Observation[] {
  const stale = fact.observations.filter((each) => isStale(each) && each.question.purpose !== 'verification')
  return showsStoredResponse(fact) ? [...stale, ...findStoredHead(observationsFor(fact, 'method'))] : stale
}

// A cache answers HEAD with what it keeps of GET, or asks GET in its place. Where other methods are lost as well, HEAD
// is one of them.
function findStoredHead(observations: readonly Observation[]): readonly Observation[] {
  const isHead = ({ question }: Observation) => question.method === 'HEAD'
  const isLost = ({ reply }: Observation) => readStandIn(reply) === undefined && isTelling(reply)
  if (observations.some((each) => !isHead(each) && isLost(each))) return []
  return observations.filter((each) => isHead(each) && isLost(each) && standInMethod(each.reply) !== 'HEAD')
}

function showsCache(fact: LiveFact): boolean {
  return showsStoredResponse(fact) || findCacheMarks(fact).length > 0
}

function isRateLimited({ reply }: Observation): boolean {
  return reply.kind === 'none' && reply.cause === 'rate-limited'
}

function hangsUp({ reply }: Observation): boolean {
  return reply.kind === 'none' && isTelling(reply)
}

function isShortLineLost(fact: LiveFact): boolean {
  const [short] = observationsFor(fact, 'cookie')
  return short?.reply.kind === 'response' && arrivesAsSent(short) === false
}

function areDeepPathsLost(fact: LiveFact): boolean {
  if (readStandIn(verificationReply(fact)) === undefined) return false
  const deep = observationsFor(fact, 'method').find(({ question }) => question.method === 'GET')
  return deep?.reply.kind === 'response' && readStandIn(deep.reply) === undefined
}

/** A question to a test resource that arrived elsewhere at the service. */
function isCut({ reply }: Observation): boolean {
  const target = readStandIn(reply)?.received.target
  return target !== undefined && !target.includes('/_stand-in/')
}

// A front end that hangs up begins here; others may have a cause of their own: a large head, CORS.
const HANGING: readonly Purpose[] = ['method', 'redirect', 'set-cookie', 'cookie']
const DEEP: readonly Purpose[] = ['redirect', 'set-cookie', 'nonce']
