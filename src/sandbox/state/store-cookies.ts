import type { Pair } from './begin-visit.ts'
import { type Visit, type VisitCookie, withCookies } from './visit.ts'
import { receives } from './visit-points.ts'

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

function parseCookies(line: string): readonly Pair[] {
  return line.split(';').flatMap((text) => {
    const [, name = '', value = ''] = /^\s*([^=]+)=(.*?)\s*$/.exec(text) ?? []
    return name === '' ? [] : [{ name, value }]
  })
}
