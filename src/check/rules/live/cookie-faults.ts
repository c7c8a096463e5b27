import { valuesOf } from '../../../http/fields.ts'
import type { ProbeReply } from '../../../probe/probe.ts'
import { arrivesAsSent, isSubsequence, toMeasures } from '../../read/cookie-line.ts'
import type { FrontEnd } from '../../read/front-end.ts'
import type { Observation } from '../../read/live-fact.ts'
import { toReplyText } from '../../read/reply-text.ts'
import { toShownText } from '../../read/shown-text.ts'
import { readStandIn } from '../../read/stand-in-report.ts'
import { withRemedy } from '../../remedy.ts'
import { fail, type Ruling } from '../../rule.ts'
import { COOKIE, SET_COOKIE } from './remedies.ts'

/** The finding if the short Cookie line did not arrive as it was sent. */
export function findCookieLineFault(
  observation: Observation | undefined,
  frontEnd: FrontEnd | undefined,
): Ruling | undefined {
  if (observation === undefined || arrivesAsSent(observation) !== false) return undefined
  const received = readStandIn(observation.reply)?.received
  const fix = withRemedy('Forward the Cookie line unchanged (CDN: forward all cookies)', COOKIE, frontEnd)
  if (received?.cookies.length === 0) return fail('The Cookie line does not arrive at the service', fix)
  return fail('The Cookie line does not arrive as it was sent', fix, {
    sent: toMeasures(valuesOf(observation.question.fields, 'cookie')[0] ?? '').map(toShownText),
    arrived: received?.cookies.slice(0, 10).map(({ name, octets }) => toShownText(`${name}=${octets}`)),
  })
}

/** The finding if the Set-Cookie lines of the service did not come back line by line as they were sent. */
export function findLineFault(
  sent: readonly string[],
  arrived: readonly string[],
  reply: ProbeReply,
  frontEnd: FrontEnd | undefined,
): Ruling | undefined {
  const toFix = (what: string) => withRemedy(what, SET_COOKIE, frontEnd)
  // Lines added by a load balancer, before, between or after, are fine.
  if (isSubsequence(sent, arrived)) return undefined
  const evidence = {
    sent: sent.map(withoutValue),
    arrived: arrived.slice(0, 10).map(withoutValue),
    arrivedLines: arrived.length,
  }
  if (reply.kind === 'none')
    return fail(`Set-Cookie lines do not come back: ${toReplyText(reply)}`, toFix(FIX), evidence)
  const joined = arrived.find((line) => sent.filter((each) => line.includes(nameOf(each))).length > 1)
  if (joined !== undefined) {
    return fail(
      'Set-Cookie lines are joined into one',
      toFix('Return every Set-Cookie line as a line of its own'),
      evidence,
    )
  }
  const lost = sent.filter((line) => !arrived.some((each) => each.startsWith(nameOf(line))))
  if (lost.length > 0) {
    const which = lost.length === sent.length ? 'all' : `${lost.length} of ${sent.length}`
    return fail(`Set-Cookie lines are lost: ${which}`, toFix(FIX), evidence)
  }
  const rewritten = sent.find((line) => !arrived.includes(line))
  if (rewritten === undefined)
    return fail('Set-Cookie lines come back in a different order or number', toFix(FIX), evidence)
  return fail(
    'Set-Cookie lines are rewritten',
    toFix('Leave Path, Domain and all other attributes unchanged'),
    evidence,
  )
}

/** Name and attributes of a line; values are never shown. */
export function withoutValue(line: string): string {
  return toShownText(line.replace(/=[^;]*/, '=…'))
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf('=') + 1)
}

const FIX =
  'Return every Set-Cookie line unchanged: keep the point out of caches and out of rules that hide or rewrite headers'
