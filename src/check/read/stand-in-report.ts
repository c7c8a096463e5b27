import * as v from 'valibot'
import { valuesOf } from '../../http/fields.ts'
import type { Reply } from '../../probe/probe.ts'

/** What the stand-in service says of a request: version 1 of its JSON answer. */
export interface StandInReport {
  /** Whether the account lists the origin that arrived. */
  readonly allowed: boolean
  readonly listedUrls: readonly string[]
  readonly nonce: string | undefined
  readonly received: {
    readonly method: string
    readonly target: string
    readonly host: string | undefined
    readonly continuationOrigins: readonly string[]
    readonly widgetKey: { readonly lines: number; readonly known: boolean }
    /** Of the one key that arrived; `undefined` from a stand-in that does not tell. */
    readonly widgetKeySha256: string | undefined
    /** Of every field line, in lower case; `undefined` from a stand-in that does not tell. */
    readonly fieldNames: readonly string[] | undefined
    readonly cookies: readonly { readonly name: string; readonly octets: number }[]
    readonly cookieLineOctets: readonly number[]
    readonly body: { readonly octets: number; readonly sha256: string }
  }
}

/** Reads the stand-in's answer; anything else, however alike, is none. */
export function readStandIn(reply: Reply | undefined): StandInReport | undefined {
  if (reply?.kind !== 'response' || !reply.body.includes('"standIn"')) return undefined
  const { success, output } = v.safeParse(standInJson, reply.body, { abortEarly: true })
  if (!success) return undefined
  const { checks, listedUrls, nonce, received } = output
  const { fields, host, widgetKeySha256, ...told } = received
  const allowed = checks.find(({ check }) => check === 'allowed')
  return {
    allowed: allowed?.outcome === 'pass',
    listedUrls,
    nonce,
    received: {
      ...told,
      host,
      widgetKeySha256,
      fieldNames: fields?.map(({ name }) => name.toLowerCase()),
    },
  }
}

/** The method of a request as the stand-in got it; in a field, since the answer to HEAD has no body to tell it in. */
export function standInMethod(reply: Reply): string | undefined {
  return reply.kind === 'response' ? valuesOf(reply.fields, 'stand-in-method')[0] : undefined
}

/**
 * What the stand-in sends, version 1: the Set-Cookie lines of its test resources and the fields of its preflight.
 * The check compares octet by octet. `host`: the one that the stand-in was asked under, without its port.
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

/** What an older stand-in did not tell, and what is there in another form, counts as not told. */
function ifTold<S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined)
}

const standInJson = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    standIn: v.literal(1),
    listedUrls: v.array(v.string()),
    checks: v.array(v.object({ check: v.optional(v.unknown()), outcome: v.optional(v.unknown()) })),
    nonce: ifTold(v.string()),
    received: v.object({
      method: v.string(),
      target: v.string(),
      host: v.optional(v.string()),
      continuationOrigins: v.array(v.string()),
      widgetKey: v.object({ lines: v.number(), known: v.fallback(v.boolean(), false) }),
      widgetKeySha256: ifTold(v.string()),
      fields: ifTold(v.array(measured)),
      cookies: v.array(measured),
      cookieLineOctets: v.array(v.number()),
      body: v.object({ octets: v.number(), sha256: v.string() }),
    }),
  }),
)
