import { valuesOf } from '../../../http/fields.ts'
import type { Fix } from '../../fix.ts'
import { explainNeeds, explainUnclear, readContrasts } from '../../read/contrast.ts'
import type { LiveFact, Observation } from '../../read/live-fact.ts'
import {
  isVouched,
  observationsFor,
  standInOf,
  verificationReply,
  vouchedOf,
} from '../../read/observations.ts'
import { readOwnRefusal } from '../../read/own-refusal.ts'
import { describeReply, evidenceOf, isConclusive, isSameKind } from '../../read/reply.ts'
import { arrivesAsSent, hasBody } from '../../read/stand-in-report.ts'
import {
  cite,
  fail,
  failAsRule,
  inconclusive,
  pass,
  passAs,
  type RulesById,
  type Ruling,
} from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { failIncomplete } from './forwarded.ts'
import { FIELD_RULES } from './own-fields.ts'

/** Rules on what may be too large for something on the way. */
export const sizeRules: RulesById = {
  'live/header-size': {
    severity: 'warning',
    title: 'Cookie lines of up to 32 KiB arrive',
    why: "A browser sends all of the site's cookies in one line, and a continuation point exists to carry them. A visitor with more cookies than your web server or proxy accepts gets an error that nobody else sees.",
    wrong: 'nginx with its default of 8 KiB for a line of the request',
    right: 'nginx: large_client_header_buffers 4 64k;',
    fix: 'Raise the limit of the hop that refused.',
    remedy: (advice) => advice.allowLargeHeads,
    reference: cite('RFC 6585', '5', '431 Request Header Fields Too Large'),
    needs: { rules: ['live/forwarded'], comparison: FIELD_RULES, answers: ['header-size'] },
    evaluate: eachLivePoint(judgeLines),
  },
  'live/body-size': {
    title: 'Bodies of up to 1 MiB arrive, and long answers come back whole',
    why: 'Requests below the point have bodies too, and a limit that is meant for the forms of the site breaks a session in the middle. A web server or proxy that keeps long answers in files cuts them where it may not write.',
    wrong: 'nginx: client_max_body_size 16k; in the server block',
    right: 'nginx: client_max_body_size 0; in the location of the point',
    fix: 'Lift the limit of the hop that refused.',
    remedy: (advice) => advice.allowLargeBodies,
    reference: cite('RFC 9110', '15.5.14', '413 Content Too Large'),
    needs: {
      rules: ['live/forwarded', 'live/methods'],
      comparison: FIELD_RULES,
      answers: ['body-size', 'long-answer'],
    },
    evaluate: eachLivePoint((fact) => findCutAnswer(fact) ?? judgeBodies(fact)),
  },
}

function judgeLines(fact: LiveFact): Ruling {
  const observations = observationsFor(fact, 'header-size')
  const contrasts = readContrasts(fact, 'header-size')
  const shown = new Map(contrasts.map(({ observation, outcome }) => [observation, outcome]))
  const arrivals = observations.map((each) =>
    shown.get(each) === 'lost' ? false : arrives(each, 'cookies', fact),
  )
  const lost = observations[arrivals.indexOf(false)]
  if (lost !== undefined) {
    const largest = Math.max(0, ...observations.filter((_, index) => arrivals[index]).map(lineBytesOf))
    const largestArrived = largest === 0 ? 'none' : `${largest / 1024} KiB`
    const lostOctets = lineBytesOf(lost)
    const what = `Cookie line of ${lostOctets / 1024} KiB`
    const evidence = { largestArrived, largestArrivedOctets: largest, lostOctets }
    if (shown.get(lost) === 'lost') {
      const fix: Fix = { what: 'Pass the Cookie line on as it came', remedy: (advice) => advice.keepCookie }
      return {
        ...fail(`A ${what} is dropped: the service answers as without it`, fix, evidence),
        severity: 'error',
      }
    }
    return failLost(what, lost, 'Raise "limits.headerBytes" to 65536', evidence)
  }
  const isAccepted = arrivals.length > 0 && arrivals.every((each) => each === true)
  if (isAccepted && [...shown.values()].some((outcome) => outcome !== 'arrived'))
    return inconclusive(explainUnclear(fact))
  if (isAccepted) return pass
  return inconclusive(`Not every size of Cookie line could be tested: ${explainNeeds(fact)}`)
}

function judgeBodies(fact: LiveFact): Ruling {
  const observations = observationsFor(fact, 'body-size')
  const arrivals = observations.map((each) => arrives(each, 'body', fact))
  const lost = observations[arrivals.indexOf(false)]
  if (lost !== undefined) {
    const kib = (lost.question.body ?? '').length / 1024
    const size = kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`
    return failLost(`body of ${size}`, lost, 'Raise "limits.bodyBytes", or leave it out,')
  }
  if (observations.length === 0 || arrivals.includes(undefined)) return inconclusive(explainUnclear(fact))
  const isTried = observationsFor(fact, 'long-answer').some(({ reply }) => reply.standIn !== undefined)
  return isTried ? pass : passAs('Bodies of up to 1 MiB arrive; the service was asked for no long answer')
}

/** @param own the setting of continuation-point, if it refused */
function failLost(what: string, { reply }: Observation, own: string, evidence = {}): Ruling {
  const message = `A ${what} does not arrive: ${describeReply(reply)}`
  const shown = { sent: `a ${what}`, ...evidenceOf(reply), ...evidence }
  if (readOwnRefusal(reply) === undefined) return failAsRule(message, shown)
  return fail(message, `${own} in the config of serve: continuation-point itself refuses the request`, shown)
}

/** Whether this part of a question arrived; `undefined` if that is inconclusive. */
function arrives(observation: Observation, part: 'cookies' | 'body', fact: LiveFact): boolean | undefined {
  const { question, reply, direct } = observation
  const report = reply.standIn
  if (report !== undefined)
    return part === 'body' ? hasBody(report, question.body) : arrivesAsSent(observation)
  const vouched = vouchedOf(observation)
  if (vouched !== undefined) return vouched.arrived[part]
  if (!isConclusive(reply)) return undefined
  if (standInOf(fact) !== undefined || isVouched(fact)) return false
  if (direct?.kind !== 'response') return undefined
  // If the service itself refuses it, the limit is not the front end's. That it accepts a body does not show in its answer.
  if (isSameKind(direct, reply)) return part === 'cookies' || undefined
  if (part === 'body' && reply.kind === 'response' && reply.status === 413) return false
  const isAccepted = part === 'body' ? direct.status < 400 : isSameKind(direct, verificationReply(fact))
  return isAccepted ? false : undefined
}

function lineBytesOf({ question }: Observation): number {
  return valuesOf(question.fields, 'cookie')[0]?.length ?? 0
}

function findCutAnswer(fact: LiveFact): Ruling | undefined {
  for (const { reply } of observationsFor(fact, 'long-answer')) {
    if (reply.kind === 'none') continue
    const isBegun = reply.body.includes('"standIn"') && reply.standIn === undefined
    const fault = reply.fault ?? (isBegun ? `only its first ${reply.body.length} bytes` : undefined)
    if (fault === undefined) continue
    return failIncomplete('A long answer', 'an answer of 512 KiB', { ...reply, fault })
  }
  return undefined
}
