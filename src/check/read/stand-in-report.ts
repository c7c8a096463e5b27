import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { valuesOf } from '../../http/fields.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { type LiveFact, type Observation, type Question, verificationReply } from './live-fact.ts'
import { isConclusive, READ_CHARACTERS, valuesIn } from './reply.ts'

/** What the stand-in service reports of a request: version 1 of its JSON answer. */
export type StandInReport = v.InferOutput<typeof standInJson>

/** Reads the stand-in's report, once for each reply, since many rules ask; `undefined` for any other answer. */
export function readStandIn(reply: ProbeReply | undefined): StandInReport | undefined {
  if (reply?.kind !== 'response' || !reply.body.includes('"standIn"')) return undefined
  if (!reports.has(reply)) {
    const { success, output } = v.safeParse(standInJson, reply.body, { abortEarly: true })
    reports.set(reply, success && isShort(output) ? output : undefined)
  }
  return reports.get(reply)
}

const reports = new WeakMap<ProbeReply, StandInReport | undefined>()

/** Real reports are. */
function isShort({ listedUrls: _, ...others }: StandInReport): boolean {
  return JSON.stringify(others).length <= READ_CHARACTERS
}

/**
 * The reply with no more of its body than the rules read. Those of all points are kept until the end of a check, and hostile
 * ones could fill the memory.
 */
export function condense(reply: ProbeReply, { purpose }: Question): ProbeReply {
  if (reply.kind === 'none') return reply
  const report = readStandIn(reply)
  // How much came of the long answer is told.
  if (report === undefined && (purpose === 'long-answer' || reply.body.length <= READ_CHARACTERS))
    return reply
  // A slice would keep the whole in memory.
  const condensed = { ...reply, body: Buffer.from(reply.body.slice(0, READ_CHARACTERS)).toString() }
  const listedUrls = purpose === 'verification' ? report?.listedUrls : []
  reports.set(condensed, report && { ...report, listedUrls: listedUrls ?? [] })
  return condensed
}

/** What the stand-in reported of the verification question; `undefined` if the service doesn't say what arrived. */
export function standInOf(fact: LiveFact): StandInReport | undefined {
  return readStandIn(verificationReply(fact))
}

/** Whether the account lists the origin that arrived. */
export function isAllowed({ checks }: StandInReport): boolean {
  return checks.find(({ check }) => check === 'allowed')?.outcome === 'pass'
}

/** The method that the stand-in received. It is reported in a field, because the answer to HEAD has no body. */
export function standInMethod(reply: ProbeReply): string | undefined {
  return valuesIn(reply, 'stand-in-method')[0]
}

/** What the stand-in sends, version 1, compared exactly. `host`: the Host that it received, without its port. */
export const STAND_IN = {
  redirectPath: '_stand-in/arrived',
  longPath: '_stand-in/long',
  errorPaths: ['_stand-in/404', '_stand-in/500'],
  setCookie: (host: string) => [
    'stand_in_root=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=60',
    'stand_in_dated=2; Path=/; Expires=Fri, 31 Dec 2049 23:59:59 GMT; Max-Age=60',
    'stand_in_twice=3; Path=/; Max-Age=60',
    'stand_in_twice=4; Path=/checkout; Max-Age=60',
    `stand_in_domain=5; Domain=${host}; Path=/; Max-Age=60`,
  ],
  redirectSetCookie: [
    'stand_in_redirect=1; Path=/; HttpOnly; Max-Age=60',
    'stand_in_hop=2; Path=/checkout; Max-Age=60',
  ],
  allowedMethods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
} as const

const measured = v.object({ name: v.string(), octets: v.number() })

/** For members that older stand-ins don't send; one in an unexpected form counts as absent. */
function ifPresent<S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined)
}

const standInJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    standIn: v.literal(1),
    listedUrls: v.array(v.string()),
    checks: v.pipe(
      v.array(v.object({ check: ifPresent(v.string()), outcome: ifPresent(v.string()) })),
      v.maxLength(100),
    ),
    nonce: ifPresent(v.string()),
    received: v.object({
      method: v.string(),
      target: v.string(),
      host: v.optional(v.string()),
      continuationOrigins: v.array(v.string()),
      widgetKey: v.object({ lines: v.number(), known: v.fallback(v.boolean(), false) }),
      /** Of the key that arrived, if it was one. */
      widgetKeySha256: ifPresent(v.string()),
      /** Every field line. */
      fields: ifPresent(v.array(measured)),
      cookies: v.array(measured),
      cookieLineOctets: v.array(v.number()),
      body: v.object({ octets: v.number(), sha256: v.string() }),
    }),
  }),
)

/** The outcome of each box on a verification page, by its name. */
type VerificationMarks = ReadonlyMap<string, 'pass' | 'fail'>

/** The marks of a verification page, `data-check` and `data-outcome`; `undefined` unless it has all four boxes of the service. */
export function readMarks(reply: ProbeReply | undefined): VerificationMarks | undefined {
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
  const received = readStandIn(reply)?.received
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
