import type { CookieScope } from './account.ts'
import type { VisitPoint } from './visit-points.ts'

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
  readonly entries: readonly Entry[]
  /** First the account's scopes of this site, then further cookies that the page's script read. */
  readonly cookies: readonly VisitCookie[]
  readonly steps: readonly Step[]
}

/** Whether the widget calls the points, or why it does not. */
export type Continuation = 'on' | 'transfer-off' | 'points-off' | 'page-without-point'

/** Whether changed cookies go back to the customer's site once the session is over, or why they don't. */
export type BackTransfer =
  | { readonly verdict: 'goes-back' }
  | { readonly verdict: 'stays'; readonly reason: 'switched-off' | 'no-continuation' | 'foreign-service' }

/** What the widget reads besides cookies. */
export interface Entry {
  readonly kind: 'localStorage' | 'sessionStorage' | 'form field'
  readonly name: string
  readonly value: string
}

/** A cookie that the session should have. */
export interface VisitCookie {
  readonly scope: CookieScope
  /** Absent until something carried it. */
  readonly value: string | undefined
  readonly carriedBy: 'widget' | VisitPoint | undefined
  readonly change: 'none' | 'changed' | { readonly sentBackBy: VisitPoint }
}

/** A change of a cookie in the session. The page defines it, since the stand-in has no co-browsing. */
export interface Step {
  readonly label: string
  readonly cookie: string
  readonly value: string
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
