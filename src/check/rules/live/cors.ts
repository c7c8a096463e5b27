import { listMembers, valuesOf } from '../../../http/fields.ts'
import { explainNeeds } from '../../read/contrast.ts'
import {
  type LiveFact,
  type Observation,
  PREFLIGHT_FIELDS,
  type Reply,
  STRANGER_ORIGIN,
} from '../../read/live-fact.ts'
import { isVouched, observationsFor, standInOf, vouchedOf } from '../../read/observations.ts'
import { describeReply, escapeAndCut, isConclusive, isSameKind, valuesIn } from '../../read/reply.ts'
import { STAND_IN } from '../../read/stand-in.ts'
import { standInMethod } from '../../read/stand-in-report.ts'
import { cite, fail, failAsRule, inconclusive, pass, type RulesById, type Ruling } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { FIELD_RULES } from './own-fields.ts'

export const corsRules: RulesById = {
  'live/cors': {
    title: "The service's CORS answers come through once and unchanged",
    why: 'Only the service knows which other origins may use the point; it says so in its answers, those to preflights included. If your web server or proxy answers OPTIONS itself, or adds Access-Control headers, browsers refuse pages that the service allows, or let any website read the answers. The check asks with the origins of the pages, and with one that no website has.',
    wrong: 'nginx: add_header Access-Control-Allow-Origin *; on the whole site',
    right: 'no CORS rule for the point: the service answers',
    fix: 'Let OPTIONS through to the service, and set no Access-Control header below the point.',
    remedy: (advice) => advice.leaveCrossOrigin,
    reference: cite('Fetch Standard', 'http-cors-protocol', 'CORS protocol'),
    needs: { rules: ['live/forwarded'], comparison: FIELD_RULES, answers: ['preflight', 'cors'] },
    evaluate: eachLivePoint((fact) => {
      const observations = observationsFor(fact, 'preflight', 'cors')
      if (observations.length === 0)
        return inconclusive(`Which origins may use the point could not be tested: ${explainNeeds(fact)}`)
      const rulings = observations.map((observation) =>
        originOf(observation) === STRANGER_ORIGIN
          ? judgeStranger(observation, fact)
          : judge(observation, fact),
      )
      const find = (outcome: Ruling['outcome']) => rulings.find((ruling) => ruling.outcome === outcome)
      return find('fail') ?? find('inconclusive') ?? pass
    }),
  },
}

function judge(observation: Observation, fact: LiveFact): Ruling {
  const origin = originOf(observation)
  const { reply, direct } = observation
  if (!isConclusive(reply)) return leaveOpen(origin, describeReply(reply))
  if (standInOf(fact) !== undefined) {
    const lost = findLostField(observation)
    if (lost !== undefined) {
      const field = capitalize(lost)
      return fail(
        `${field} does not arrive at the service`,
        {
          what: `Forward ${field} as the browser sent it (CDN: add it to the headers that it forwards)`,
          remedy: (advice) => advice.keepFields,
        },
        { field: lost },
      )
    }
    return isDeclined(origin, fact)
      ? leaveDeclined(origin)
      : compare(observation, listStandInFields(observation))
  }
  if (vouchedOf(observation)?.arrived.fields === false) {
    return fail('Origin, or what a preflight asks for, does not arrive as it was sent', {
      what: 'Forward Origin and Access-Control-Request-* as the browser sent them',
      remedy: (advice) => advice.keepFields,
    })
  }
  if (direct?.kind !== 'response') return leaveOpen(origin, explainNeeds(fact))
  const isPreflight = observation.question.purpose === 'preflight'
  if (isPreflight && !isSuccess(direct) && !isSuccess(reply)) return leaveDeclined(origin)
  const sent = ACCESS_FIELDS.map((name) => [name, valuesOf(direct.fields, name)] as const)
  return compare(observation, sent)
}

/** The browser's field that the stand-in did not receive, if it reports what it received. */
function findLostField({ question, reply }: Observation): string | undefined {
  const arrived = reply.standIn?.received.fields?.map(({ name }) => name.toLowerCase())
  return (
    arrived &&
    ASKING_FIELDS.find((name) => valuesOf(question.fields, name).length > 0 && !arrived.includes(name))
  )
}

/** Whether the stand-in refused the page: then it answers the preflight like any other request. */
function isDeclined(origin: string, fact: LiveFact): boolean {
  const preflight = observationsFor(fact, 'preflight').find((each) => originOf(each) === origin)
  return preflight !== undefined && standInMethod(preflight.reply) === 'OPTIONS'
}

type AccessFields = readonly (readonly [name: string, values: readonly string[]])[]

function compare({ question, reply }: Observation, sent: AccessFields): Ruling {
  if (reply.kind === 'none')
    return failAsRule(`${question.method} across origins gets no answer: ${describeReply(reply)}`)
  const isPreflight = question.purpose === 'preflight'
  if (isPreflight && !isSuccess(reply))
    return failAsRule(`The browser's preflight does not get through: ${describeReply(reply)}`)
  for (const [name, values] of sent) {
    const arrived = valuesOf(reply.fields, name)
    const isSame = listMembers(values).join() === listMembers(arrived).join()
    if (isSame && arrived.length === values.length) continue
    const shown = arrived.slice(0, 5).map(escapeAndCut)
    const evidence = { field: name, sent: values, arrived: shown, to: question.method }
    if (arrived.length > values.length && values.length > 0) {
      const message = `${capitalize(name)} arrives ${arrived.length} times, and browsers refuse that`
      return failAsRule(message, evidence)
    }
    if (name === 'access-control-allow-headers' && arrived.length === 0)
      return fail(NO_FIELDS, FIELDS_FIX, evidence)
    const what = isPreflight
      ? 'Something other than the service answers the preflight'
      : `${capitalize(name)} is not what the service sent`
    return failAsRule(what, evidence)
  }
  return pass
}

/** What the stand-in sends to a page that its account lists: the last two of the fields for a preflight only. */
function listStandInFields(observation: Observation): AccessFields {
  const values = [originOf(observation), 'true', STAND_IN.allowedMethods, PREFLIGHT_FIELDS]
  const sent = ACCESS_FIELDS.slice(0, observation.question.purpose === 'preflight' ? 4 : 2)
  return sent.map((name, at) => [name, [values[at] ?? '']])
}

function leaveOpen(who: string, why: string): Ruling {
  return inconclusive(`It isn't clear whether ${who} may use the point: ${why}`)
}

/** The service refuses the page, so the front end can't be judged by it. */
function leaveDeclined(origin: string): Ruling {
  return inconclusive(
    `The service itself does not allow ${origin}: give that page a point on its own origin, and list it in the account`,
  )
}

function originOf({ question }: Observation): string {
  return valuesOf(question.fields, 'origin')[0] ?? ''
}

function capitalize(lowerName: string): string {
  return lowerName.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
}

/** Whether the front end allows an unknown origin more than the service does. */
function judgeStranger(observation: Observation, fact: LiveFact): Ruling {
  const { question, reply } = observation
  const isPreflight = question.purpose === 'preflight'
  // live/methods reports it, and its fix takes the answer away.
  if (isPreflight && isOptionsLost(fact)) return pass
  if (!isConclusive(reply)) return leaveOpen(ANY_WEBSITE, describeReply(reply))
  if (isPreflight && !isSuccess(reply)) return pass
  const allowed = countAllowed(reply)
  if (allowed === ALLOWED.nothing) return pass
  // The stand-in allows no other origins than those of its account.
  const own = standInOf(fact) === undefined ? observation.direct : undefined
  if (own !== undefined && allowed <= countAllowed(own)) return pass
  if (standInOf(fact) === undefined && observation.direct?.kind !== 'response')
    return leaveOpen(ANY_WEBSITE, 'the service gave no answer to compare with')
  const [arrived] = allowOrigins(reply)
  const may = isPreflight ? 'send requests to the point' : "read the point's answers"
  const cookies = allowed === ALLOWED.withCookies ? ", with the visitor's cookies" : ''
  return fail(
    `Pages of any website may ${may}${cookies}: Access-Control-Allow-Origin is ${arrived} for Origin ${STRANGER_ORIGIN}`,
    { what: FIX, remedy: (advice) => advice.leaveCrossOrigin },
    { field: 'access-control-allow-origin', origin: STRANGER_ORIGIN, arrived, to: question.method },
  )
}

/** What a browser lets a page of the stranger do. It sends no cookies if any origin is allowed by `*`. */
function countAllowed(reply: Reply): number {
  const [origin] = allowOrigins(reply)
  if (origin === undefined) return ALLOWED.nothing
  const isForCookies = valuesIn(reply, 'access-control-allow-credentials').includes('true')
  return origin !== '*' && isForCookies ? ALLOWED.withCookies : ALLOWED.withoutCookies
}

/** The values that allow the stranger. */
function allowOrigins(reply: Reply): readonly string[] {
  const members = listMembers(valuesIn(reply, 'access-control-allow-origin'))
  return members.filter((member) => member === '*' || member === STRANGER_ORIGIN)
}

/** Browsers take no other answer to a preflight for a permission. */
function isSuccess(reply: Reply): boolean {
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

/** The fields by which the service decides. */
const ASKING_FIELDS = ['origin', 'access-control-request-method'] as const

const ACCESS_FIELDS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
] as const

const NO_FIELDS =
  'The preflight allows the page none of its headers: Access-Control-Request-Headers or Access-Control-Allow-Headers is lost on the way'

const FIELDS_FIX =
  'Forward Access-Control-Request-Headers as the browser sent it, and leave Access-Control-Allow-Headers on the answer'

/** In ascending order. */
const ALLOWED = { nothing: 0, withoutCookies: 1, withCookies: 2 } as const

const ANY_WEBSITE = 'pages of other websites'

const FIX =
  'Remove what sets Access-Control-Allow-Origin and Access-Control-Allow-Credentials for the point: the service sends them to the origins that it allows'
