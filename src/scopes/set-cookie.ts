import type { FoundScope } from './found-scope.ts'

/** Where a Set-Cookie line came from. */
export interface Source {
  /** Host of the request, for cookies without a Domain attribute; absent when nobody told. */
  readonly host: string | undefined
  /** Path of the request, for cookies without a Path attribute. */
  readonly path: string
}

/**
 * Reads the value of one Set-Cookie field, draft-ietf-httpbis-rfc6265bis section 5.6: name and attributes; the last of
 * equal attributes wins. The cookie's value is never kept.
 *
 * @returns the scope, or why there is none, as a clause
 */
export function parseSetCookie(line: string, source: Source): FoundScope | string {
  const [pair = '', ...attributes] = line.split(';')
  const equals = pair.indexOf('=')
  const name = equals === -1 ? '' : pair.slice(0, equals).trim()
  if (name === '') return 'it names no cookie'
  let domain: string | undefined
  let path = defaultPath(source.path)
  let httponly = false
  let secure = false
  let sameSite: FoundScope['sameSite']
  for (const attribute of attributes) {
    const at = attribute.indexOf('=')
    const key = (at === -1 ? attribute : attribute.slice(0, at)).trim().toLowerCase()
    const value = at === -1 ? '' : attribute.slice(at + 1).trim()
    if (key === 'domain' && value !== '') domain = `.${value.replace(/^\./, '').toLowerCase()}`
    if (key === 'path') path = value.startsWith('/') ? value : defaultPath(source.path)
    if (key === 'httponly') httponly = true
    if (key === 'secure') secure = true
    if (key === 'samesite') sameSite = SAME_SITE[value.toLowerCase()] ?? sameSite
  }
  const owner = domain ?? source.host
  if (owner === undefined) return `cookie ${name} has no Domain, and nobody told the host`
  return { name, domain: owner, path, httponly, secure, sameSite }
}

/** The default-path of a request, rfc6265bis section 5.1.4: up to, not including, the last slash. */
function defaultPath(path: string): string {
  const end = path.lastIndexOf('/')
  return path.startsWith('/') && end > 0 ? path.slice(0, end) : '/'
}

/** By the attribute's value in lower case. */
export const SAME_SITE: Readonly<Record<string, FoundScope['sameSite']>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
}
