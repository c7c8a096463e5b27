import { HOP_BY_HOP } from '../http/hop-by-hop.ts'

/*
 * The field rules: every name that is not simply forwarded, in either direction. The proxy, the edge and the recipes for
 * front ends all use these lists, so a name added here takes effect everywhere.
 */

/** Set only by the proxy. A client's are removed in any spelling. */
export const OWNED: readonly string[] = ['X-Widget-Key', 'X-Continuation-Origin']

/** What a front end says about the previous hop: read if the peer is trusted, never forwarded. */
export const HOP_BEFORE: readonly string[] = [
  'Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
]

/** Removed in any other spelling; under their own name they are kept, replaced or removed individually. */
export const FRAMING: readonly string[] = ['Content-Length', 'Transfer-Encoding']

/** Names with this prefix are removed in any other spelling. */
export const FORWARDED_PREFIX = 'X-Forwarded-'

/**
 * Names in which front ends send the client's address, besides X-Forwarded-For and Forwarded. With
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
 * Response fields that affect the whole origin, which is the customer's and not the service's:
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
 * Response fields that a cache obeys instead of Cache-Control (RFC 9213 and its predecessor). They are removed where
 * Cache-Control forbids storing: a cache in front would store the response all the same.
 */
export const CACHE_OVERRIDES: readonly string[] = ['CDN-Cache-Control', 'Surrogate-Control']

/** Cache-Control for a response that has none. */
export const NOT_STORED = 'private, no-store'

/** A list of names as a set in lower case. */
export function lowerCased(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}

/**
 * A lower-case name with every character but letters and digits replaced by `-`, the way CGI-style servers compare them
 * (RFC 3875 section 4.1.18): to such a server `x_widget.key` is X-Widget-Key.
 */
export function foldName(lowerName: string): string {
  return /[^a-z0-9-]/.test(lowerName) ? lowerName.replace(/[^a-z0-9]/g, '-') : lowerName
}

/** Whether a client's field, given its lower-case name, is never forwarded. */
export function isStrippedFromRequest(lowerName: string): boolean {
  if (HOP_BY_HOP.has(lowerName) || REPLACED.has(lowerName)) return true
  const folded = foldName(lowerName)
  if (OWNED_NAMES.has(folded)) return true
  return folded !== lowerName && (FRAMING_NAMES.has(folded) || folded.startsWith(FORWARDED_NAME_PREFIX))
}

const OWNED_NAMES = lowerCased(OWNED)
const FRAMING_NAMES = lowerCased(FRAMING)
const FORWARDED_NAME_PREFIX = FORWARDED_PREFIX.toLowerCase()
/** Host is replaced, and the proxy answers expectations itself. */
const REPLACED = lowerCased(['Host', 'Expect', ...HOP_BEFORE])
