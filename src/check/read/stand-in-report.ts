import * as v from 'valibot'
import { valuesOf } from '../../http/fields.ts'
import type { ProbeReply } from '../../probe/probe.ts'
import { type LiveFact, verificationReply } from './live-fact.ts'

/** What the stand-in service reports of a request: version 1 of its JSON answer. */
export type StandInReport = v.InferOutput<typeof standInJson>

/** Reads the stand-in's report; `undefined` for any other answer. */
export function readStandIn(reply: ProbeReply | undefined): StandInReport | undefined {
  if (reply?.kind !== 'response' || !reply.body.includes('"standIn"')) return undefined
  const { success, output } = v.safeParse(standInJson, reply.body, { abortEarly: true })
  return success ? output : undefined
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
  return reply.kind === 'response' ? valuesOf(reply.fields, 'stand-in-method')[0] : undefined
}

/**
 * What the stand-in sends, version 1: the Set-Cookie lines of its test resources and the fields of its preflight. The
 * check compares exactly. `host`: the Host that the stand-in received, without its port.
 */
export const STAND_IN = {
  redirectPath: '_stand-in/arrived',
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
    checks: v.array(v.object({ check: v.optional(v.unknown()), outcome: v.optional(v.unknown()) })),
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
