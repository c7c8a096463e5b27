import { valuesOf } from '../../http/fields.ts'
import type { Observation } from './live-fact.ts'
import { isTelling } from './reply-text.ts'
import { readStandIn, type StandInReport } from './stand-in-report.ts'

/** Whether the Cookie line arrived as it was sent; `undefined` when that could not be told. */
export function arrivesAsSent({ question, reply }: Observation): boolean | undefined {
  const received = readStandIn(reply)?.received
  if (received === undefined) return isTelling(reply) ? false : undefined
  const sent = toMeasures(valuesOf(question.fields, 'cookie')[0] ?? '')
  const arrived = received.cookies.map(({ name, octets }) => `${name}=${octets}`)
  // Cookies that a load balancer adds are no fault; a second line is one, and so is another separator than "; ".
  return isSubsequence(sent, arrived) && received.cookieLineOctets[0] === toLineOctets(received.cookies)
}

/** The octets of a line that these cookies make up, separated as RFC 6265 section 4.2.1 wants it. */
function toLineOctets(cookies: StandInReport['received']['cookies']): number {
  // A part without "=" is told as a cookie without a name.
  const pairs = cookies.map(({ name, octets }) => octets + (name === '' ? 0 : name.length + 1))
  return pairs.reduce((sum, each) => sum + each, 0) + 2 * (cookies.length - 1)
}

/** Each cookie of a line as `name=octets`, the way the stand-in tells what it got. */
export function toMeasures(line: string): readonly string[] {
  return line.split('; ').map((pair) => {
    const equals = pair.indexOf('=')
    return `${pair.slice(0, equals)}=${pair.length - equals - 1}`
  })
}

/** Whether the parts stand in the whole, in their order, with anything before, between and after them. */
export function isSubsequence(parts: readonly string[], whole: readonly string[]): boolean {
  let found = 0
  for (const each of whole) if (each === parts[found]) found += 1
  return found === parts.length
}
