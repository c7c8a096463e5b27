import { explainUnclear } from '../../read/contrast.ts'
import { type LiveFact, type Observation, observationsFor } from '../../read/live-fact.ts'
import { readOwnRefusal } from '../../read/own-refusal.ts'
import { describeReply, evidenceOf, isConclusive, isSameKind } from '../../read/reply.ts'
import { hasBody, readStandIn, standInOf } from '../../read/stand-in-report.ts'
import { isVouched, vouchedOf } from '../../read/vouched.ts'
import { fail, inconclusive, pass, passAs, type RulesById, type Ruling, rfc } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { FIELD_RULES } from './own-fields.ts'

export const bodySizeRules: RulesById = {
  'live/body-size': {
    title: 'Bodies of up to 1 MiB arrive, and long answers come back whole',
    why: 'Requests below the point have bodies too, and a limit that is meant for the forms of the site breaks a session in the middle. A front end that keeps long answers in files cuts them where it may not write.',
    wrong: 'nginx: client_max_body_size 16k; in the server block',
    right: 'nginx: client_max_body_size 0; in the location of the point',
    fix: 'Lift the limit of the hop that refused.',
    remedy: (advice) => advice.allowLargeBodies,
    reference: rfc(9110, '15.5.14', '413 Content Too Large'),
    needs: {
      rules: ['live/forwarded', 'live/methods'],
      comparison: FIELD_RULES,
      answers: ['body-size', 'long-answer'],
    },
    evaluate: eachLivePoint(
      (fact) => findCutAnswer(fact) ?? judgeSizes(fact, observationsFor(fact, 'body-size')),
    ),
  },
}

function findCutAnswer(fact: LiveFact): Ruling | undefined {
  for (const { reply } of observationsFor(fact, 'long-answer')) {
    if (reply.kind === 'none') continue
    const isBegun = reply.body.includes('"standIn"') && readStandIn(reply) === undefined
    const fault = reply.fault ?? (isBegun ? `only its first ${reply.body.length} bytes` : undefined)
    if (fault === undefined) continue
    return fail(
      'A long answer comes back incomplete',
      {
        what: 'See why in the log of the front end: a full disk, or a folder for temporary files that it may not write to',
        remedy: (advice) => advice.findNextHop,
      },
      { sent: 'an answer of 512 KiB', arrived: fault },
    )
  }
  return undefined
}

function judgeSizes(fact: LiveFact, observations: readonly Observation[]): Ruling {
  const arrivals = observations.map((each) => hasArrived(each, fact))
  const lost = observations[arrivals.indexOf(false)]
  if (lost !== undefined) {
    const size = describeSize(lost)
    return fail(
      `A body of ${size} does not arrive: ${describeReply(lost.reply)}`,
      readOwnRefusal(lost.reply) === undefined
        ? { what: 'Lift the limit of the hop that refused', remedy: (advice) => advice.allowLargeBodies }
        : 'Raise "limits.bodyBytes", or leave it out, in the config of serve: continuation-point itself refuses the request',
      { sent: `a body of ${size}`, ...evidenceOf(lost.reply) },
    )
  }
  if (observations.length > 0 && arrivals.every((each) => each === true)) {
    const isTried = observationsFor(fact, 'long-answer').some(({ reply }) => readStandIn(reply) !== undefined)
    return isTried ? pass : passAs('Bodies of up to 1 MiB arrive; the service was asked for no long answer')
  }
  return inconclusive(explainUnclear(fact))
}

/** Whether the body arrived; `undefined` if that is inconclusive. */
function hasArrived(observation: Observation, fact: LiveFact): boolean | undefined {
  const { question, reply, direct } = observation
  const report = readStandIn(reply)
  if (report !== undefined) return hasBody(report, question.body)
  const vouched = vouchedOf(observation)
  if (vouched !== undefined) return vouched.arrived.body
  if (!isConclusive(reply)) return undefined
  if (standInOf(fact) !== undefined || isVouched(fact)) return false
  // Where the service itself refuses, the limit is not the front end's. If it accepts, only a refusal tells.
  const isAccepted = direct?.kind === 'response' && direct.status < 400
  return isAccepted && !isSameKind(direct, reply) ? false : undefined
}

function describeSize({ question: { body = '' } }: Observation): string {
  return body.length < 1_048_576 ? `${body.length / 1024} KiB` : `${body.length / 1_048_576} MiB`
}
