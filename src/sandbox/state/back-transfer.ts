import { type Visit, type VisitCookie, withCookies } from './visit.ts'
import { domainMatches, receives, type VisitPoint } from './visit-points.ts'

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
      .map((cookie) => ({ name: cookie.scope.name, line: toSetCookie(cookie, point) })),
    visit: withCookies(visit, (cookie) =>
      goesHere(cookie) ? { ...cookie, change: { sentBackBy: point } } : cookie,
    ),
  }
}

/** Whether a changed cookie still has to go back, and may. */
export function isAwaitingReturn({ backTransfer, cookies }: Visit): boolean {
  return backTransfer.verdict === 'goes-back' && cookies.some(({ change }) => change === 'changed')
}

function toSetCookie({ scope, value = '' }: VisitCookie, { host, origin }: VisitPoint): string {
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
