import { readCookiesTxt } from './cookies-txt.ts'
import { type FoundScope, type FoundScopes, toDistinct } from './found-scope.ts'
import { readHar } from './har.ts'
import { parseSetCookie } from './set-cookie.ts'

/**
 * Reads cookie scopes from an export: a HAR archive (JSON), `Set-Cookie` lines (as `curl -i` prints them, the field
 * name may be left out), or a Netscape cookies.txt. The form is told from the text.
 *
 * @param host whose answer Set-Cookie lines stood in, for cookies without a Domain attribute
 * @returns each scope once, or why nothing could be read, as a sentence
 */
export function readScopes(text: string, host: string | undefined): FoundScopes | string {
  const found = read(text.replace(/^\ufeff/, ''), host)
  return typeof found === 'string' ? found : { scopes: toDistinct(found.scopes), notes: found.notes }
}

function read(text: string, host: string | undefined): FoundScopes | string {
  if (/^\s*\{/.test(text)) {
    const json = parseJson(text)
    return readHar(json) ?? 'This JSON is no HAR archive: it has no log.entries.'
  }
  if (/^(?:#HttpOnly_)?[^#\s][^\t\n]*\t(?:TRUE|FALSE)\t\//im.test(text)) return readCookiesTxt(text)
  const lines = text.split(/\r?\n/).filter((line) => /^set-cookie\s*:/i.test(line))
  const bare = lines.length > 0 ? lines : text.split(/\r?\n/).filter((line) => /^[^\s=;:]+=/.test(line))
  if (bare.length === 0) return 'This is no HAR archive, no cookies.txt, and holds no Set-Cookie line.'
  return readLines(bare, host)
}

function readLines(lines: readonly string[], host: string | undefined): FoundScopes {
  const scopes: FoundScope[] = []
  const notes: string[] = []
  for (const line of lines) {
    const scope = parseSetCookie(line.replace(/^set-cookie\s*:/i, ''), { host, path: '/' })
    if (typeof scope === 'string') notes.push(`A line was left out: ${scope}.`)
    else scopes.push(scope)
  }
  return { scopes, notes }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
