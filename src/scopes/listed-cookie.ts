import type { FoundScope } from './found-scope.ts'
import { member } from './json-member.ts'
import { SAME_SITE } from './set-cookie.ts'

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
