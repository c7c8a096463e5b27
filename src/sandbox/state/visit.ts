import * as v from 'valibot'
import { parseUrl } from '../../http/parse-url.ts'
import { pathMatches } from '../../site/cookie-match.ts'
import { toSite } from '../../site/site.ts'
import {
  boolean,
  filledText,
  listOf,
  objectOf,
  oneOf,
  optional,
  text,
  type ValuesOf,
  webUrl,
} from '../schema/schema.ts'
import type { CookieScope } from './account.ts'

const cookieValue = v.pipe(
  text,
  v.regex(
    /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/,
    'must be a cookie value: printable ASCII without space, quote, comma, semicolon and backslash',
  ),
)

/** The body with which the widget stand-in starts a session. */
export const visitMembers = {
  /** As in the widget code. */
  widgetKey: filledText,
  pageUrl: webUrl,
  skip_queue: optional(boolean),
  /** Of this session alone: the page can only switch off what the account has on. */
  options: objectOf({ cookie_transfer_proxying: boolean, enable_cookie_backtransfer: boolean }),
  /** Each cookie that the page's script reads. */
  cookies: listOf(objectOf({ name: filledText, value: text })),
  /** What the widget reads besides cookies. */
  entries: listOf(
    objectOf({ kind: oneOf('localStorage', 'sessionStorage', 'form field'), name: text, value: text }),
  ),
  /** Changes of cookies in the session. The page defines them, since the stand-in has no co-browsing. */
  steps: listOf(objectOf({ label: filledText, cookie: filledText, value: cookieValue })),
} as const

export type VisitStart = Omit<ValuesOf<typeof visitMembers>, 'widgetKey'>

/** What a widget carries into a session, and what becomes of it. */
export interface Visit extends Pick<VisitStart, 'entries' | 'steps'> {
  /** The service's address for the visitor's widget. */
  readonly serviceOrigin: string
  /** Whether the widget calls the points, or why it does not. */
  readonly continuation: 'on' | 'transfer-off' | 'points-off' | 'page-without-point'
  /** Whether changed cookies go back to the customer's site once the session is over, or why they don't. */
  readonly backTransfer: 'on' | 'switched-off' | 'no-continuation' | 'foreign-service'
  /** The continuation points on the site of the page. */
  readonly points: readonly VisitPoint[]
  /** Continuation URLs of other sites, which the widget ignores. */
  readonly ignored: readonly string[]
  /** First the account's scopes of this site, then further cookies that the page's script read. */
  readonly cookies: readonly VisitCookie[]
}

/** A cookie that the session should have. */
export interface VisitCookie {
  readonly scope: CookieScope
  /** Absent until something carried it. */
  value: string | undefined
  carriedBy: 'widget' | VisitPoint | undefined
  change: 'none' | 'changed' | { readonly sentBackBy: VisitPoint }
}

export interface VisitPoint {
  /** Ends with the prefix. */
  readonly url: string
  readonly origin: string
  /** Without port. */
  readonly host: string
  /** The URL's path, as log lines and tables show it. */
  readonly path: string
  /** The last call that it answered, in this order. */
  answered: 'nothing' | 'init' | 'create' | 'store'
}

/** Takes a step, if the visit has its cookie. */
export function takeStep({ steps, cookies }: Visit, index: number): void {
  const step = steps[index]
  const changed = cookies.find(({ scope, value }) => scope.name === step?.cookie && value !== undefined)
  if (step !== undefined && changed !== undefined)
    Object.assign(changed, { value: step.value, change: 'changed' })
}

/**
 * Separates the continuation URLs that the widget calls from those that it ignores because their site is not that of the page
 * where the session starts (spec 4.9, rule 7). Entries that are not URLs are ignored too.
 */
export function separatePoints(pageUrl: string, urls: readonly string[]) {
  const site = toSite(new URL(pageUrl).hostname)
  const isCalled = (url: string) => parseUrl(url) !== undefined && toSite(new URL(url).hostname) === site
  return {
    called: urls.filter(isCalled).map((url): VisitPoint => {
      const { origin, hostname: host, pathname: path } = new URL(url)
      return { url, origin, host, path, answered: 'nothing' }
    }),
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
