import { createHash } from 'node:crypto'
import { valuesOf } from '../../http/fields.ts'
import type { Observation, Reply } from './live-fact.ts'
import { isConclusive, valuesIn } from './reply.ts'
import type { StandInReport } from './stand-in.ts'

/** Whether the account lists the origin that arrived. */
export function isAllowed({ checks }: StandInReport): boolean {
  return checks.find(({ check }) => check === 'allowed')?.outcome === 'pass'
}

/** The method that the stand-in received. It is reported in a field, because the answer to HEAD has no body. */
export function standInMethod(reply: Reply): string | undefined {
  return valuesIn(reply, 'stand-in-method')[0]
}

/** The outcome of each box on a verification page, by its name. */
type VerificationMarks = ReadonlyMap<string, 'pass' | 'fail'>

/** The marks of a verification page, `data-check` and `data-outcome`; `undefined` unless it has all four boxes of the service. */
export function readMarks(reply: Reply | undefined): VerificationMarks | undefined {
  if (reply?.kind !== 'response' || reply.status !== 200) return undefined
  const marks = new Map<string, 'pass' | 'fail'>()
  for (const [tag] of reply.body.matchAll(/<[a-z][a-z\d-]*\s[^<>]{0,1000}>/gi)) {
    const check = attributeOf(tag, 'data-check')
    const outcome = attributeOf(tag, 'data-outcome')
    if (check === undefined || !BOXES.includes(check) || marks.has(check)) continue
    if (outcome === 'pass' || outcome === 'fail') marks.set(check, outcome)
  }
  return marks.size === BOXES.length ? marks : undefined
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']?([a-z-]+)`, 'i').exec(tag)?.[1]
}

const BOXES: readonly string[] = ['forwarded', 'origin', 'widget-key', 'allowed']

/** Whether the Cookie line arrived as it was sent; `undefined` if that is inconclusive. */
export function arrivesAsSent({ question, reply }: Observation): boolean | undefined {
  const received = reply.standIn?.received
  if (received === undefined) return isConclusive(reply) ? false : undefined
  const sent = measureCookies(valuesOf(question.fields, 'cookie')[0] ?? '')
  const arrived = received.cookies.map(({ name, octets }) => `${name}=${octets}`)
  // Cookies added by a load balancer are fine. A second Cookie line, or a separator other than "; " (RFC 6265 section 4.2.1),
  // is a fault. The stand-in reports a part without "=" as a cookie without a name.
  const pairs = received.cookies.map(({ name, octets }) => octets + (name === '' ? 0 : name.length + 1))
  const lineOctets = pairs.reduce((sum, each) => sum + each + 2, -2)
  return isSubsequence(sent, arrived) && received.cookieLineOctets[0] === lineOctets
}

/** Whether the body arrived as it was sent. */
export function hasBody({ received }: StandInReport, sent = ''): boolean {
  return received.body.sha256 === createHash('sha256').update(sent, 'latin1').digest('hex')
}

/** Each cookie of a line as `name=size`, the form in which the stand-in reports what it received. */
export function measureCookies(line: string): readonly string[] {
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
