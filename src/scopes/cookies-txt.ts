import type { FoundScope, FoundScopes } from './found-scope.ts'

/**
 * Reads a Netscape cookies.txt as curl, wget and browser extensions write it: seven fields separated by tabs (domain,
 * whether subdomains receive it, path, secure, expiry, name, value). `#HttpOnly_` before a domain marks an httpOnly cookie;
 * every other line with `#` is a comment.
 */
export function readCookiesTxt(text: string): FoundScopes {
  const scopes: FoundScope[] = []
  const leftOut: number[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const isHttpOnly = line.startsWith(HTTP_ONLY)
    if (line.trim() === '' || (line.startsWith('#') && !isHttpOnly)) continue
    const [host = '', subdomains, path = '', secure, , name = ''] = line
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
    scopes.push({
      name,
      domain: subdomains?.toUpperCase() === 'TRUE' ? `.${bare}` : bare,
      path,
      httponly: isHttpOnly,
      secure: secure?.toUpperCase() === 'TRUE',
      sameSite: undefined,
    })
  }
  return { scopes, notes: leftOut.length === 0 ? [] : [describeLeftOut(leftOut)] }
}

function describeLeftOut(lineNumbers: readonly number[]): string {
  const [first] = lineNumbers
  const form = 'in the form of a cookies.txt and'
  if (lineNumbers.length === 1) return `1 line is not ${form} was left out: line ${first}.`
  const shown = [...lineNumbers.slice(0, 10), ...(lineNumbers.length > 10 ? ['…'] : [])]
  return `${lineNumbers.length} lines are not ${form} were left out: lines ${shown.join(', ')}.`
}

const HTTP_ONLY = '#HttpOnly_'
