import type { CookieScope } from '../account.ts'
import type { SessionPoint } from './session-points.ts'

/** A session that the widget stand-in began, with what it carried. It lives in memory only. */
export interface WidgetSession {
  readonly id: string
  readonly widgetKey: string
  /** Where the session starts. */
  readonly pageUrl: string
  /** The address under which the visitor's widget met the service. */
  readonly serviceOrigin: string
  readonly options: SessionOptions
  readonly points: readonly SessionPoint[]
  /** Continuation URLs of other sites, which the widget passes over. */
  readonly ignored: readonly string[]
  readonly entries: readonly Entry[]
  /** `cookie_transfer_enabled` of the account: off, the session carries no cookie, whoever could read it. */
  readonly cookieTransfer: 'on' | 'off'
  /** The account's scopes of this site first, then what the page's script read beside them. */
  readonly cookies: readonly SessionCookie[]
  readonly steps: readonly Step[]
  /** By index of the point, what it was asked last. */
  readonly asked: Map<number, 'init' | 'create' | 'store'>
  state: 'running' | 'ended'
}

/** Options of one session under the service's own names (spec 2.4). */
export interface SessionOptions {
  readonly cookie_transfer_proxying: boolean
  readonly enable_cookie_backtransfer: boolean
}

/** What the widget reads beside cookies. */
export interface Entry {
  readonly kind: 'localStorage' | 'sessionStorage' | 'form field'
  readonly name: string
  readonly value: string
}

/** A cookie that the session should have. */
export interface SessionCookie {
  readonly scope: CookieScope
  /** Absent while nothing carried it. */
  value: string | undefined
  carriedBy: 'widget' | SessionPoint | undefined
  change: 'none' | 'changed' | { readonly sentBackBy: SessionPoint }
}

/** Something that the session does to a cookie. There is no co-browsing behind the stand-in, so the page names it. */
export interface Step {
  readonly label: string
  readonly cookie: string
  readonly value: string
}

/** Takes a step. One whose cookie the session doesn't have changes nothing, nor does any step after the end. */
export function takeStep({ state, steps, cookies }: WidgetSession, index: number): void {
  const step = steps[index]
  const cookie = cookies.find(({ scope, value }) => scope.name === step?.cookie && value !== undefined)
  if (step === undefined || cookie === undefined || state === 'ended') return
  cookie.value = step.value
  cookie.change = 'changed'
}
