import { HOP_BY_HOP } from '../http/hop-by-hop.ts'

/*
 * The law of fields: every name that does not simply pass, in either direction. The proxy and the edge judge by it, and
 * the recipes for front ends are written from it, so that a name added here takes effect everywhere.
 */

/** Set by the proxy alone. A client's own are removed in any spelling. */
export const OWNED: readonly string[] = ['X-Widget-Key', 'X-Continuation-Origin']

/** What a client or a front end says of the hop before us: read where the peer is trusted, never forwarded. */
export const HOP_BEFORE: readonly string[] = [
  'Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
]

/** Removed in any spelling but their own, which is kept, replaced or removed by name. */
export const FRAMING: readonly string[] = ['Content-Length', 'Transfer-Encoding']

/** Every name that begins so is removed in any spelling but its own. */
export const FORWARDED_PREFIX = 'X-Forwarded-'

/**
 * Names by which front ends tell the client's address, beside X-Forwarded-For and Forwarded. With
 * `forward.clientAddress: "omit"` they are removed in any spelling.
 */
export const CLIENT_ADDRESS: readonly string[] = [
  'X-Real-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'Fastly-Client-IP',
  'X-Azure-ClientIP',
  'X-Appengine-User-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'X-Original-Forwarded-For',
  'X-Envoy-External-Address',
  'X-ProxyUser-Ip',
]

/**
 * Fields of an answer whose effect reaches past it to the whole origin, which is the customer's and not the service's:
 * RFC 7838 (Alt-Svc), RFC 6797 (Strict-Transport-Security), RFC 7469 (Public-Key-Pins), RFC 9163 (Expect-CT), RFC 8942
 * (Accept-CH), RFC 9842 (Use-As-Dictionary), and W3C and WHATWG documents for the rest.
 */
export const ORIGIN_WIDE: readonly string[] = [
  'Strict-Transport-Security',
  'Alt-Svc',
  'Public-Key-Pins',
  'Public-Key-Pins-Report-Only',
  'Clear-Site-Data',
  'NEL',
  'Report-To',
  'Reporting-Endpoints',
  'Expect-CT',
  'Service-Worker-Allowed',
  'Accept-CH',
  'Critical-CH',
  'Set-Login',
  'Use-As-Dictionary',
  'Secure-Session-Registration',
  'Origin-Agent-Cluster',
]

/**
 * Fields of an answer by which a cache decides instead of by Cache-Control (RFC 9213, and its forerunner). They are
 * removed where Cache-Control says that nothing is to be stored: a cache in front would store it all the same.
 */
export const CACHE_OVERRIDES: readonly string[] = ['CDN-Cache-Control', 'Surrogate-Control']

/** What an answer gets whose service says nothing about caches. */
export const NOT_STORED = 'private, no-store'

/** A list as a set to look lower-case names up in. */
export function lowerCased(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

/**
 * A lower-case name with every character but letters and digits counted as `-`, as CGI-style servers count them
 * (RFC 3875 section 4.1.18): to such a server `x_widget.key` is X-Widget-Key.
 */
export function foldName(lowerName: string): string {
  return /[^a-z0-9-]/.test(lowerName) ? lowerName.replace(/[^a-z0-9]/g, '-') : lowerName
}

/** Whether a field of a client, by its lower-case name, is never taken over. */
export function isStrippedFromRequest(lowerName: string): boolean {
  if (HOP_BY_HOP.has(lowerName) || REPLACED.has(lowerName)) return true
  const folded = foldName(lowerName)
  if (OWNED_NAMES.has(folded)) return true
  return folded !== lowerName && (FRAMING_NAMES.has(folded) || folded.startsWith(FORWARDED_NAME_PREFIX))
}

const OWNED_NAMES = lowerCased(OWNED)
const FRAMING_NAMES = lowerCased(FRAMING)
const FORWARDED_NAME_PREFIX = FORWARDED_PREFIX.toLowerCase()
/** Host is set anew, and an expectation is answered here. */
const REPLACED = lowerCased(['Host', 'Expect', ...HOP_BEFORE])
