import { isIpHost, toCanonicalHost } from '../http/host.ts'
import { toRequestedPath } from '../http/url.ts'
import { isPublicSuffix } from './site.ts'

/** A cookie scope as written in the service's settings, with a hint that those settings lack. */
export interface ScopeText {
  readonly name: string
  /** A leading dot means a domain cookie, none a host-only cookie. */
  readonly domain: string
  readonly path: string
  readonly httponly: boolean
  readonly secure?: boolean | undefined
}

/** The canonical domain of a cookie. */
export interface CookieDomain {
  /** Canonical host, no leading dot. */
  readonly host: string
  readonly hostOnly: boolean
}

/** What decides where a browser sends a cookie that it can hold. */
export interface CookieScope extends CookieDomain, Pick<ScopeText, 'path'> {
  /** `undefined`: neither the name's prefix nor the config says. */
  readonly secure: boolean | undefined
}

export type ScopeFaultKind = 'name' | 'domain' | 'public-suffix' | 'path' | 'prefix'

export interface JudgedScope {
  /** Why browsers don't store such a cookie, at most once for each kind. `reason`: a clause, "it is empty". */
  readonly faults: readonly { readonly kind: ScopeFaultKind; readonly reason: string }[]
  /** Present if the domain itself is well formed. */
  readonly domain: CookieDomain | undefined
  /** Present if there is no fault. */
  readonly scope: CookieScope | undefined
}

/** Judges a scope by RFC 6265bis sections 5.6 and 5.7: whether a browser would store such a cookie. */
export function judgeScope(text: ScopeText): JudgedScope {
  const parsed = parseCookieDomain(text.domain)
  const domain = 'fault' in parsed ? undefined : parsed
  const found: readonly [ScopeFaultKind, string | undefined][] = [
    ['name', nameFault(text.name)],
    ['domain', 'fault' in parsed ? parsed.fault : undefined],
    ['public-suffix', domain && publicSuffixFault(domain)],
    ['path', pathFault(text.path)],
    ['prefix', prefixFault(text)],
  ]
  const faults = found.flatMap(([kind, reason]) => (reason === undefined ? [] : [{ kind, reason }]))
  if (domain === undefined || faults.length > 0) return { faults, domain, scope: undefined }
  const secure = findNamePrefix(text.name) === undefined ? text.secure : true
  return { faults, domain, scope: { path: text.path, secure, ...domain } }
}

/** Whether a request to this canonical host carries the cookie, path and scheme aside (RFC 6265bis section 5.8.3, step 1). */
export function hostReceives(host: string, domain: CookieDomain): boolean {
  return domain.hostOnly ? host === domain.host : domainMatches(host, domain.host)
}

/**
 * Parses the domain of a scope. One leading dot is removed, the service's mark of a domain cookie (in Set-Cookie the dot is
 * ignored, and any Domain attribute makes a domain cookie). IPv6 addresses may be in brackets or not.
 */
export function parseCookieDomain(text: string): CookieDomain | { readonly fault: string } {
  const hostOnly = !text.startsWith('.')
  const name = hostOnly ? text : text.slice(1)
  if (name === '') return { fault: 'it is empty' }
  if (name.startsWith('.')) return { fault: 'it begins with more than one dot' }
  const host = toCanonicalHost(/^[\da-f.]*:[\da-f:.]*:[\da-f:.]*$/i.test(name) ? `[${name}]` : name)
  if (host === undefined) return { fault: 'it is not a host name' }
  // Browsers drop a Domain attribute with a trailing dot. **Ours:** a host-only one is treated the same, since a point
  // on such a host is an error of its own.
  if (host.endsWith('.')) return { fault: 'it ends in a dot' }
  // Section 5.1.3: an address domain-matches only itself.
  if (!hostOnly && isIpHost(host)) return { fault: 'it is an IP address, which has no subdomains' }
  return { host, hostOnly }
}

/** The one text for a domain, as in the service's settings. */
export function toDomainText({ host, hostOnly }: CookieDomain): string {
  return hostOnly ? host : `.${host}`
}

/** The texts of all domains whose cookies a canonical host receives: its own, and if it is a name, its parents'. */
export function toReceivedDomains(host: string): readonly string[] {
  const domains = [host, `.${host}`]
  // No longer name is in DNS.
  if (isIpHost(host) || host.length > 255) return domains
  for (let dotAt = host.indexOf('.'); dotAt !== -1; dotAt = host.indexOf('.', dotAt + 1))
    domains.push(host.slice(dotAt))
  return domains
}

/** The same text for every way to write one domain: letter case, and A-labels or Unicode, make no difference. */
export function toDomainKey(text: string): string {
  const parsed = parseCookieDomain(text)
  return 'fault' in parsed ? text.toLowerCase() : toDomainText(parsed)
}

// RFC 9110 section 5.6.2. Browsers store more names than tokens (section 5.6 is lenient), but no server can set one
// in a field that every hop in between reads the same way (section 4.1.1).
export function nameFault(name: string): string | undefined {
  if (name === '') return 'it is empty'
  return /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name)
    ? undefined
    : 'it contains a character that is not allowed in a token'
}

// Section 5.7, the step on public suffixes: such a Domain is refused, or ignored if it is the host itself.
function publicSuffixFault({ host, hostOnly }: CookieDomain): string | undefined {
  if (hostOnly || !isPublicSuffix(host)) return undefined
  return 'every site below it would share the cookie'
}

// Section 5.6.4: a Path that is empty or has no leading slash is replaced by the default path. Section 5.6, step 1: a
// control character drops the whole cookie, and an attribute of more than 1024 bytes is ignored.
// **Ours:** a path that no request can have (a space, a dot segment, `?`, a letter that browsers percent-encode) is a
// fault too: a browser may store the cookie but never sends it.
function pathFault(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (!path.startsWith('/')) return 'it does not begin with a slash'
  if (/[\u0000-\u001f\u007f;]/.test(path)) return 'it contains a control character or a semicolon'
  if (path.length > 1024) return 'it is longer than 1024 bytes'
  const requested = toRequestedPath(new URL(`http://host${path}`).pathname)
  return requested === path ? undefined : `browsers never request it, but ${requested}`
}

function prefixFault({ name, domain, path, httponly, secure }: ScopeText): string | undefined {
  const prefix = findNamePrefix(name)
  if (prefix === undefined) return undefined
  if (prefix.bindsHost && domain.startsWith('.')) return `${prefix.text} requires a host-only cookie`
  if (prefix.bindsHost && path !== '/') return `${prefix.text} requires the path /`
  if (prefix.bindsHttp && !httponly) return `${prefix.text} requires HttpOnly`
  if (secure === false) return `${prefix.text} requires Secure`
  return undefined
}

/**
 * Finds the prefix of a cookie's name, ignoring case. All of them require Secure.
 *
 * RFC 6265bis section 5.4 (user agents compare without case, since servers may) and 4.1.3.1, 4.1.3.2 for `__Secure-`
 * and `__Host-`; draft-ietf-httpbis-layered-cookies for `__Http-` and `__Host-Http-`.
 */
export function findNamePrefix(name: string): (typeof PREFIXES)[number] | undefined {
  const lower = name.toLowerCase()
  return PREFIXES.find((prefix) => lower.startsWith(prefix.text.toLowerCase()))
}

/**
 * What browsers require of a cookie with such a name, or drop it. `bindsHost`: host-only and `Path=/`. `bindsHttp`: HttpOnly, so
 * that only a server can set it. The longer one first: `__Host-Http-` begins with `__Host-`.
 */
const PREFIXES = [
  { text: '__Host-Http-', bindsHost: true, bindsHttp: true },
  { text: '__Host-', bindsHost: true, bindsHttp: false },
  { text: '__Http-', bindsHost: false, bindsHttp: true },
  { text: '__Secure-', bindsHost: false, bindsHttp: false },
] as const

/**
 * Domain-match: the host is the domain, or is a name that ends with it at a label boundary.
 * RFC 6265bis section 5.1.3. Both are canonical hosts; the domain has no leading dot.
 */
export function domainMatches(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && !isIpHost(host))
}

/**
 * Path-match: equal, or the cookie's path is a prefix that ends on a segment boundary (`/foo` matches `/foo/bar` and
 * not `/foobar`). RFC 6265bis section 5.1.4. Bytes are compared as they are: case counts, nothing is decoded.
 */
export function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (!requestPath.startsWith(cookiePath)) return false
  const rest = requestPath.slice(cookiePath.length)
  return rest === '' || rest.startsWith('/') || cookiePath.endsWith('/')
}

/** All cookie paths that path-match the path of a request: itself, and its prefixes at a slash. */
export function toCookiePaths(path: string): readonly string[] {
  const paths = new Set([path])
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    paths.add(path.slice(0, at)).add(path.slice(0, at + 1))
  return [...paths]
}
