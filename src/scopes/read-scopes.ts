import { nameFault } from '../site/cookie-scope.ts'
import { type FoundScopes, keepLast } from './found-scope.ts'
import { readCookieList, readHar } from './json-exports.ts'
import { collectScopes, parseSetCookie } from './set-cookie.ts'
import { readTable } from './tables.ts'

/** What an export may not say itself. */
interface Circumstances {
  /** Canonical host whose response contained the Set-Cookie lines, if known. */
  readonly host: string | undefined
  /** The time of the response if the export has none, in ms since the epoch. */
  readonly nowMs: number
}

/**
 * Reads cookie scopes from an export: a HAR archive, the JSON of extensions and Playwright, a Netscape cookies.txt, the table
 * of Chrome's developer tools, or `Set-Cookie` lines (as `curl -i` prints them, or without the name). It detects the format.
 *
 * @returns each scope once, or why nothing could be read, as a sentence
 */
export function readScopes(text: string, circumstances: Circumstances): FoundScopes | string {
  const found = read(text.replace(/^\ufeff/, ''), circumstances)
  return typeof found === 'string' ? found : { ...found, scopes: keepLast(found.scopes) }
}

/**
 * Reads cookies that a user typed or pasted: names, each with its cookie path if that is not `/` (`sid basket:/shop`), a Cookie or Set-Cookie line.
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
    const json = parseJson(text) ?? parseJsonLines(toLines(text))
    if (json === undefined)
      return 'this begins like JSON but is not valid; perhaps the export was cut short: export it again'
    return (
      readHar(json, circumstances.nowMs) ??
      readCookieList(json) ??
      'this JSON is neither a HAR archive (it has no log.entries) nor a list of cookies, as browser extensions and Playwright export'
    )
  }
  const lines = toLines(text)
  return readTable(lines) ?? readSetCookieLines(lines, circumstances)
}

/** Whatever ends them, so that no reader has to know more than one end. */
function toLines(text: string): readonly string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/)
}

function readSetCookieLines(lines: readonly string[], { host, nowMs }: Circumstances): FoundScopes | string {
  const named = lines.filter((line) => /^set-cookie\s*:/i.test(line))
  const bare = named.length > 0 ? named : lines.filter((line) => /^[^\s=;:]+=/.test(line))
  if (bare.length === 0)
    return 'this is neither a HAR archive nor a cookies.txt, and contains no Set-Cookie line'
  const date = lines.find((line) => /^date\s*:/i.test(line)) ?? ''
  const sentMs = Date.parse(date.replace(/^date\s*:/i, ''))
  const source = { host, path: '/', receivedMs: Number.isNaN(sentMs) ? nowMs : sentMs }
  return collectScopes(bare.map((line) => parseSetCookie(line.replace(/^set-cookie\s*:/i, ''), source)))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One value on each line; `undefined` if a line is none. */
function parseJsonLines(lines: readonly string[]): readonly unknown[] | undefined {
  const values = lines.filter((line) => line.trim() !== '').map(parseJson)
  return values.includes(undefined) ? undefined : values
}

const SET_COOKIE =
  /^set-cookie:|;\s*(?:httponly|secure|(?:path|domain|samesite|expires|max-age)=[^;]*)(?:;|$)/i
