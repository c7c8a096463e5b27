import { listMembers, valuesOf } from '../../../http/fields.ts'
import type { Fix } from '../../fix.ts'
import { explainNeeds } from '../../read/contrast.ts'
import { type LiveFact, type Observation, observationsFor, PREFLIGHT_FIELDS } from '../../read/live-fact.ts'
import { describeReply, isConclusive } from '../../read/reply.ts'
import { escapeAndCut } from '../../read/shown-text.ts'
import { readStandIn, STAND_IN, standInMethod, standInOf } from '../../read/stand-in-report.ts'
import { vouchedOf } from '../../read/vouched.ts'
import { fail, inconclusive, pass, type RulesById, type Ruling } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { FIELD_RULES } from './own-fields.ts'
import { isFromStranger, isSuccess, judgeStranger } from './strangers.ts'

export const corsRules: RulesById = {
  'live/cors': {
    title: "The service's CORS answers come through once and unchanged",
    why: 'Only the service knows which other origins may use the point; it says so in its answers, those to preflights included. If the front end answers OPTIONS itself, or adds Access-Control fields, browsers refuse pages that the service allows, or let any website read the answers. The check asks with the origins of the pages, and with one that no website has.',
    wrong: 'nginx: add_header Access-Control-Allow-Origin *; on the whole site',
    right: 'no CORS rule for the point: the service answers',
    fix: 'Let OPTIONS through, and add no Access-Control fields below the point.',
    remedy: (advice) => advice.leaveCrossOrigin,
    reference: {
      text: 'Fetch Standard, CORS protocol',
      url: 'https://fetch.spec.whatwg.org/#http-cors-protocol',
    },
    needs: { rules: ['live/forwarded'], comparison: FIELD_RULES, answers: ['preflight', 'cors'] },
    evaluate: eachLivePoint((fact) => {
      const observations = observationsFor(fact, 'preflight', 'cors')
      if (observations.length === 0)
        return inconclusive(`Which origins may use the point could not be tested: ${explainNeeds(fact)}`)
      const rulings = observations.map((observation) =>
        isFromStranger(observation) ? judgeStranger(observation, fact) : judge(observation, fact),
      )
      const isOutcome = (outcome: Ruling['outcome']) => (ruling: Ruling) => ruling.outcome === outcome
      return rulings.find(isOutcome('fail')) ?? rulings.find(isOutcome('inconclusive')) ?? pass
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
        `Forward ${field} as the browser sent it. nginx: no proxy_set_header ${field}; CDN: forward ${field} to the service`,
        { field: lost },
      )
    }
    if (!isDeclined(origin, fact)) return compare(observation, readStandInFields(observation)) ?? pass
    return leaveDeclined(origin)
  }
  if (vouchedOf(observation)?.arrived.fields === false) {
    const fix = 'Forward Origin and Access-Control-Request-* as the browser sent them'
    return fail('Origin, or what a preflight asks for, does not arrive as it was sent', fix)
  }
  if (direct?.kind !== 'response') return leaveOpen(origin, explainNeeds(fact))
  const isPreflight = observation.question.purpose === 'preflight'
  if (isPreflight && !isSuccess(direct) && !isSuccess(reply)) return leaveDeclined(origin)
  const own = new Map(ACCESS_FIELDS.map((name) => [name, valuesOf(direct.fields, name)]))
  return compare(observation, own) ?? pass
}

/** The browser's field that the stand-in did not receive, if it reports what it received. */
function findLostField({ question, reply }: Observation): string | undefined {
  const arrived = readStandIn(reply)?.received.fields?.map(({ name }) => name.toLowerCase())
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

type AccessFields = ReadonlyMap<string, readonly string[]>

function compare({ question, reply }: Observation, sent: AccessFields): Ruling | undefined {
  if (reply.kind === 'none')
    return fail(`${question.method} across origins gets no answer: ${describeReply(reply)}`, LEFT_TO_SERVICE)
  const isPreflight = question.purpose === 'preflight'
  if (isPreflight && (reply.status < 200 || reply.status > 299)) {
    return fail(`The browser's preflight does not get through: ${describeReply(reply)}`, LEFT_TO_SERVICE)
  }
  for (const [name, values] of sent) {
    const arrived = valuesOf(reply.fields, name)
    const isSame = listMembers(values).join() === listMembers(arrived).join()
    if (isSame && arrived.length === values.length) continue
    const shown = arrived.slice(0, 5).map(escapeAndCut)
    const evidence = { field: name, sent: values, arrived: shown, to: question.method }
    if (arrived.length > values.length && values.length > 0) {
      const message = `${capitalize(name)} arrives ${arrived.length} times, and browsers refuse that`
      return fail(message, LEFT_TO_SERVICE, evidence)
    }
    if (name === 'access-control-allow-headers' && arrived.length === 0)
      return fail(NO_FIELDS, FIELDS_FIX, evidence)
    const what = isPreflight
      ? 'Something other than the service answers the preflight'
      : `${capitalize(name)} is not what the service sent`
    return fail(what, LEFT_TO_SERVICE, evidence)
  }
  return undefined
}

/** The fields that the stand-in sends to a page that its account lists. */
function readStandInFields(observation: Observation): AccessFields {
  const own = [
    ['access-control-allow-origin', [originOf(observation)]],
    ['access-control-allow-credentials', ['true']],
  ] as const
  if (observation.question.purpose === 'cors') return new Map(own)
  return new Map([
    ...own,
    ['access-control-allow-methods', [STAND_IN.allowedMethods]],
    ['access-control-allow-headers', [PREFLIGHT_FIELDS]],
  ])
}

function leaveOpen(origin: string, why: string): Ruling {
  return inconclusive(`It isn't clear whether ${origin} may use the point: ${why}`)
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

/** The fields by which the service decides. */
const ASKING_FIELDS = ['origin', 'access-control-request-method'] as const

const ACCESS_FIELDS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
] as const

const LEFT_TO_SERVICE: Fix = {
  what: 'Let OPTIONS through to the service, and set no Access-Control field below the point',
  remedy: (advice) => advice.leaveCrossOrigin,
}

const NO_FIELDS =
  'The preflight allows the page none of its fields: Access-Control-Request-Headers or Access-Control-Allow-Headers is lost on the way'

const FIELDS_FIX =
  'Forward Access-Control-Request-Headers as the browser sent it, and leave Access-Control-Allow-Headers on the answer'
