import { isIpHost, toCanonicalHost } from '../http/host.ts'
import { domainMatches } from '../site/cookie-scope.ts'
import { isListedPublicSuffix, isPublicSuffix } from '../site/site.ts'
import type { FoundScope, FoundScopes } from './found-scope.ts'

interface Source {
  /** Canonical host of the request, if known. */
  readonly host: string | undefined
  /** Path of the request, for cookies without a Path attribute. */
  readonly path: string
  /** When the line was received, in ms since the epoch; an earlier expiry deletes the cookie. */
  readonly receivedMs: number
}

/**
 * Reads the value of one Set-Cookie field, RFC 6265bis section 5.6: name and attributes; the last of repeated
 * attributes counts. The cookie's value is never kept.
 *
 * @returns the scope, or why a browser would not hold the cookie
 */
export function parseSetCookie(line: string, source: Source): FoundScope | LeftOut {
  const [pair = '', ...attributes] = line.split(';')
  const equals = pair.indexOf('=')
  const name = equals === -1 ? '' : pair.slice(0, equals).trim()
  if (name === '') return { kind: 'nameless', name }
  let domain: string | undefined
  let path = defaultPath(source.path)
  let httponly = false
  let secure = false
  let sameSite: FoundScope['sameSite']
  let maxAge: number | undefined
  let expiresMs: number | undefined
  for (const attribute of attributes) {
    const at = attribute.indexOf('=')
    const key = (at === -1 ? attribute : attribute.slice(0, at)).trim().toLowerCase()
    const value = at === -1 ? '' : attribute.slice(at + 1).trim()
    if (key === 'domain' && value.replace(/^\./, '') !== '') {
      domain = value.replace(/^\./, '').toLowerCase()
    }
    if (key === 'path') path = value.startsWith('/') ? value : defaultPath(source.path)
    if (key === 'httponly') httponly = true
    if (key === 'secure') secure = true
    if (key === 'samesite') sameSite = SAME_SITE.get(value.toLowerCase()) ?? sameSite
    if (key === 'max-age' && /^-?\d+$/.test(value)) maxAge = Number(value)
    if (key === 'expires') expiresMs = parseCookieDate(value) ?? expiresMs
  }
  if (isDeletion(maxAge, expiresMs, source.receivedMs)) return { kind: 'deletion', name }
  const { host } = source
  if (domain === undefined) {
    if (host === undefined) return { kind: 'hostless', name }
    return { name, domain: host, path, httponly, secure, sameSite }
  }
  const canonical = toCanonicalHost(domain) ?? domain
  const refusal = host === undefined ? undefined : refuseDomain(canonical, host)
  if (refusal !== undefined) return { kind: refusal, name }
  // An address has no subdomains, and section 5.7 ignores the Domain of a public suffix that is the host itself.
  const isHostOnly = isIpHost(canonical) || (canonical === host && isPublicSuffix(host))
  return { name, domain: isHostOnly ? canonical : `.${domain}`, path, httponly, secure, sameSite }
}

/** Why a browser refuses the domain of a cookie that this host sent. **Ours:** a suffix that no list has, as of test hosts, is let through. */
export function refuseDomain(domain: string, host: string): LeftOut['kind'] | undefined {
  if (!domainMatches(host, domain)) return 'foreign'
  return domain !== host && isListedPublicSuffix(domain) ? 'suffix' : undefined
}

/** Section 5.7: Max-Age takes precedence over Expires, and one that is not positive is in the past. */
function isDeletion(maxAge: number | undefined, expiresMs: number | undefined, receivedMs: number): boolean {
  if (maxAge !== undefined) return maxAge <= 0
  return expiresMs !== undefined && expiresMs <= receivedMs
}

/** Ms since the epoch. A cookie-date must contain a time (section 5.1.1), so `0`, which Date reads as a year, is not one. */
function parseCookieDate(text: string): number | undefined {
  const ms = /\d:\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** The default-path of a request, section 5.1.4: up to, but not including, the last slash. */
function defaultPath(path: string): string {
  const end = path.lastIndexOf('/')
  return path.startsWith('/') && end > 0 ? path.slice(0, end) : '/'
}

export const SAME_SITE: ReadonlyMap<string, FoundScope['sameSite']> = new Map([
  ['strict', 'Strict'],
  ['lax', 'Lax'],
  ['none', 'None'],
])

export interface LeftOut {
  readonly kind: keyof typeof REASONS
  /** The cookie's name; empty if it has none. */
  readonly name: string
}

/** The scopes, and notes on the lines that yield none. */
export function collectScopes(parsed: readonly (FoundScope | LeftOut)[]): FoundScopes {
  const scopes = parsed.flatMap((each) => ('kind' in each ? [] : [each]))
  const notes = Object.entries(REASONS).flatMap(([kind, [one, many]]) => {
    const lines = parsed.filter((each) => 'kind' in each && each.kind === kind)
    if (lines.length === 0) return []
    const count = lines.length === 1 ? `1 Set-Cookie line ${one}` : `${lines.length} Set-Cookie lines ${many}`
    if (kind === 'nameless') return [`${count} left out.`]
    return [`${count}; left out: ${[...new Set(lines.map(({ name }) => name))].join(', ')}.`]
  })
  return { scopes, notes }
}

/** Why one line, or several, yield none. */
const REASONS = {
  nameless: ['names no cookie and was', 'name no cookie and were'],
  hostless: [
    'has no Domain, and which of several hosts sent it is unknown',
    'have no Domain, and which of several hosts sent them is unknown',
  ],
  foreign: [
    'has a Domain that the host does not match, so a browser refuses it',
    'have a Domain that the host does not match, so a browser refuses them',
  ],
  suffix: [
    'has a Domain that is a public suffix, so a browser refuses it',
    'have a Domain that is a public suffix, so a browser refuses them',
  ],
  deletion: ['deletes a cookie', 'delete a cookie'],
} as const
