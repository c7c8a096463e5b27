import { readCookiesTxt } from './cookies-txt.ts'
import { type FoundScopes, keepLast } from './found-scope.ts'
import { readHar } from './har.ts'
import { readCookieList } from './json-cookies.ts'
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
