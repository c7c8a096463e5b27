import type { FoundScope, FoundScopes } from './found-scope.ts'

/**
 * Reads a Netscape cookies.txt as curl, wget and browser add-ons write it: seven fields between tabs (domain, whether
 * subdomains get it, path, secure, expiry, name, value); `#HttpOnly_` in front of a domain marks an httpOnly cookie,
 * and every other line with `#` is a comment.
 */
export function readCookiesTxt(text: string): FoundScopes {
  const scopes: FoundScope[] = []
  let leftOut = 0
  for (const line of text.split(/\r?\n/)) {
    const isHttpOnly = line.startsWith(HTTP_ONLY)
    if (line.trim() === '' || (line.startsWith('#') && !isHttpOnly)) continue
    const [host = '', subdomains, path = '', secure, , name = ''] = line
      .slice(isHttpOnly ? HTTP_ONLY.length : 0)
      .split('\t')
    if (host === '' || name === '' || !path.startsWith('/')) {
      leftOut += 1
      continue
    }
    const bare = host.replace(/^\./, '').toLowerCase()
    scopes.push({
      name,
      domain: subdomains?.toUpperCase() === 'TRUE' ? `.${bare}` : bare,
      path,
      httponly: isHttpOnly,
      secure: secure?.toUpperCase() === 'TRUE',
      sameSite: undefined,
    })
  }
  return {
    scopes,
    notes: leftOut === 0 ? [] : [`${leftOut} lines are not in the form of a cookies.txt and were left out.`],
  }
}

const HTTP_ONLY = '#HttpOnly_'
