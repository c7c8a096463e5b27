import { type Fields, trimWhiteSpace, valuesOf } from '../http/fields.ts'
import type { DownstreamRequest } from './downstream.ts'

/*
 * How the proxy vouches for what it forwards. `check` sends, with each question, a claim: a nonce, digests of what it sent,
 * and an HMAC under a key derived from the widget key and the point's URL. The proxy answers, in a field of the same name,
 * which parts arrived and go on as claimed, and digests of what it passes back. Both values are members joined by dots.
 *
 * A widget key is no secret to visitors, so the answer itself must tell nobody anything: it never concerns a cookie that
 * `check` has not made up, nor the value of one that the service sets.
 */

/** SHA-256 or HMAC-SHA-256 in base64url: sync in Node, else async. */
export type Digest = string

/** What `check` claims to have sent. */
export interface Claim {
  readonly nonce: string
  /** Of the texts of `toTexts`, then of the body. */
  readonly digests: readonly Digest[]
  /** What the HMAC is over. */
  readonly signed: string
  readonly mac: Digest
}

/** Parses the field; `undefined` if it is not a claim. */
export function parseClaim(value: string): Claim | undefined {
  const [, signed, nonce, digests, mac] = CLAIM.exec(value) ?? []
  if (signed === undefined || nonce === undefined || digests === undefined || mac === undefined)
    return undefined
  return { nonce, digests: digests.slice(1).split('.'), signed, mac }
}

/** What the key of a point is derived for (HKDF, RFC 5869, with SHA-256 and without salt); its input is the widget key. */
export function toKeyInfo(pointUrl: string): string {
  return `continuation-point check ${pointUrl}`
}

/**
 * What arrived and goes on, part by part, without the body: method, path, query, the made-up cookies, and the fields by
 * which a browser asks across origins.
 */
export function toTexts({ method, target }: DownstreamRequest, forwarded: Fields): readonly string[] {
  const { path, pathAndQuery } = target
  return [
    method,
    path,
    pathAndQuery.slice(path.length),
    valuesOf(forwarded, 'cookie').map(toMadeUp).filter(Boolean).join('\n'),
    CROSS_ORIGIN.map((name) => valuesOf(forwarded, name).join()).join('\n'),
  ]
}

/** The cookies of a line that begin, or whose value begins, with the mark; with the white space between them. */
function toMadeUp(line: string): string {
  return trimWhiteSpace(line.split(';').filter(isMadeUp).join(';'))
}

/** A pattern for both would go through white space once for each octet of it. */
function isMadeUp(pair: string): boolean {
  const valueAt = pair.indexOf('=') + 1
  return trimWhiteSpace(pair).startsWith(MADE_UP) || (valueAt > 0 && pair.startsWith(MADE_UP, valueAt))
}

/** What goes back: each Set-Cookie line, with the length of its value in place of the value, and each Location. */
export function toBackTexts(
  fields: Fields,
): readonly [setCookies: readonly string[], locations: readonly string[]] {
  return [
    valuesOf(fields, 'set-cookie').slice(0, MOST_LINES).map(withoutValue),
    valuesOf(fields, 'location').slice(0, MOST_LINES),
  ]
}

function withoutValue(line: string): string {
  return line.replace(/^([^=;]*=?)([^;]*)/, (_pair, name: string, value: string) => `${name}${value.length}`)
}

/**
 * The answer, to be followed by a dot and its HMAC.
 *
 * @param digests in the order of the claim; `undefined` for a body that has not arrived as a whole
 * @param back HMACs over nonce, line break and each text of `toBackTexts`, of which a few characters suffice
 */
export function formatVouching(
  { nonce, digests: claimed }: Claim,
  digests: readonly (Digest | undefined)[],
  status: number,
  back: readonly (readonly Digest[])[],
): string {
  const words = claimed.map((digest, at) =>
    digests[at] === undefined ? '-' : digests[at] === digest ? 'y' : 'n',
  )
  const lines = back.map((digests) => digests.map((digest) => digest.slice(0, 11)).join())
  return [nonce, words.join(''), status, ...lines].join('.')
}

const CLAIM = /^(([\w-]{22})((?:\.[\w-]{43}){6}))\.([\w-]{43})$/
const MADE_UP = 'continuation_point_check'
const CROSS_ORIGIN = ['origin', 'access-control-request-method', 'access-control-request-headers'] as const
const MOST_LINES = 64
