import { canParseUrl } from '../http/can-parse-url.ts'
import type { FoundScope, FoundScopes } from './found-scope.ts'
import { list, member, parseListedScope } from './json-cookies.ts'
import { collectScopes, type LeftOut, parseSetCookie } from './set-cookie.ts'

/**
 * Reads the cookies of an HTTP Archive (HAR 1.2): the Set-Cookie fields of its responses, or the cookies listed for a
 * response without them; and the request cookies that have a scope. A note names the other request cookies.
 *
 * @param nowMs the time of responses for which the archive has none, in ms since the epoch
 * @returns `undefined` if the JSON is not such an archive
 */
export function readHar(json: unknown, nowMs: number): FoundScopes | undefined {
  const log = member(json, 'log')
  const entries = member(log, 'entries')
  if (!Array.isArray(entries)) return undefined
  const parsed = entries.flatMap((entry) => [...requestScopes(entry), ...parseResponse(entry, nowMs)])
  const found = collectScopes(parsed)
  const sent = new Set(entries.flatMap((entry) => names(member(member(entry, 'request'), 'cookies'))))
  for (const { name } of parsed) sent.delete(name)
  const notes = [...found.notes]
  if (sent.size > 0) {
    notes.push(
      `Seen only in requests, which don't show the scope: ${[...sent].sort().join(', ')}. Start recording before they are set, for example before signing in.`,
    )
  }
  if (parsed.length === 0 && sent.size === 0 && entries.length > 0) {
    const isChrome = member(member(log, 'creator'), 'name') === 'WebInspector'
    notes.push(
      isChrome
        ? 'this looks like the sanitised export of Chrome or Edge, which omits cookies: allow “HAR (with sensitive data)” in the settings of DevTools and export that'
        : 'The archive contains no cookies: export it with sensitive data.',
    )
  }
  return { ...found, notes }
}

function parseResponse(entry: unknown, nowMs: number): readonly (FoundScope | LeftOut)[] {
  const address = member(member(entry, 'request'), 'url')
  if (typeof address !== 'string' || !canParseUrl(address)) return []
  const url = new URL(address)
  // `data:` and `about:` have no host, and no cookies.
  if (url.hostname === '') return []
  const response = member(entry, 'response')
  const lines = list(member(response, 'headers'))
    .filter((header) => String(member(header, 'name')).toLowerCase() === 'set-cookie')
    // Firefox writes one header with a line for each cookie.
    .flatMap((header) => String(member(header, 'value')).split('\n'))
    .filter((line) => line.trim() !== '')
  if (lines.length > 0) {
    const startedMs = Date.parse(String(member(entry, 'startedDateTime')))
    const receivedMs = Number.isNaN(startedMs) ? nowMs : startedMs
    return lines.map((line) => parseSetCookie(line, { host: url.hostname, path: url.pathname, receivedMs }))
  }
  return list(member(response, 'cookies')).flatMap(
    (cookie) => parseListedScope(cookie, { domain: url.hostname, path: '/' }) ?? [],
  )
}

/** Chrome and Edge export the scopes of request cookies; other browsers only names and values. */
function requestScopes(entry: unknown): readonly FoundScope[] {
  return list(member(member(entry, 'request'), 'cookies')).flatMap((cookie) => parseListedScope(cookie) ?? [])
}

function names(cookies: unknown): readonly string[] {
  return list(cookies).flatMap((cookie) => {
    const name = member(cookie, 'name')
    return typeof name === 'string' && name !== '' ? [name] : []
  })
}
