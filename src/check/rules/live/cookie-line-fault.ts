import { valuesOf } from '../../../http/fields.ts'
import { arrivesAsSent, toMeasures } from '../../read/cookie-line.ts'
import type { FrontEnd } from '../../read/front-end.ts'
import type { Observation } from '../../read/live-fact.ts'
import { toShownText } from '../../read/shown-text.ts'
import { readStandIn } from '../../read/stand-in-report.ts'
import { withRemedy } from '../../remedy.ts'
import { fail, type Ruling } from '../../rule.ts'
import { COOKIE } from './remedies.ts'

/** The finding, where the short Cookie line did not. */
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
