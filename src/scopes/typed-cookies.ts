import { nameFault } from '../site/cookie-scope.ts'
import type { FoundScopes } from './found-scope.ts'
import { readScopes } from './read-scopes.ts'

/**
 * Reads cookies that a user typed or pasted: names, each with its cookie path if that is not `/` (`sid basket:/shop`), a
 * Cookie line, or a Set-Cookie line.
 *
 * @returns why it can't be read, as a clause
 */
export function readTypedCookies(line: string, host: string | undefined): FoundScopes | string {
  const circumstances = { host, nowMs: Date.now() }
  if (SET_COOKIE.test(line)) return readScopes(line, circumstances)
  const typed = line.replace(/^cookie:/i, '')
  // A value may contain all but a semicolon.
  const words = typed.split(typed.includes('=') ? ';' : /[\s,;]+/)
  const cookies = words.flatMap((word) => {
    const [scope = ''] = word.trim().split('=')
    const [name = '', path = '/'] = scope.split(/:(?=\/)/)
    return scope === '' ? [] : { name, path }
  })
  const wrong = cookies.find(({ name }) => nameFault(name) !== undefined)
  if (wrong !== undefined) return `${JSON.stringify(wrong.name)} is neither a file nor the name of a cookie`
  const lines = cookies.map(({ name, path }) => `Set-Cookie: ${name}=; Path=${path}; HttpOnly`)
  return readScopes(lines.join('\n'), circumstances)
}

const SET_COOKIE =
  /^set-cookie:|;\s*(?:httponly|secure|(?:path|domain|samesite|expires|max-age)=[^;]*)(?:;|$)/i
