import type { FoundScopes } from './found-scope.ts'
import { toListedScope } from './listed-cookie.ts'

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
