import type { Pair } from './begin-session.ts'
import { receives } from './session-points.ts'
import type { SessionCookie, WidgetSession } from './widget-session.ts'

/**
 * Puts the cookies of a request at one of the session's points into the session, those that the account's scopes name
 * (spec 4.9, rule 10). What the widget or an earlier point carried stays as it is.
 *
 * @param lines values of the Cookie lines
 * @returns the names of the cookies that only this point brought
 */
export function storeCookies(
  { points, cookies }: WidgetSession,
  pointIndex: number,
  lines: readonly string[],
): readonly string[] {
  const point = points[pointIndex]
  if (point === undefined) return []
  const expected = cookies.filter(({ scope }) => receives(point, scope)).sort(byPathLength)
  const taken = new Set<SessionCookie>()
  const stored: string[] = []
  for (const { name, value } of lines.flatMap(parseCookies)) {
    const cookie = expected.find((candidate) => candidate.scope.name === name && !taken.has(candidate))
    if (cookie === undefined) continue
    taken.add(cookie)
    if (cookie.carriedBy !== undefined) continue
    cookie.value = value
    cookie.carriedBy = point
    stored.push(name)
  }
  return stored
}

/** Of cookies with one name a browser sends the one with the longest path first (RFC 6265, section 5.4). */
function byPathLength(a: SessionCookie, b: SessionCookie): number {
  return b.scope.path.length - a.scope.path.length
}

function parseCookies(line: string): readonly Pair[] {
  return line.split(';').flatMap((text) => {
    const [, name = '', value = ''] = /^\s*([^=]+)=(.*?)\s*$/.exec(text) ?? []
    return name === '' ? [] : [{ name, value }]
  })
}
