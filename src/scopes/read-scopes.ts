import { nameFault } from '../site/cookie-scope.ts'
import { type FoundScope, type FoundScopes, keepLast } from './found-scope.ts'
import { readCookieList, readHar } from './json-exports.ts'
import { collectScopes, parseSetCookie } from './set-cookie.ts'

/** What an export may not say itself. */
interface Circumstances {
  /** Canonical host whose response contained the Set-Cookie lines, if known. */
  readonly host: string | undefined
  /** The time of the response if the export has none, in ms since the epoch. */
  readonly nowMs: number
}

/**
 * Reads cookie scopes from an export: a HAR archive, a JSON list from Cookie-Editor or EditThisCookie, `Set-Cookie` lines
 * (as `curl -i` prints them; the field name may be left out), or a Netscape cookies.txt. The format is detected.
 *
 * @returns each scope once, or why nothing could be read, as a sentence
 */
export function readScopes(text: string, circumstances: Circumstances): FoundScopes | string {
  const found = read(text.replace(/^\ufeff/, ''), circumstances)
  return typeof found === 'string' ? found : { scopes: keepLast(found.scopes), notes: found.notes }
}

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

function read(text: string, circumstances: Circumstances): FoundScopes | string {
  // A cookies.txt may begin with a bracket too, that of an IPv6 address.
  if (/^\s*(?:\{|\[\s*[{\]])/.test(text)) {
    const json = parseJson(text)
    if (json === undefined)
      return 'this begins like JSON but is not valid; perhaps the export was cut short: export it again'
    return (
      readHar(json, circumstances.nowMs) ??
      readCookieList(json) ??
      'this JSON is neither a HAR archive (it has no log.entries) nor a list of cookies as exported by Cookie-Editor and EditThisCookie'
    )
  }
  if (/^(?:#HttpOnly_)?[^#\s][^\t\n]*\t(?:TRUE|FALSE)\t\//im.test(text)) return readCookiesTxt(text)
  const lines = text.split(/\r?\n/).filter((line) => /^set-cookie\s*:/i.test(line))
  const bare = lines.length > 0 ? lines : text.split(/\r?\n/).filter((line) => /^[^\s=;:]+=/.test(line))
  if (bare.length === 0)
    return 'this is neither a HAR archive nor a cookies.txt, and contains no Set-Cookie line'
  const [, date = ''] = /^date\s*:(.*)$/im.exec(text) ?? []
  const receivedMs = Date.parse(date)
  const source = {
    host: circumstances.host,
    path: '/',
    receivedMs: Number.isNaN(receivedMs) ? circumstances.nowMs : receivedMs,
  }
  return collectScopes(bare.map((line) => parseSetCookie(line.replace(/^set-cookie\s*:/i, ''), source)))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads a Netscape cookies.txt as curl, wget and browser extensions write it: seven fields separated by tabs (domain,
 * whether subdomains receive it, path, secure, expiry, name, value). `#HttpOnly_` before a domain marks an httpOnly cookie;
 * every other line with `#` is a comment.
 */
function readCookiesTxt(text: string): FoundScopes {
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
  const form = 'in the form of a cookies.txt and'
  const shown = [...leftOut.slice(0, 10), ...(leftOut.length > 10 ? ['…'] : [])].join(', ')
  if (leftOut.length < 2) {
    return { scopes, notes: leftOut.map((line) => `1 line is not ${form} was left out: line ${line}.`) }
  }
  return { scopes, notes: [`${leftOut.length} lines are not ${form} were left out: lines ${shown}.`] }
}

const HTTP_ONLY = '#HttpOnly_'

const SET_COOKIE =
  /^set-cookie:|;\s*(?:httponly|secure|(?:path|domain|samesite|expires|max-age)=[^;]*)(?:;|$)/i
