import { HOP_BY_HOP } from '../http/hop-by-hop.ts'

/*
 * The field rules: every name that is not simply forwarded, in either direction. The proxy, the edge and the recipes for
 * front ends all use these lists, so a name added here takes effect everywhere.
 */

/** Set only by the proxy. A client's are removed in any spelling. */
export const OWNED: readonly string[] = ['X-Widget-Key', 'X-Continuation-Origin']

/** Between `check` and the proxy, in both directions; never passed on. */
export const VOUCHING = 'Continuation-Point-Check'

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
  ...['Set-Login', 'IdP-SignIn-Status'],
  'Use-As-Dictionary',
  ...['Secure-Session-Registration', 'Secure-Session-Challenge'],
  ...['Sec-Session-Registration', 'Sec-Session-Challenge'],
  'Observe-Browsing-Topics',
  'Origin-Agent-Cluster',
  'Shared-Storage-Write',
  ...['Source', 'Trigger', 'OS-Source', 'OS-Trigger'].map((kind) => `Attribution-Reporting-Register-${kind}`),
]

/**
 * Response fields that front ends and CDNs obey: they send a file or another page of the site, purge their cache, or stop
 * using the server. From the documentation of nginx; mod_xsendfile and lighttpd; LiteSpeed; H2O and Perlbal; mod_session
 * of Apache; the ESI plugin of Traffic Server; App Engine, Next.js and Fly.io; Pushpin and Fastly Fanout; Envoy and Google
 * Cloud; and of caches: Akamai, Bunny, Cloudflare, Fastly, Netlify, Vercel, Varnish (xkey), RFC 9875.
 */
export const FRONT_END_ORDERS: readonly string[] = [
  ...['X-Accel-Redirect', 'X-Accel-Expires', 'X-Accel-Limit-Rate', 'X-Accel-Buffering', 'X-Accel-Charset'],
  ...['X-Sendfile', 'X-Sendfile2', 'X-Sendfile-Temporary'],
  ...['X-LIGHTTPD-Send-File', 'X-LIGHTTPD-KBytes-per-second'],
  ...['X-LiteSpeed-Location', 'X-LiteSpeed-Cache', 'X-LiteSpeed-Cache-Control', 'X-LiteSpeed-Purge'],
  ...['X-LiteSpeed-Tag', 'X-LiteSpeed-Vary'],
  ...['X-Reproxy-URL', 'X-Reproxy-File', 'X-Esi', 'X-Replace-Session'],
  // RFC 8288: with rel=preload, Apache and H2O request what it names from the site, and push that to the visitor.
  'Link',
  ...['X-AppEngine-BlobKey', 'X-Middleware-Rewrite', 'Fly-Replay', 'Fly-Replay-Cache'],
  ...['Grip-Hold', 'Grip-Channel', 'Grip-Link'],
  ...['X-Envoy-Immediate-Health-Check-Fail', 'Endpoint-Load-Metrics', 'X-Endpoint-Load-Metrics'],
  ...['Edge-Control', 'Edge-Cache-Tag', 'CF-Edge-Cache', 'Cache-Tag', 'CDN-Tag', 'Surrogate-Key', 'xkey'],
  ...['Netlify-Vary', 'Netlify-Cache-Tag', 'Netlify-Cache-ID', 'Vercel-Cache-Tag'],
  ...['Cache-Groups', 'Cache-Group-Invalidation'],
]

/** Whole families of them: lower-case names that begin like this are removed too, for what a vendor adds. */
const FRONT_END_ORDER =
  /^(?:x-(?:accel|lighttpd|litespeed|reproxy|middleware|envoy)-|x-sendfile|x-appengine-blob|fly-replay|grip-)/

/**
 * Response fields that a cache obeys instead of Cache-Control: Surrogate-Control, CDN-Cache-Control (RFC 9213) and the
 * vendors' own, of which these are known. They are removed where Cache-Control forbids storing: a cache in front would
 * store the response all the same.
 */
export const CACHE_OVERRIDES: readonly string[] = [
  'CDN-Cache-Control',
  'Surrogate-Control',
  ...['Cloudflare-CDN', 'Netlify-CDN', 'Vercel-CDN', 'Akamai'].map((vendor) => `${vendor}-Cache-Control`),
]

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

/** Whether a field of the service's response, given its lower-case name, would have an effect beyond the response. */
export function isStrippedFromResponse(lowerName: string): boolean {
  return HOP_BY_HOP.has(lowerName) || BEYOND_RESPONSE.has(lowerName) || FRONT_END_ORDER.test(lowerName)
}

/** Whether a cache may obey a response field, given its lower-case name, instead of Cache-Control. */
export function isCacheOverride(lowerName: string): boolean {
  return lowerName === 'surrogate-control' || lowerName.endsWith('-cache-control')
}

const BEYOND_RESPONSE = lowerCased([...ORIGIN_WIDE, ...FRONT_END_ORDERS, VOUCHING])
const OWNED_NAMES = lowerCased([...OWNED, VOUCHING])
const FRAMING_NAMES = lowerCased(FRAMING)
const FORWARDED_NAME_PREFIX = FORWARDED_PREFIX.toLowerCase()
/** Host is replaced, and the proxy answers expectations itself. */
const REPLACED = lowerCased(['Host', 'Expect', ...HOP_BEFORE])
