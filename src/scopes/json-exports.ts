import { toCanonicalHost } from '../http/host.ts'
import { parseUrl } from '../http/url.ts'
import { toSite } from '../site/site.ts'
import type { FoundScope, FoundScopes } from './found-scope.ts'
import { collectScopes, type LeftOut, parseSetCookie, refuseDomain, SAME_SITE } from './set-cookie.ts'

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
  const parsed = entries.flatMap((entry) => parseEntry(entry, nowMs))
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

function parseEntry(entry: unknown, nowMs: number): readonly (FoundScope | LeftOut)[] {
  const address = member(entry, 'request', 'url')
  const url = typeof address === 'string' ? parseUrl(address) : undefined
  // The hosts of `chrome-extension:` and the like are none, and they have no cookies.
  if (url === undefined || !/^(?:http|ws)s?:$/.test(url.protocol)) return []
  const { hostname: host, pathname } = url
  // Chrome and Edge export the scopes of request cookies; other browsers only names and values.
  const requested = list(entry, 'request', 'cookies').flatMap((cookie) => parseListedScope(cookie) ?? [])
  const lines = list(entry, 'response', 'headers')
    .filter((header) => textOf(header, 'name')?.toLowerCase() === 'set-cookie')
    // Firefox writes one header with a line for each cookie.
    .flatMap((header) => (textOf(header, 'value') ?? '').split('\n'))
    .flatMap(splitJoined)
    .filter((line) => line.trim() !== '')
  const startedMs = Date.parse(textOf(entry, 'startedDateTime') ?? '')
  const receivedMs = Number.isNaN(startedMs) ? nowMs : startedMs
  if (lines.length > 0)
    return [...requested, ...lines.map((line) => parseSetCookie(line, { host, path: pathname, receivedMs }))]
  const received = list(entry, 'response', 'cookies').flatMap((cookie) => {
    const scope = parseListedScope(cookie, { domain: host, path: '/' })
    return scope === undefined ? [] : judgeReceived(scope, cookie, host, receivedMs)
  })
  return [...requested, ...received]
}

/** Some tools join the lines of a response by commas. One in a value or a date has no name after it, or none before the first attribute. */
function splitJoined(field: string): readonly string[] {
  const lines: string[][] = []
  let isComplete = true
  for (const piece of field.split(/,(?=\s*[^\s=;,]+=)/)) {
    if (isComplete || /^\s/.test(piece)) lines.push([piece])
    else lines.at(-1)?.push(piece)
    isComplete = piece.includes(';')
  }
  return lines.map((pieces) => pieces.join(','))
}

function judgeReceived(
  scope: FoundScope,
  cookie: unknown,
  host: string,
  receivedMs: number,
): FoundScope | LeftOut {
  const { name } = scope
  if (Date.parse(textOf(cookie, 'expires') ?? '') <= receivedMs) return { kind: 'deletion', name }
  const domain = scope.domain.replace(/^\./, '')
  const refusal = refuseDomain(toCanonicalHost(domain) ?? domain, host)
  return refusal === undefined ? scope : { kind: refusal, name }
}

/**
 * Reads the list that browser extensions export, if it is one: the form of the browsers' API for extensions, with the names of
 * Cookie Quick Manager too. Puppeteer and Playwright (storageState) write nearly the same, as a member of an object.
 */
export function readCookieList(json: unknown): FoundScopes | undefined {
  const wrapped = member(json, 'cookies')
  const cookies = Array.isArray(json) ? json : Array.isArray(wrapped) ? wrapped : [json]
  if (cookies.length === 0) return { scopes: [], notes: ['The list contains no cookies.'] }
  const listed = cookies.map((cookie) => ({
    cookie,
    scope: parseListedScope(cookie) ?? parseRawScope(cookie),
  }))
  const scopes = listed.flatMap(({ scope }) => scope ?? [])
  if (scopes.length === 0) return undefined
  const notes: string[] = []
  const invalidCount = cookies.length - scopes.length
  if (invalidCount > 0) {
    const entries =
      invalidCount === 1 ? '1 entry of the list has' : `${invalidCount} entries of the list have`
    notes.push(`${entries} no name, domain or path; left out.`)
  }
  const own = listed.flatMap(({ cookie, scope }) => (scope && isOfOwnPartition(cookie, scope) ? scope : []))
  if (own.length < scopes.length) {
    const kept = new Set(own)
    const names = new Set(scopes.flatMap((scope) => (kept.has(scope) ? [] : scope.name)))
    notes.push(`Cookies that browsers send only within other sites are left out: ${[...names].join(', ')}.`)
  }
  return { scopes: own, notes }
}

/** Whether a browser sends the cookie on a page of its own site: without a partition, or in that of its site. */
function isOfOwnPartition(cookie: unknown, { domain }: FoundScope): boolean {
  const key = textOf(cookie, 'partitionKey') ?? member(cookie, 'partitionKey', 'topLevelSite') ?? ''
  if (key === '') return true
  const isNested =
    member(cookie, 'partitionKey', 'hasCrossSiteAncestor') ?? member(cookie, '_crHasCrossSiteAncestor')
  const top = typeof key === 'string' ? parseUrl(key) : undefined
  return isNested !== true && top !== undefined && toSite(top.hostname) === toSite(domain.replace(/^\./, ''))
}

/** Cookie Quick Manager's names. All of its values are texts. */
function parseRawScope(cookie: unknown): FoundScope | undefined {
  const isTrue = (key: string) => member(cookie, key) === 'true'
  return parseListedScope({
    name: member(cookie, 'Name raw'),
    domain: textOf(cookie, 'Host raw')?.replace(/^https?:\/\/|\/$/g, ''),
    path: member(cookie, 'Path raw'),
    hostOnly: isTrue('This domain only raw'),
    httpOnly: isTrue('HTTP only raw'),
    secure: isTrue('Send for raw'),
    sameSite: member(cookie, 'SameSite raw'),
  })
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
    sameSite: sameSite === 'no_restriction' && secure ? 'None' : SAME_SITE.get(sameSite),
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
