import { toSite } from '../../site/site.ts'
import type { CookieScope, Settings } from './account.ts'
import type { BackTransfer, Continuation, Visit, VisitCookie } from './visit.ts'
import { separatePoints, type VisitPoint } from './visit.ts'
import type { VisitStart } from './visit-start.ts'

/** The options of one session: a page can only switch off what the account has on. */
export function narrowOptions(settings: Settings, asked: VisitStart['options']): VisitStart['options'] {
  return {
    cookie_transfer_proxying: settings.cookie_transfer_proxying && asked.cookie_transfer_proxying,
    enable_cookie_backtransfer: settings.enable_cookie_backtransfer && asked.enable_cookie_backtransfer,
  }
}

/**
 * Begins a visit with what the widget alone carries. A page without a point on its own origin lacks only continuation
 * (spec 1 and 4.9, rule 6).
 *
 * @param settings the options of the session
 */
export function beginVisit(start: VisitStart, serviceOrigin: string, settings: Settings): Visit {
  const { called, ignored } = separatePoints(start.pageUrl, settings.cookie_transfer_urls)
  const continuation = judgeContinuation(start.pageUrl, called, settings)
  const readable = settings.cookie_transfer_enabled ? start.cookies : []
  return {
    serviceOrigin,
    continuation,
    backTransfer: judgeBackTransfer(start.pageUrl, serviceOrigin, continuation, settings),
    points: called,
    ignored,
    entries: start.entries,
    cookies: selectCookies(start.pageUrl, readable, settings.cookie_transfer_scopes),
    steps: start.steps,
  }
}

function judgeContinuation(pageUrl: string, points: readonly VisitPoint[], settings: Settings): Continuation {
  if (!settings.cookie_transfer_enabled) return 'transfer-off'
  if (!settings.cookie_transfer_proxying) return 'points-off'
  const { origin } = new URL(pageUrl)
  return points.some((point) => point.origin === origin) ? 'on' : 'page-without-point'
}

/**
 * Whether back-transfer works (spec 4.9, rule 12): the flag is set, the points are in use, and the service runs under the
 * customer's own domain. From any other site browsers accept no cookie for the customer's.
 */
function judgeBackTransfer(
  pageUrl: string,
  serviceOrigin: string,
  continuation: Continuation,
  settings: Settings,
): BackTransfer {
  if (!settings.enable_cookie_backtransfer) return { verdict: 'stays', reason: 'switched-off' }
  if (continuation !== 'on') return { verdict: 'stays', reason: 'no-continuation' }
  if (toSite(new URL(serviceOrigin).hostname) !== toSite(new URL(pageUrl).hostname)) {
    return { verdict: 'stays', reason: 'foreign-service' }
  }
  return { verdict: 'goes-back' }
}

function selectCookies(
  pageUrl: string,
  cookies: VisitStart['cookies'],
  scopes: readonly CookieScope[],
): readonly VisitCookie[] {
  const { hostname } = new URL(pageUrl)
  const listed = scopes
    .filter((scope) => isStorable(scope) && toSite(scope.domain.replace(/^\./, '')) === toSite(hostname))
    .map((scope) => toVisitCookie(scope, scope.httponly ? undefined : readableValue(cookies, scope.name)))
  const names = new Set(listed.filter(({ scope }) => !scope.httponly).map(({ scope }) => scope.name))
  const unlisted = cookies
    .filter(({ name }) => !names.has(name))
    .map(({ name, value }) => toVisitCookie({ name, domain: hostname, path: '/', httponly: false }, value))
  return [...listed, ...unlisted]
}

function toVisitCookie(scope: CookieScope, value: string | undefined): VisitCookie {
  return { scope, value, carriedBy: value === undefined ? undefined : 'widget', change: 'none' }
}

function readableValue(cookies: VisitStart['cookies'], name: string): string | undefined {
  return cookies.find((cookie) => cookie.name === name)?.value
}

/** Whether a scope from the settings, where any text is possible, makes a valid Set-Cookie line. */
function isStorable({ name, path }: CookieScope): boolean {
  return /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name) && /^\/[\x20-\x3a\x3c-\x7e]*$/.test(path)
}
