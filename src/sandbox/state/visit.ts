import { canParseUrl } from '../../http/can-parse-url.ts'
import { toSite } from '../../site/site.ts'
import type { CookieScope } from './account.ts'
import type { VisitStart } from './visit-start.ts'

/** What a widget carries into a session, and what becomes of it. Changes make a new value. */
export interface Visit {
  /** The service's address for the visitor's widget. */
  readonly serviceOrigin: string
  readonly continuation: Continuation
  readonly backTransfer: BackTransfer
  /** The continuation points on the site of the page. */
  readonly points: readonly VisitPoint[]
  /** Continuation URLs of other sites, which the widget ignores. */
  readonly ignored: readonly string[]
  readonly entries: VisitStart['entries']
  /** First the account's scopes of this site, then further cookies that the page's script read. */
  readonly cookies: readonly VisitCookie[]
  readonly steps: VisitStart['steps']
}

/** Whether the widget calls the points, or why it does not. */
export type Continuation = 'on' | 'transfer-off' | 'points-off' | 'page-without-point'

/** Whether changed cookies go back to the customer's site once the session is over, or why they don't. */
export type BackTransfer =
  | { readonly verdict: 'goes-back' }
  | { readonly verdict: 'stays'; readonly reason: 'switched-off' | 'no-continuation' | 'foreign-service' }

/** A cookie that the session should have. */
export interface VisitCookie {
  readonly scope: CookieScope
  /** Absent until something carried it. */
  readonly value: string | undefined
  readonly carriedBy: 'widget' | VisitPoint | undefined
  readonly change: 'none' | 'changed' | { readonly sentBackBy: VisitPoint }
}

/** Takes a step, if the visit has its cookie. */
export function takeStep(visit: Visit, index: number): Visit {
  const step = visit.steps[index]
  const changed = visit.cookies.find(({ scope, value }) => scope.name === step?.cookie && value !== undefined)
  if (step === undefined || changed === undefined) return visit
  return withCookies(visit, (cookie) =>
    cookie === changed ? { ...cookie, value: step.value, change: 'changed' } : cookie,
  )
}

export function withCookies(visit: Visit, change: (cookie: VisitCookie) => VisitCookie): Visit {
  return { ...visit, cookies: visit.cookies.map(change) }
}

export interface VisitPoint {
  /** Ends with the prefix. */
  readonly url: string
  readonly origin: string
  /** Without port. */
  readonly host: string
  /** The URL's path, as log lines and tables show it. */
  readonly path: string
  /** The last call that it answered. */
  readonly answered: 'nothing' | PointCall
}

/** The calls at a point, in their order. */
export type PointCall = 'init' | 'create' | 'store'

/**
 * Separates the continuation URLs that the widget calls from those that it ignores because their site is not that of the page
 * where the session starts (spec 4.9, rule 7). Entries that are not URLs are ignored too.
 */
export function separatePoints(pageUrl: string, urls: readonly string[]) {
  const site = toSite(new URL(pageUrl).hostname)
  const isCalled = (url: string) => canParseUrl(url) && toSite(new URL(url).hostname) === site
  return {
    called: urls.filter(isCalled).map(parseVisitPoint),
    ignored: urls.filter((url) => !isCalled(url)),
  }
}

/** Whether a browser attaches the cookies of this scope to a request at the point, Secure and SameSite aside. */
export function receives(point: Pick<VisitPoint, 'host' | 'path'>, { domain, path }: CookieScope): boolean {
  return domainMatches(point.host, domain) && pathMatches(point.path, path)
}

/** Whether a scope's domain covers a host: only the same one, or with a leading dot those below it too (spec 2.4). */
export function domainMatches(host: string, domain: string): boolean {
  if (!domain.startsWith('.')) return host === domain
  return host === domain.slice(1) || host.endsWith(domain)
}

/** Path-match, RFC 6265 section 5.1.4. */
export function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (requestPath === cookiePath) return true
  return requestPath.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)
}

function parseVisitPoint(text: string): VisitPoint {
  const url = new URL(text)
  return { url: text, origin: url.origin, host: url.hostname, path: url.pathname, answered: 'nothing' }
}
