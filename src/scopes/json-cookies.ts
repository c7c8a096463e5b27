import type { FoundScope, FoundScopes } from './found-scope.ts'
import { SAME_SITE } from './set-cookie.ts'

/**
 * Reads the JSON that Cookie-Editor and EditThisCookie export: a list of cookies as the browser tells them to extensions.
 *
 * @returns `undefined` when the JSON is no such list
 */
export function readCookieList(json: unknown): FoundScopes | undefined {
  if (!Array.isArray(json)) return undefined
  const scopes = json.flatMap((cookie) => toListedScope(cookie) ?? [])
  if (json.length === 0) return { scopes, notes: ['The list holds no cookie.'] }
  if (scopes.length === 0) return undefined
  const leftOutCount = json.length - scopes.length
  if (leftOutCount === 0) return { scopes, notes: [] }
  const count = leftOutCount === 1 ? '1 entry of the list has' : `${leftOutCount} entries of the list have`
  return { scopes, notes: [`${count} no name, domain or path; left out.`] }
}

/**
 * The scope of a cookie that an export lists as an object: in HAR's words, which are also those of the browsers'
 * `cookies` API for extensions.
 *
 * @param fallback what an entry without a domain or path means, where the export tells it
 * @returns `undefined` for what is no cookie, or does not tell its scope
 */
export function toListedScope(
  cookie: unknown,
  fallback?: { readonly domain: string; readonly path: string },
): FoundScope | undefined {
  const name = textOf(cookie, 'name')
  const domain = textOf(cookie, 'domain')?.toLowerCase() ?? fallback?.domain
  const writtenPath = textOf(cookie, 'path')
  const path = writtenPath?.startsWith('/') ? writtenPath : fallback?.path
  if (name === undefined || domain === undefined || path === undefined) return undefined
  const secure = member(cookie, 'secure') === true
  return {
    name,
    domain: toDotted(domain, member(cookie, 'hostOnly')),
    path,
    httponly: member(cookie, 'httpOnly') === true,
    secure,
    sameSite: toSameSite(textOf(cookie, 'sameSite')?.toLowerCase() ?? '', secure),
  }
}

/** Extensions say by `hostOnly` what HAR says by the dot alone. */
function toDotted(domain: string, hostOnly: unknown): string {
  const bare = domain.replace(/^\./, '')
  if (typeof hostOnly !== 'boolean') return domain
  return hostOnly ? bare : `.${bare}`
}

/** Firefox says `no_restriction` of a cookie without the attribute too; without Secure it can be nothing else. */
function toSameSite(word: string, secure: boolean): FoundScope['sameSite'] {
  if (word === 'no_restriction') return secure ? 'None' : undefined
  return SAME_SITE[word]
}

function textOf(cookie: unknown, key: string): string | undefined {
  const value = member(cookie, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The own member of an object out of untrusted JSON; `undefined` where there is none. */
export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
