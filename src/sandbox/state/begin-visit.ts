import { toSite } from '../../site/site.ts'
import type { CookieScope, Settings } from './account.ts'
import { separatePoints, type Visit, type VisitCookie, type VisitStart } from './visit.ts'

/** The options of one session: a page can only switch off what the account has on. */
export function narrowOptions(settings: Settings, asked: VisitStart['options']): VisitStart['options'] {
  return {
    cookie_transfer_proxying: settings.cookie_transfer_proxying && asked.cookie_transfer_proxying,
    enable_cookie_backtransfer: settings.enable_cookie_backtransfer && asked.enable_cookie_backtransfer,
  }
}

/** Begins a visit with what the widget alone carries; a page without a point lacks only continuation (spec 4.9, rule 6). */
export function beginVisit(start: VisitStart, serviceOrigin: string, settings: Settings): Visit {
  const { pageUrl, entries, steps } = start
  const { called: points, ignored } = separatePoints(pageUrl, settings.cookie_transfer_urls)
  const continuation = judgeContinuation(pageUrl, points, settings)
  return {
    serviceOrigin,
    continuation,
    backTransfer: judgeBackTransfer(pageUrl, serviceOrigin, continuation, settings),
    points,
    ignored,
    entries,
    cookies: selectCookies(start, settings),
    steps,
  }
}

function judgeContinuation(
  pageUrl: string,
  points: Visit['points'],
  settings: Settings,
): Visit['continuation'] {
  if (!settings.cookie_transfer_enabled) return 'transfer-off'
  if (!settings.cookie_transfer_proxying) return 'points-off'
  const { origin } = new URL(pageUrl)
  return points.some((point) => point.origin === origin) ? 'on' : 'page-without-point'
}

/** Whether back-transfer works (spec 4.9, rule 12): from another site browsers accept no cookie for the customer's. */
function judgeBackTransfer(
  pageUrl: string,
  serviceOrigin: string,
  continuation: Visit['continuation'],
  settings: Settings,
): Visit['backTransfer'] {
  if (!settings.enable_cookie_backtransfer) return 'switched-off'
  if (continuation !== 'on') return 'no-continuation'
  const isOwn = toSite(new URL(serviceOrigin).hostname) === toSite(new URL(pageUrl).hostname)
  return isOwn ? 'on' : 'foreign-service'
}

function selectCookies({ pageUrl, cookies }: VisitStart, settings: Settings): readonly VisitCookie[] {
  const { hostname } = new URL(pageUrl)
  const readable = settings.cookie_transfer_enabled ? cookies : []
  const listed = settings.cookie_transfer_scopes.filter(
    (scope) => isStorable(scope) && toSite(scope.domain.replace(/^\./, '')) === toSite(hostname),
  )
  const unlisted = readable.filter(
    ({ name }) => !listed.some((scope) => !scope.httponly && scope.name === name),
  )
  const toCookie = (scope: CookieScope, value: string | undefined): VisitCookie => {
    return { scope, value, carriedBy: value === undefined ? undefined : 'widget', change: 'none' }
  }
  return [
    ...listed.map((scope) =>
      toCookie(scope, scope.httponly ? undefined : readable.find(({ name }) => name === scope.name)?.value),
    ),
    ...unlisted.map(({ name, value }) =>
      toCookie({ name, domain: hostname, path: '/', httponly: false }, value),
    ),
  ]
}

/** Whether a scope from the settings, where any text is possible, makes a valid Set-Cookie line. */
function isStorable({ name, path }: CookieScope): boolean {
  return /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name) && /^\/[\x20-\x3a\x3c-\x7e]*$/.test(path)
}
