import { toSite } from '../../site/site.ts'
import { domainMatches, receives, type SessionPoint } from './session-points.ts'
import type { SessionCookie, WidgetSession } from './widget-session.ts'

/** Whether changed cookies go back to the customer's site when the session ends, or why they don't. */
export type BackTransfer =
  | { readonly verdict: 'goes-back' }
  | { readonly verdict: 'stays'; readonly reason: 'switched-off' | 'points-off' | 'foreign-service' }

/**
 * Judges back-transfer (spec 4.9, rule 12): the flag is set, the points are in use, and the service runs under the
 * customer's own domain. From any other site a browser keeps no cookie for the customer's.
 */
export function judgeBackTransfer({ options, serviceOrigin, pageUrl }: WidgetSession): BackTransfer {
  if (!options.enable_cookie_backtransfer) return { verdict: 'stays', reason: 'switched-off' }
  if (!options.cookie_transfer_proxying) return { verdict: 'stays', reason: 'points-off' }
  if (toSite(new URL(serviceOrigin).hostname) !== toSite(new URL(pageUrl).hostname)) {
    return { verdict: 'stays', reason: 'foreign-service' }
  }
  return { verdict: 'goes-back' }
}

/**
 * Sends the changed cookies back that this point stands for, the first that receives them; asked again it does it
 * again, since an answer may be lost. **Ours:** a scope knows no lifetime, so they last as long as the browser runs.
 *
 * @returns Set-Cookie lines, each with its cookie's name
 */
export function sendBack(
  { points, cookies }: WidgetSession,
  pointIndex: number,
): readonly { readonly name: string; readonly line: string }[] {
  const point = points[pointIndex]
  if (point === undefined) return []
  const changed = cookies.filter(
    (cookie) => cookie.change !== 'none' && points.find((each) => receives(each, cookie.scope)) === point,
  )
  return changed.map((cookie) => {
    cookie.change = { sentBackBy: point }
    return { name: cookie.scope.name, line: toSetCookie(cookie, point) }
  })
}

function toSetCookie({ scope, value = '' }: SessionCookie, { host, origin }: SessionPoint): string {
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
