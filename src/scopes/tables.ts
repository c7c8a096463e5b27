import type { FoundScope, FoundScopes } from './found-scope.ts'
import { readCookieList } from './json-exports.ts'

/** Reads a table whose fields are separated by tabs, if these lines are one: a cookies.txt, or rows copied from Chrome. */
export function readTable(lines: readonly string[]): FoundScopes | undefined {
  if (lines.some((line) => /^(?:#HttpOnly_)?[^#\s][^\t]*\t(?:TRUE|FALSE)\t\//i.test(line)))
    return readCookiesTxt(lines)
  const rows = lines.map((line) => line.split('\t')).filter(isChromeRow)
  return rows.length === 0 ? undefined : readCookieList(rows.map(toListed))
}

/**
 * Reads a Netscape cookies.txt as curl, wget and browser extensions write it: seven fields (domain, whether subdomains
 * receive it, path, secure, expiry, name, value). `#HttpOnly_` before a domain marks an httpOnly cookie; every other line with
 * `#` is a comment. Where the flag and a leading dot of the domain contradict each other, the scope is the narrower one.
 */
function readCookiesTxt(lines: readonly string[]): FoundScopes {
  const scopes: FoundScope[] = []
  const unsure = new Set<string>()
  const leftOut: number[] = []
  for (const [index, line] of lines.entries()) {
    const isHttpOnly = line.startsWith(HTTP_ONLY)
    if (line.trim() === '' || (line.startsWith('#') && !isHttpOnly)) continue
    const [host = '', subdomains = '', path = '', secure, , name = ''] = line
      .slice(isHttpOnly ? HTTP_ONLY.length : 0)
      .split('\t')
    if (host === '' || name === '' || !path.startsWith('/')) {
      leftOut.push(index + 1)
      continue
    }
    // wget writes the port too, unless it is 80 or 443. Browsers share cookies among ports.
    const bare = host
      .replace(/^\./, '')
      .replace(/^([^:]+|\[.*\]):\d+$/, '$1')
      .toLowerCase()
    const hasDot = host.startsWith('.')
    const hasFlag = subdomains.toUpperCase() === 'TRUE'
    scopes.push({
      name,
      domain: hasDot && hasFlag ? `.${bare}` : bare,
      path,
      httponly: isHttpOnly,
      secure: secure?.toUpperCase() === 'TRUE',
      sameSite: undefined,
    })
    if (hasDot !== hasFlag) unsure.add(name)
  }
  const notes: string[] = []
  if (leftOut.length > 0) {
    const [some, are] = leftOut.length === 1 ? ['1 line', 'is'] : [`${leftOut.length} lines`, 'are']
    notes.push(`${some} ${are} not in the form of a cookies.txt and left out: ${listFirst(leftOut)}.`)
  }
  if (unsure.size > 0)
    notes.push(
      `The leading dot and the subdomain flag contradict each other, so these are taken as host-only, unless you write the dot that the developer tools show: ${listFirst([...unsure])}.`,
    )
  return { scopes, notes }
}

function listFirst(words: readonly (string | number)[]): string {
  const more = words.length > 10 ? ` and ${words.length - 10} more` : ''
  return `${words.slice(0, 10).join(', ')}${more}`
}

/** Name, value, domain, path, expiry, size, HttpOnly, Secure, SameSite; newer versions have more columns. */
function isChromeRow([name, , domain, path, expires = '', size = '']: readonly string[]): boolean {
  const isDate = expires === 'Session' || /^\d{4}-\d\d-\d\dT/.test(expires)
  return Boolean(name && domain && path?.startsWith('/')) && isDate && /^\d+$/.test(size)
}

function toListed([name, , domain, path, , , httpOnly, secure, sameSite, ...more]: readonly string[]) {
  const partitionKey = more.find((field) => /^https?:/.test(field))
  const flags = { httpOnly: httpOnly === '✓', secure: secure === '✓' }
  return { name, domain, path, sameSite, partitionKey, ...flags }
}

const HTTP_ONLY = '#HttpOnly_'
