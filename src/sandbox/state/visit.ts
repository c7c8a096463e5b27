import * as v from 'valibot'
import { parseUrl } from '../../http/url.ts'
import { toSite } from '../../site/site.ts'
import type { CookieScope, Settings } from './company.ts'
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
} from './schema.ts'

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
  /** The continuation points that the widget calls; each ends with the prefix. */
  readonly points: readonly URL[]
  /** Why the widget calls none, as a sentence without its full stop. */
  readonly noPoints: string | undefined
  /** Why no point sends changed cookies back, in the same form. */
  readonly noReturn: string | undefined
  /** First the account's scopes of this site, then further cookies that the page's script read. */
  readonly cookies: readonly VisitCookie[]
}

/** A cookie that the session should have. */
export interface VisitCookie {
  readonly scope: CookieScope
  /** Absent until something carried it. */
  value: string | undefined
  carriedBy: 'widget' | URL | undefined
  change: 'none' | 'changed' | { readonly sentBackBy: URL }
}

/** Begins a visit with what the widget alone carries. */
export function beginVisit(start: VisitStart, serviceOrigin: string, settings: Settings): Visit {
  const { pageUrl, entries, steps } = start
  const points = calledPoints(pageUrl, settings.cookie_transfer_urls)
  const noPoints = findObstacle(points, settings)
  return {
    serviceOrigin,
    points: noPoints === undefined ? points : [],
    noPoints,
    noReturn: noPoints ?? findReturnObstacle(pageUrl, serviceOrigin, settings),
    entries,
    cookies: selectCookies(start, settings),
    steps,
  }
}

/**
 * The points of the continuation URLs that the widget calls: it ignores those of other sites than the page (spec 4.9, rule 7).
 */
export function calledPoints(pageUrl: string, urls: readonly string[]): readonly URL[] {
  const site = toSite(new URL(pageUrl).hostname)
  return urls.flatMap((url) => parseUrl(url) ?? []).filter(({ hostname }) => toSite(hostname) === site)
}

/** Takes a step, if the visit has its cookie. */
export function takeStep({ steps, cookies }: Visit, index: number): void {
  const step = steps[index]
  const changed = cookies.find(({ scope, value }) => scope.name === step?.cookie && value !== undefined)
  if (step !== undefined && changed !== undefined)
    Object.assign(changed, { value: step.value, change: 'changed' })
}

/** A session without points lacks only continuation. */
function findObstacle(points: readonly URL[], settings: Settings): string | undefined {
  if (!settings.cookie_transfer_enabled) return 'cookie_transfer_enabled is off in the account’s settings'
  if (!settings.cookie_transfer_proxying) return 'cookie_transfer_proxying is off in the account’s settings'
  return points.length > 0 ? undefined : 'No continuation point is on the site of the page'
}

/** From another site browsers accept no cookie for the customer's (spec 4.9, rule 12). */
function findReturnObstacle(pageUrl: string, serviceOrigin: string, settings: Settings): string | undefined {
  if (!settings.enable_cookie_backtransfer)
    return 'enable_cookie_backtransfer is off in the account’s settings'
  const [service, site] = [new URL(serviceOrigin).hostname, toSite(new URL(pageUrl).hostname)]
  if (toSite(service) === site) return undefined
  return `The service runs as ${service}, which is not under ${site}, so browsers would reject its cookies`
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
