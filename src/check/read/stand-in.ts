import * as v from 'valibot'
import { READ_CHARACTERS } from './reply.ts'

/** What the stand-in service reports of a request: version 1 of its JSON answer. */
export type StandInReport = v.InferOutput<typeof standInJson>

/** @returns `undefined` for any other text, and for a report that is larger than real ones */
export function parseStandIn(body: string): StandInReport | undefined {
  if (!body.includes('"standIn"')) return undefined
  const { success, output } = v.safeParse(standInJson, body, { abortEarly: true })
  if (!success) return undefined
  const { listedUrls: _, ...others } = output
  return JSON.stringify(others).length <= READ_CHARACTERS ? output : undefined
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
  /** What it says outside of its continuation end and its REST API, and to another Host. */
  elsewhere: /^(?:Nothing is here|Unknown virtual host)\.\s+This stand-in service /,
  redirectSetCookie: [
    'stand_in_redirect=1; Path=/; HttpOnly; Max-Age=60',
    'stand_in_hop=2; Path=/checkout; Max-Age=60',
  ],
  allowedMethods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
} as const

const measured = v.object({ name: v.string(), octets: v.number() })

/** A member that may be missing; one in an unexpected form counts as absent. */
export function ifPresent<S extends v.GenericSchema>(schema: S) {
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
