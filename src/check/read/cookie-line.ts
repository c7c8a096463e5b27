import { valuesOf } from '../../http/fields.ts'
import type { Observation } from './live-fact.ts'
import { isConclusive } from './reply.ts'
import { readStandIn, type StandInReport } from './stand-in-report.ts'

/** Whether the Cookie line arrived as it was sent; `undefined` if that is inconclusive. */
export function arrivesAsSent({ question, reply }: Observation): boolean | undefined {
  const received = readStandIn(reply)?.received
  if (received === undefined) return isConclusive(reply) ? false : undefined
  const sent = toMeasures(valuesOf(question.fields, 'cookie')[0] ?? '')
  const arrived = received.cookies.map(({ name, octets }) => `${name}=${octets}`)
  // Cookies added by a load balancer are fine. A second Cookie line or a separator other than "; " is a fault.
  return isSubsequence(sent, arrived) && received.cookieLineOctets[0] === toLineOctets(received.cookies)
}

/** The size of a line of these cookies with the separator of RFC 6265 section 4.2.1. */
function toLineOctets(cookies: StandInReport['received']['cookies']): number {
  // The stand-in reports a part without "=" as a cookie without a name.
  const pairs = cookies.map(({ name, octets }) => octets + (name === '' ? 0 : name.length + 1))
  return pairs.reduce((sum, each) => sum + each, 0) + 2 * (cookies.length - 1)
}

/** Each cookie of a line as `name=size`, the form in which the stand-in reports what it received. */
export function toMeasures(line: string): readonly string[] {
  return line.split('; ').map((pair) => {
    const equals = pair.indexOf('=')
    return `${pair.slice(0, equals)}=${pair.length - equals - 1}`
  })
}

/** Whether the whole contains the parts in their order, possibly with others before, between and after them. */
export function isSubsequence(parts: readonly string[], whole: readonly string[]): boolean {
  let found = 0
  for (const each of whole) if (each === parts[found]) found += 1
  return found === parts.length
}
