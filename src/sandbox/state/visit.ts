import type { CookieScope } from '../account.ts'
import type { VisitPoint } from './visit-points.ts'

/** What a widget brings into the session that it starts, and what becomes of it there. Changes make a new value. */
export interface Visit {
  /** The address under which the visitor's widget met the service. */
  readonly serviceOrigin: string
  readonly continuation: Continuation
  readonly backTransfer: BackTransfer
  /** The continuation points on the site of the page. */
  readonly points: readonly VisitPoint[]
  /** Continuation URLs of other sites, which the widget passes over. */
  readonly ignored: readonly string[]
  readonly entries: readonly Entry[]
  /** The account's scopes of this site first, then what the page's script read beside them. */
  readonly cookies: readonly VisitCookie[]
  readonly steps: readonly Step[]
}

/** Whether the widget calls the points, or why it does not. */
export type Continuation = 'on' | 'transfer-off' | 'points-off' | 'page-without-point'

/** Whether changed cookies go back to the customer's site once the session is over, or why they don't. */
export type BackTransfer =
  | { readonly verdict: 'goes-back' }
  | { readonly verdict: 'stays'; readonly reason: 'switched-off' | 'no-continuation' | 'foreign-service' }

/** What the widget reads beside cookies. */
export interface Entry {
  readonly kind: 'localStorage' | 'sessionStorage' | 'form field'
  readonly name: string
  readonly value: string
}

/** A cookie that the session should have. */
export interface VisitCookie {
  readonly scope: CookieScope
  /** Absent while nothing carried it. */
  readonly value: string | undefined
  readonly carriedBy: 'widget' | VisitPoint | undefined
  readonly change: 'none' | 'changed' | { readonly sentBackBy: VisitPoint }
}

/** Something that the session does to a cookie. There is no co-browsing behind the stand-in, so the page names it. */
export interface Step {
  readonly label: string
  readonly cookie: string
  readonly value: string
}

/** Takes a step. One whose cookie the visit doesn't have changes nothing. */
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
