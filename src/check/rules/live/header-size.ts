import { valuesOf } from '../../../http/fields.ts'
import { explainNeeds, explainUnclear, readContrasts } from '../../read/contrast.ts'
import { type LiveFact, type Observation, observationsFor, verificationReply } from '../../read/live-fact.ts'
import { readOwnRefusal } from '../../read/own-refusal.ts'
import { describeReply, evidenceOf, isConclusive, isSameKind } from '../../read/reply.ts'
import { arrivesAsSent, readStandIn } from '../../read/stand-in-report.ts'
import { isVouched, vouchedOf } from '../../read/vouched.ts'
import { fail, inconclusive, pass, type RulesById, rfc } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { FIELD_RULES } from './own-fields.ts'

export const headerSizeRules: RulesById = {
  'live/header-size': {
    severity: 'warning',
    title: 'Cookie lines of up to 32 KiB arrive',
    why: "A browser sends all of the site's cookies in one line, and a continuation point exists to carry them. A visitor with more cookies than the front end accepts gets an error that nobody else sees.",
    wrong: 'nginx with its default of 8 KiB for a line of the request',
    right: 'nginx: large_client_header_buffers 4 64k;',
    fix: 'Raise the header limit of the hop that refused.',
    remedy: (advice) => advice.allowLargeHeads,
    reference: rfc(6585, '5', '431 Request Header Fields Too Large'),
    needs: { rules: ['live/forwarded'], comparison: FIELD_RULES, answers: ['header-size'] },
    evaluate: eachLivePoint((fact) => {
      const observations = observationsFor(fact, 'header-size')
      const shown = new Map(
        readContrasts(fact, 'header-size').map(({ observation, outcome }) => [observation, outcome]),
      )
      const arrivals = observations.map((observation) =>
        shown.get(observation) === 'lost' ? false : arrives(observation, fact),
      )
      const lost = observations[arrivals.indexOf(false)]
      if (lost !== undefined) {
        const largest = Math.max(0, ...observations.filter((_, index) => arrivals[index]).map(lineBytesOf))
        return fail(
          `A Cookie line of ${lineBytesOf(lost) / 1024} KiB does not arrive: ${describeReply(lost.reply)}`,
          readOwnRefusal(lost.reply) === undefined
            ? { what: 'Raise the limit of the hop that refused', remedy: (advice) => advice.allowLargeHeads }
            : 'Raise "limits.headerBytes" to 65536 in the config of serve: continuation-point itself refuses the request',
          {
            sent: `a Cookie line of ${lineBytesOf(lost) / 1024} KiB`,
            ...evidenceOf(lost.reply),
            largestArrived: largest === 0 ? 'none' : `${largest / 1024} KiB`,
            largestArrivedOctets: largest,
            lostOctets: lineBytesOf(lost),
          },
        )
      }
      const isAccepted = arrivals.length > 0 && arrivals.every((each) => each === true)
      if (isAccepted && [...shown.values()].some((outcome) => outcome !== 'arrived'))
        return inconclusive(explainUnclear(fact))
      if (isAccepted) return pass
      return inconclusive(`Not every size of Cookie line could be tested: ${explainNeeds(fact)}`)
    }),
  },
}

/** Whether the Cookie line arrived; `undefined` if that is inconclusive. */
function arrives(observation: Observation, fact: LiveFact): boolean | undefined {
  const usual = verificationReply(fact)
  const isVouchedFor = isVouched(fact)
  const { reply, direct } = observation
  if (readStandIn(reply) !== undefined) return arrivesAsSent(observation)
  const vouched = vouchedOf(observation)
  if (vouched !== undefined) return vouched.arrived.cookies
  if (!isConclusive(reply)) return undefined
  if (readStandIn(usual) !== undefined || isVouchedFor) return false
  if (direct?.kind !== 'response') return undefined
  if (isSameKind(direct, reply)) return true
  // If the service itself refuses it, the limit is not the front end's.
  return usual !== undefined && isSameKind(direct, usual) ? false : undefined
}

function lineBytesOf({ question }: Observation): number {
  return valuesOf(question.fields, 'cookie')[0]?.length ?? 0
}
