import {
  domainMatches,
  receives,
  type Visit,
  type VisitCookie,
  type VisitPoint,
  withCookies,
} from './visit.ts'
import type { VisitStart } from './visit-start.ts'

/**
 * Sends back the changed cookies for which this is the first point that receives them. A repeated call sends them again, since
 * an answer may be lost. **Ours:** a scope has no lifetime, so they become session cookies of the browser.
 *
 * @returns the visit, and Set-Cookie lines, each with its cookie's name
 */
export function sendBack(
  visit: Visit,
  pointIndex: number,
): { readonly visit: Visit; readonly sent: readonly { readonly name: string; readonly line: string }[] } {
  const point = visit.points[pointIndex]
  if (point === undefined) return { visit, sent: [] }
  const goesHere = ({ change, scope }: VisitCookie) =>
    change !== 'none' && visit.points.find((each) => receives(each, scope)) === point
  return {
    sent: visit.cookies
      .filter(goesHere)
      .map((cookie) => ({ name: cookie.scope.name, line: formatSetCookie(cookie, point) })),
    visit: withCookies(visit, (cookie) =>
      goesHere(cookie) ? { ...cookie, change: { sentBackBy: point } } : cookie,
    ),
  }
}

/** The cookies with which the session requests an address of the customer, in the order of a browser. */
export function listSent({ cookies }: Visit, url: string): readonly VisitCookie[] {
  const { hostname: host, pathname: path } = new URL(url)
  return cookies
    .filter(({ scope, value }) => value !== undefined && receives({ host, path }, scope))
    .sort(byPathLength)
}

/** Whether a changed cookie still has to go back, and may. */
export function isAwaitingReturn({ backTransfer, cookies }: Visit): boolean {
  return backTransfer.verdict === 'goes-back' && cookies.some(({ change }) => change === 'changed')
}

function formatSetCookie({ scope, value = '' }: VisitCookie, { host, origin }: VisitPoint): string {
  const isDomainCookie = scope.domain.startsWith('.') && domainMatches(host, scope.domain)
  return [
    `${scope.name}=${value}`,
    `Path=${scope.path}`,
    ...(isDomainCookie ? [`Domain=${scope.domain.slice(1)}`] : []),
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
 * @returns the visit, and the names of the cookies that only this point brought
 */
export function storeCookies(
  visit: Visit,
  pointIndex: number,
  lines: readonly string[],
): { readonly visit: Visit; readonly stored: readonly string[] } {
  const point = visit.points[pointIndex]
  if (point === undefined) return { visit, stored: [] }
  const expected = visit.cookies.filter(({ scope }) => receives(point, scope)).sort(byPathLength)
  const brought = new Map<VisitCookie, string>()
  for (const { name, value } of lines.flatMap(parseCookies)) {
    const cookie = expected.find((candidate) => candidate.scope.name === name && !brought.has(candidate))
    if (cookie !== undefined) brought.set(cookie, value)
  }
  const isNew = (cookie: VisitCookie) => cookie.carriedBy === undefined && brought.has(cookie)
  return {
    stored: [...brought.keys()].filter(isNew).map(({ scope }) => scope.name),
    visit: withCookies(visit, (cookie) =>
      isNew(cookie) ? { ...cookie, value: brought.get(cookie), carriedBy: point } : cookie,
    ),
  }
}

/** Of cookies with one name a browser sends the one with the longest path first (RFC 6265, section 5.4). */
function byPathLength(a: VisitCookie, b: VisitCookie): number {
  return b.scope.path.length - a.scope.path.length
}

function parseCookies(line: string): VisitStart['cookies'] {
  return line.split(';').flatMap((text) => {
    const [, name = '', value = ''] = /^\s*([^=]+)=(.*?)\s*$/.exec(text) ?? []
    return name === '' ? [] : [{ name, value }]
  })
}
