import { parseUrl } from '../http/parse-url.ts'
import type { FoundScope, FoundScopes } from './found-scope.ts'
import { collectScopes, type LeftOut, parseSetCookie, SAME_SITE } from './set-cookie.ts'

/**
 * Reads the cookies of an HTTP Archive (HAR 1.2): the Set-Cookie fields of its responses, or the cookies listed for a
 * response without them; and the request cookies that have a scope. A note names the other request cookies.
 *
 * @param nowMs the time of responses for which the archive has none, in ms since the epoch
 * @returns `undefined` if the JSON is not such an archive
 */
export function readHar(json: unknown, nowMs: number): FoundScopes | undefined {
  const entries = member(json, 'log', 'entries')
  if (!Array.isArray(entries)) return undefined
  const parsed = entries.flatMap((entry) => [
    // Chrome and Edge export the scopes of request cookies; other browsers only names and values.
    ...list(entry, 'request', 'cookies').flatMap((cookie) => parseListedScope(cookie) ?? []),
    ...parseResponse(entry, nowMs),
  ])
  const found = collectScopes(parsed)
  const requested = entries.flatMap((entry) => list(entry, 'request', 'cookies'))
  const sent = new Set(requested.flatMap((cookie) => textOf(cookie, 'name') ?? []))
  for (const { name } of parsed) sent.delete(name)
  const notes = [...found.notes]
  if (sent.size > 0) {
    notes.push(
      `Seen only in requests, which don't show the scope: ${[...sent].sort().join(', ')}. Start recording before they are set, for example before signing in.`,
    )
  }
  if (parsed.length === 0 && sent.size === 0 && entries.length > 0) {
    const isChrome = member(json, 'log', 'creator', 'name') === 'WebInspector'
    notes.push(
      isChrome
        ? 'this looks like the sanitised export of Chrome or Edge, which omits cookies: allow “HAR (with sensitive data)” in the settings of DevTools and export that'
        : 'The archive contains no cookies: export it with sensitive data.',
    )
  }
  return { ...found, notes }
}

function parseResponse(entry: unknown, nowMs: number): readonly (FoundScope | LeftOut)[] {
  const address = member(entry, 'request', 'url')
  const url = typeof address === 'string' ? parseUrl(address) : undefined
  // `data:` and `about:` have no host, and no cookies.
  if (url === undefined || url.hostname === '') return []
  const { hostname, pathname } = url
  const lines = list(entry, 'response', 'headers')
    .filter((header) => String(member(header, 'name')).toLowerCase() === 'set-cookie')
    // Firefox writes one header with a line for each cookie.
    .flatMap((header) => String(member(header, 'value')).split('\n'))
    .filter((line) => line.trim() !== '')
  if (lines.length > 0) {
    const startedMs = Date.parse(String(member(entry, 'startedDateTime')))
    const receivedMs = Number.isNaN(startedMs) ? nowMs : startedMs
    return lines.map((line) => parseSetCookie(line, { host: hostname, path: pathname, receivedMs }))
  }
  return list(entry, 'response', 'cookies').flatMap(
    (cookie) => parseListedScope(cookie, { domain: hostname, path: '/' }) ?? [],
  )
}

/** Reads the list that Cookie-Editor and EditThisCookie export, if it is one: the form of the browsers' API for extensions. */
export function readCookieList(json: unknown): FoundScopes | undefined {
  if (!Array.isArray(json)) return undefined
  const scopes = json.flatMap((cookie) => parseListedScope(cookie) ?? [])
  if (json.length === 0) return { scopes, notes: ['The list contains no cookies.'] }
  if (scopes.length === 0) return undefined
  const leftOutCount = json.length - scopes.length
  if (leftOutCount === 0) return { scopes, notes: [] }
  const count = leftOutCount === 1 ? '1 entry of the list has' : `${leftOutCount} entries of the list have`
  return { scopes, notes: [`${count} no name, domain or path; left out.`] }
}

/**
 * With the names that HAR and the browsers' `cookies` API for extensions share.
 *
 * @param fallback the domain and path of entries without them, if the export implies them
 */
function parseListedScope(
  cookie: unknown,
  fallback?: { readonly domain: string; readonly path: string },
): FoundScope | undefined {
  const name = textOf(cookie, 'name')
  const domain = textOf(cookie, 'domain')?.toLowerCase() ?? fallback?.domain
  const writtenPath = textOf(cookie, 'path')
  const path = writtenPath?.startsWith('/') ? writtenPath : fallback?.path
  if (name === undefined || domain === undefined || path === undefined) return undefined
  const hostOnly = member(cookie, 'hostOnly')
  const secure = member(cookie, 'secure') === true
  const sameSite = textOf(cookie, 'sameSite')?.toLowerCase() ?? ''
  return {
    name,
    // The API for extensions has `hostOnly`, where HAR has only the leading dot.
    domain: typeof hostOnly === 'boolean' ? domain.replace(/^\.?/, hostOnly ? '' : '.') : domain,
    path,
    httponly: member(cookie, 'httpOnly') === true,
    secure,
    // Firefox says this also for a cookie without the attribute; without Secure it can't be SameSite=None.
    sameSite: sameSite === 'no_restriction' && secure ? 'None' : SAME_SITE[sameSite],
  }
}

function textOf(cookie: unknown, key: string): string | undefined {
  const value = member(cookie, key)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A member of a member of untrusted JSON; `undefined` if there is none. */
function member(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (object, key) =>
      typeof object === 'object' && object !== null && Object.hasOwn(object, key)
        ? Reflect.get(object, key)
        : undefined,
    value,
  )
}

function list(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const found = member(value, ...keys)
  return Array.isArray(found) ? found : []
}
