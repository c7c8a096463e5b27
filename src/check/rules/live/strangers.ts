import { listMembers, valuesOf } from '../../../http/fields.ts'
import type { ProbeReply } from '../../../probe/probe.ts'
import { type LiveFact, type Observation, observationsFor, STRANGER_ORIGIN } from '../../read/live-fact.ts'
import { describeReply, isConclusive, isSameKind } from '../../read/reply.ts'
import { standInMethod, standInOf } from '../../read/stand-in-report.ts'
import { isVouched, vouchedOf } from '../../read/vouched.ts'
import { fail, inconclusive, pass, type Ruling } from '../../rule.ts'

export function isFromStranger({ question }: Observation): boolean {
  return valuesOf(question.fields, 'origin').includes(STRANGER_ORIGIN)
}

/** Whether the front end allows an unknown origin more than the service does. */
export function judgeStranger(observation: Observation, fact: LiveFact): Ruling {
  const { question, reply } = observation
  const isPreflight = question.purpose === 'preflight'
  // live/methods reports it, and its fix takes the answer away.
  if (isPreflight && isOptionsLost(fact)) return pass
  if (!isConclusive(reply)) return leaveOpen(describeReply(reply))
  if (isPreflight && !isSuccess(reply)) return pass
  const allowed = countAllowed(reply)
  if (allowed === ALLOWED.nothing) return pass
  if (allowed <= readAllowedByService(observation, fact)) return pass
  if (standInOf(fact) === undefined && observation.direct?.kind !== 'response')
    return leaveOpen('the service gave no answer to compare with')
  const [arrived] = allowOrigins(reply)
  const may = isPreflight ? 'send requests to the point' : "read the point's answers"
  const cookies = allowed === ALLOWED.withCookies ? ", with the visitor's cookies" : ''
  return fail(
    `Pages of any website may ${may}${cookies}: Access-Control-Allow-Origin is ${arrived} for Origin ${STRANGER_ORIGIN}`,
    { what: FIX, remedy: (advice) => advice.leaveCrossOrigin },
    { field: 'access-control-allow-origin', origin: STRANGER_ORIGIN, arrived, to: question.method },
  )
}

/** The stand-in allows no other origins than those of its account. */
function readAllowedByService({ direct }: Observation, fact: LiveFact): number {
  return standInOf(fact) !== undefined || direct === undefined ? ALLOWED.nothing : countAllowed(direct)
}

/** What a browser lets a page of the stranger do. It sends no cookies if any origin is allowed by `*`. */
function countAllowed(reply: ProbeReply): number {
  const [origin] = allowOrigins(reply)
  if (reply.kind === 'none' || origin === undefined) return ALLOWED.nothing
  const isForCookies = valuesOf(reply.fields, 'access-control-allow-credentials').includes('true')
  return origin !== '*' && isForCookies ? ALLOWED.withCookies : ALLOWED.withoutCookies
}

/** The values that allow the stranger. */
function allowOrigins(reply: ProbeReply): readonly string[] {
  if (reply.kind === 'none') return []
  const members = listMembers(valuesOf(reply.fields, 'access-control-allow-origin'))
  return members.filter((member) => member === '*' || member === STRANGER_ORIGIN)
}

/** Browsers take no other answer to a preflight for a permission. */
export function isSuccess(reply: ProbeReply): boolean {
  return reply.kind === 'response' && reply.status >= 200 && reply.status <= 299
}

/** Whether something other than the service answers OPTIONS that isn't a preflight. */
function isOptionsLost(fact: LiveFact): boolean {
  const plain = observationsFor(fact, 'method').find(({ question }) => question.method === 'OPTIONS')
  if (plain === undefined) return false
  if (standInOf(fact) !== undefined) return standInMethod(plain.reply) !== 'OPTIONS'
  if (isVouched(fact)) return vouchedOf(plain) === undefined
  return plain.direct !== undefined && !isSameKind(plain.reply, plain.direct)
}

function leaveOpen(why: string): Ruling {
  return inconclusive(`It isn't clear whether pages of other websites may use the point: ${why}`)
}

/** In ascending order. */
const ALLOWED = { nothing: 0, withoutCookies: 1, withCookies: 2 } as const

const FIX =
  'Remove what sets Access-Control-Allow-Origin and Access-Control-Allow-Credentials for the point: the service sends them to the origins that it allows'
