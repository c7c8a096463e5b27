import { domainMatches, pathMatches } from '../../site/cookie-scope.ts'
import type { CookieScope } from './company.ts'
import type { Visit, VisitCookie } from './visit.ts'

/**
 * Sends back the changed cookies for which this is the first point that receives them. A repeated call sends them again, since
 * an answer may be lost. **Ours:** a scope has no lifetime, so they become session cookies of the browser.
 *
 * @returns Set-Cookie lines, each with its cookie's name
 */
export function sendBack({ cookies, points }: Visit, point: URL) {
  const sent = cookies.filter(
    ({ change, scope }) => change !== 'none' && points.find((each) => receives(each, scope)) === point,
  )
  for (const cookie of sent) cookie.change = { sentBackBy: point }
  return sent.map((cookie) => ({ name: cookie.scope.name, line: formatSetCookie(cookie, point) }))
}

/** The cookies with which the session requests an address of the customer, in the order of a browser. */
export function listSent({ cookies }: Visit, url: string): readonly VisitCookie[] {
  const address = new URL(url)
  return cookies
    .filter(({ scope, value }) => value !== undefined && receives(address, scope))
    .sort(byPathLength)
}

/** Whether a changed cookie still has to go back, and may. */
export function isAwaitingReturn({ noReturn, cookies }: Visit): boolean {
  return noReturn === undefined && cookies.some(({ change }) => change === 'changed')
}

/** Whether a browser attaches the cookies of this scope to a request at the point, Secure and SameSite aside. */
export function receives(
  { hostname, pathname }: Pick<URL, 'hostname' | 'pathname'>,
  { domain, path }: CookieScope,
): boolean {
  const isOnHost = domain.startsWith('.') ? domainMatches(hostname, domain.slice(1)) : hostname === domain
  return isOnHost && pathMatches(pathname, path)
}

function formatSetCookie({ scope, value = '' }: VisitCookie, { origin }: URL): string {
  return [
    `${scope.name}=${value}`,
    `Path=${scope.path}`,
    ...(scope.domain.startsWith('.') ? [`Domain=${scope.domain.slice(1)}`] : []),
    ...(scope.httponly ? ['HttpOnly'] : []),
    ...(origin.startsWith('https:') ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ')
}

/**
 * Adds the cookies of a request at one of the visit's points, if the account's scopes name them (spec 4.9, rule 10). Cookies
 * that the widget or an earlier point carried stay.
 *
 * @param lines values of the Cookie lines
 * @returns the names of the cookies that only this point brought
 */
export function storeCookies({ cookies }: Visit, point: URL, lines: readonly string[]): readonly string[] {
  const expected = new Set(cookies.filter(({ scope }) => receives(point, scope)).sort(byPathLength))
  const stored: string[] = []
  for (const pair of lines.flatMap((line) => line.split(';'))) {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(pair.trim()) ?? []
    const cookie = [...expected].find(({ scope }) => scope.name === name)
    if (cookie === undefined) continue
    expected.delete(cookie)
    if (cookie.carriedBy !== undefined) continue
    Object.assign(cookie, { value, carriedBy: point })
    stored.push(cookie.scope.name)
  }
  return stored
}

/** Of cookies with one name a browser sends the one with the longest path first (RFC 6265, section 5.4). */
function byPathLength(a: VisitCookie, b: VisitCookie): number {
  return b.scope.path.length - a.scope.path.length
}
