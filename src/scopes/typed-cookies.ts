import { nameFault } from '../site/cookie-scope.ts'
import { type FoundScopes, keepLast } from './found-scope.ts'
import { readScopes } from './read-scopes.ts'

/**
 * Reads cookies that a user typed or pasted: names, each with its cookie path if that is not `/` (`sid basket:/shop`), a
 * Cookie line, or a Set-Cookie line.
 *
 * @returns why it can't be read, as a clause
 */
export function readTypedCookies(line: string, host: string): FoundScopes | string {
  if (SET_COOKIE.test(line)) return readScopes(line, { host, nowMs: Date.now() })
  const typed = line.replace(/^cookie:/i, '')
  // A value may contain all but a semicolon.
  const words = typed.split(typed.includes('=') ? ';' : /[\s,;]+/)
  const scopes = words.flatMap((word) => {
    const [scope = ''] = word.trim().split('=')
    const [name = '', path = '/'] = scope.split(/:(?=\/)/)
    const unknown = { secure: undefined, sameSite: undefined }
    return scope === '' ? [] : { name, domain: host, path, httponly: true, ...unknown }
  })
  const wrong = scopes.find(({ name }) => nameFault(name) !== undefined)
  if (wrong !== undefined) return `${JSON.stringify(wrong.name)} is neither a file nor the name of a cookie`
  return { scopes: keepLast(scopes), notes: [] }
}

const SET_COOKIE =
  /^set-cookie:|;\s*(?:httponly|secure|(?:path|domain|samesite|expires|max-age)=[^;]*)(?:;|$)/i
