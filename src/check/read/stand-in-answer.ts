import { valuesOf } from '../../http/fields.ts'
import type { Reply } from '../../probe/probe.ts'

/** What the stand-in service says of a request: version 1 of its JSON answer. */
export interface StandInAnswer {
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
export function readStandIn(reply: Reply | undefined): StandInAnswer | undefined {
  if (reply?.kind !== 'answer' || !reply.body.includes('"standIn"')) return undefined
  const answer = parseJson(reply.body)
  if (!isRecord(answer) || answer.standIn !== 1) return undefined
  const received = readReceived(answer.received)
  if (received === undefined || !isListOf(answer.listedUrls, isText) || !isListOf(answer.checks, isRecord)) {
    return undefined
  }
  const allowed = answer.checks.find(({ check }) => check === 'allowed')
  return {
    allowed: allowed?.outcome === 'pass',
    listedUrls: answer.listedUrls,
    nonce: isText(answer.nonce) ? answer.nonce : undefined,
    received,
  }
}

/** The method of a request as the stand-in got it; in a field, since the answer to HEAD has no body to tell it in. */
export function standInMethod(reply: Reply): string | undefined {
  return reply.kind === 'answer' ? valuesOf(reply.fields, 'stand-in-method')[0] : undefined
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

function readReceived(value: unknown): StandInAnswer['received'] | undefined {
  if (!isRecord(value)) return undefined
  const { method, target, host, continuationOrigins, widgetKey, cookies, cookieLineOctets, body } = value
  const { fields } = value
  if (!isText(method) || !isText(target) || !(host === undefined || isText(host))) return undefined
  if (!isListOf(continuationOrigins, isText) || !isListOf(cookieLineOctets, isNumber)) return undefined
  if (!isRecord(widgetKey) || !isNumber(widgetKey.lines)) return undefined
  if (!isListOf(cookies, isMeasured)) return undefined
  if (!isRecord(body) || !isNumber(body.octets) || !isText(body.sha256)) return undefined
  return {
    method,
    target,
    host,
    continuationOrigins,
    widgetKey: { lines: widgetKey.lines, known: widgetKey.known === true },
    widgetKeySha256: isText(value.widgetKeySha256) ? value.widgetKeySha256 : undefined,
    fieldNames: isListOf(fields, isMeasured) ? fields.map(({ name }) => name.toLowerCase()) : undefined,
    cookies,
    cookieLineOctets,
    body: { octets: body.octets, sha256: body.sha256 },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isMeasured(value: unknown): value is { readonly name: string; readonly octets: number } {
  return isRecord(value) && isText(value.name) && isNumber(value.octets)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function isListOf<T>(value: unknown, isMember: (member: unknown) => member is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isMember)
}
