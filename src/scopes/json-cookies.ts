import type { FoundScope, FoundScopes } from './found-scope.ts'
import { SAME_SITE } from './set-cookie.ts'

/**
 * Reads the JSON that Cookie-Editor and EditThisCookie export: a list of cookies in the form of the browsers' API for
 * extensions.
 *
 * @returns `undefined` if the JSON is not such a list
 */
export function readCookieList(json: unknown): FoundScopes | undefined {
  if (!Array.isArray(json)) return undefined
  const scopes = json.flatMap((cookie) => parseListedScope(cookie) ?? [])
  if (json.length === 0) return { scopes, notes: ['The list contains no cookies.'] }
  if (scopes.length === 0) return undefined
  const leftOutCount = json.length - scopes.length
  if (leftOutCount === 0) return { scopes, notes: [] }
  const count = leftOutCount === 1 ? '1 entry of the list has' : `${leftOutCount} entries of the list have`
  return { scopes, notes: [`${count} no name, domain or path; left out.`] }
}

/**
 * The scope of a cookie that an export lists as an object, with the names that HAR and the browsers' `cookies` API for
 * extensions share.
 *
 * @param fallback the domain and path of entries without them, if the export implies them
 * @returns `undefined` if it is not a cookie, or its scope is missing
 */
export function parseListedScope(
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
    sameSite: parseSameSite(textOf(cookie, 'sameSite')?.toLowerCase() ?? '', secure),
  }
}

/** The API for extensions has `hostOnly`, where HAR has only the leading dot. */
function toDotted(domain: string, hostOnly: unknown): string {
  const bare = domain.replace(/^\./, '')
  if (typeof hostOnly !== 'boolean') return domain
  return hostOnly ? bare : `.${bare}`
}

/** Firefox says `no_restriction` also for a cookie without the attribute; without Secure it can't be SameSite=None. */
function parseSameSite(word: string, secure: boolean): FoundScope['sameSite'] {
  if (word === 'no_restriction') return secure ? 'None' : undefined
  return SAME_SITE[word]
}

function textOf(cookie: unknown, key: string): string | undefined {
  const value = member(cookie, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A member of an object from untrusted JSON; `undefined` if there is none. */
export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
