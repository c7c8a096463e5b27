import { readContrasts } from './contrast.ts'
import type { LiveFact, Observation, Purpose } from './live-fact.ts'
import { isVouched, observationsFor, standInOf, vouchedOf } from './observations.ts'
import { isAddedRedirect } from './redirect.ts'
import { describeReply, isConclusive, NO_ANSWER } from './reply.ts'
import { arrivesAsSent, standInMethod } from './stand-in-report.ts'
import { findCacheMarks, isStale, showsStoredResponse } from './stored-responses.ts'

/** What came in place of an answer, so that it says nothing about its question, and the rule that reports it. */
export interface Trouble {
  readonly instead: string
  readonly rule?: string
}

/** `spoiled`: answers that say nothing about their question, by the first trouble; `shown`: all that show in any answer. */
export function findTroubles(fact: LiveFact) {
  const spoiled = new Map<Observation, Trouble>()
  const add = (observations: readonly Observation[], trouble: Trouble) => {
    for (const each of observations) if (!spoiled.has(each)) spoiled.set(each, trouble)
  }
  const redirected = fact.observations.filter(isAddedRedirect)
  add(redirected, REDIRECTED)
  add(findStored(fact), STORED)
  const isLimited = ({ reply }: Observation) => reply.kind === 'none' && reply.cause === 'rate-limited'
  add(fact.observations.filter(isLimited), LIMITED)
  // Their rules say what came of each.
  const own = observationsFor(fact, 'verification', 'method', 'file')
  const late = fact.observations.filter((each) => isLate(each) && !own.includes(each))
  add(late, { instead: 'no answer came in time' })
  const silent = fact.observations.filter(({ reply }) => reply.kind === 'none' && isConclusive(reply))
  const first = silent.find(({ question }) => HANGING[question.purpose] !== undefined)?.question.purpose
  const unanswered = first && HANGING[first]
  const others = silent.filter(({ question }) => question.purpose !== first)
  if (unanswered !== undefined) add(others, unanswered)
  const [short] = observationsFor(fact, 'cookie')
  const isLost =
    readContrasts(fact, 'cookie').some(({ outcome }) => outcome === 'lost') ||
    (short !== undefined && vouchedOf(short)?.arrived.cookies === false)
  const isChanged = short !== undefined && standInOf(fact) !== undefined && arrivesAsSent(short) === false
  if (short?.reply.kind === 'response' && (isLost || isChanged))
    add(observationsFor(fact, 'header-size'), NO_COOKIE_LINE)
  if (areDeepPathsLost(fact))
    add(observationsFor(fact, ...DEEP), redirected.length > 0 ? REDIRECTED : NO_DEEP_PATH)
  // A question to a test resource that arrived at another path of the service.
  const isCut = ({ reply }: Observation) => reply.standIn?.received.target.includes('/_stand-in/') === false
  add(observationsFor(fact, ...DEEP).filter(isCut), NO_DEEP_PATH)
  const shown = new Set(spoiled.values())
  if (showsStoredResponse(fact) || findCacheMarks(fact).length > 0) shown.add(STORED)
  return { spoiled, shown }
}

/** Why answers are missing, if one did not come in time: the same for all rules, so that it is said once. */
export function explainUnanswered({ observations }: LiveFact): string | undefined {
  const late = observations.find(isLate)
  return (
    late &&
    `Not every request was answered, and the remaining ones were not sent. ${late.question.method}: ${describeReply(late.reply)}. Look the request up in the log of the web server, or try again`
  )
}

function isLate({ reply }: Observation): boolean {
  return reply.kind === 'none' && ['timeout', 'gave-up'].includes(reply.cause)
}

// A stored answer to the verification question still shows who answered it.
function findStored(fact: LiveFact): readonly Observation[] {
  const stale = fact.observations.filter((each) => isStale(each) && each.question.purpose !== 'verification')
  return showsStoredResponse(fact) ? [...stale, ...findStoredHead(fact)] : stale
}

// A cache answers HEAD from a stored GET, or sends GET instead. If other methods are lost as well, it is not why.
function findStoredHead(fact: LiveFact): readonly Observation[] {
  const observations = observationsFor(fact, 'method')
  const isHead = ({ question }: Observation) => question.method === 'HEAD'
  const hasArrived = (each: Observation) =>
    isVouched(fact)
      ? vouchedOf(each)?.arrived.method === true
      : each.reply.standIn !== undefined || (isHead(each) && standInMethod(each.reply) === 'HEAD')
  const isLost = (each: Observation) => isConclusive(each.reply) && !hasArrived(each)
  if (observations.some((each) => !isHead(each) && isLost(each))) return []
  return observations.filter((each) => isHead(each) && isLost(each))
}

function areDeepPathsLost(fact: LiveFact): boolean {
  if (standInOf(fact) === undefined) return false
  const deep = observationsFor(fact, 'method').find(({ question }) => question.method === 'GET')
  return deep?.reply.kind === 'response' && deep.reply.standIn === undefined
}

// If one of these gets no answer, its own rule is to blame. Other questions may fail for other reasons: a large head, CORS.
const HANGING: Readonly<Partial<Record<Purpose, Trouble>>> = {
  method: { instead: NO_ANSWER.closed, rule: 'live/methods' },
  redirect: { instead: NO_ANSWER.closed, rule: 'live/redirect' },
  'set-cookie': { instead: NO_ANSWER.closed, rule: 'live/set-cookie' },
  cookie: { instead: NO_ANSWER.closed, rule: 'live/set-cookie' },
}

const REDIRECTED: Trouble = {
  instead: 'your web server or proxy answers with a redirect of its own',
  rule: 'live/redirect',
}
const STORED: Trouble = { instead: 'a stored answer came back', rule: 'live/cached' }
const NO_DEEP_PATH: Trouble = { instead: "paths below the point's own don't arrive", rule: 'live/methods' }
const NO_COOKIE_LINE: Trouble = {
  instead: "a Cookie line doesn't arrive as it was sent",
  rule: 'live/set-cookie',
}
/** Neither is a fault. */
const LIMITED: Trouble = { instead: 'a rate limit turned the requests away' }

const DEEP: readonly Purpose[] = ['redirect', 'set-cookie', 'nonce', 'long-answer', 'error']
