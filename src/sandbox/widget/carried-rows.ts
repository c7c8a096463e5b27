import { judgeBackTransfer } from './back-transfer.ts'
import type { SessionCookie, WidgetSession } from './widget-session.ts'

/** One line of the table of what a session carries. */
export interface CarriedRow {
  readonly name: string
  /** What it is and how it was kept: `Cookie, Path=/, HttpOnly`. */
  readonly kind: string
  /** Cut to a few characters; absent while it is missing. */
  readonly value: string | undefined
  readonly carried: 'widget' | 'point' | 'missing'
  /** How it came, or why it is missing. */
  readonly how: string
  /** What the session did to it and where that went; absent when nothing happened. */
  readonly fate: Fate | undefined
}

/** What became of a cookie that changed. */
export interface Fate {
  readonly outcome: 'changed' | 'sent-back' | 'lost'
  readonly text: string
}

/** The table of a session: cookies first, then what else the widget reads. */
export function toCarriedRows(session: WidgetSession): readonly CarriedRow[] {
  return [
    ...session.cookies.map((cookie) => toCookieRow(cookie, session)),
    ...session.entries.map(({ kind, name, value }) => ({
      name,
      kind: kind === 'form field' ? 'Form field' : kind,
      value: cut(value),
      carried: 'widget' as const,
      how: 'The widget read it in the page.',
      fate: undefined,
    })),
  ]
}

function toCookieRow(cookie: SessionCookie, session: WidgetSession): CarriedRow {
  const { scope, value, carriedBy } = cookie
  const shown = {
    name: scope.name,
    kind: `Cookie, Path=${scope.path}${scope.httponly ? ', HttpOnly' : ''}`,
    value: value === undefined ? undefined : cut(value),
    fate: toFate(cookie, session),
  }
  if (carriedBy === undefined) return { ...shown, carried: 'missing', how: toLack(cookie, session) }
  if (carriedBy === 'widget') return { ...shown, carried: 'widget', how: 'The widget read it in the page.' }
  const why = scope.httponly ? 'no script can read it' : 'no script on that page can read it'
  return { ...shown, carried: 'point', how: `The browser sent it to ${carriedBy.path}; ${why}.` }
}

function toLack({ scope }: SessionCookie, { cookieTransfer, options, asked, points }: WidgetSession): string {
  if (cookieTransfer === 'off') {
    return 'Cookie transfer is off in the account’s settings (cookie_transfer_enabled).'
  }
  if (!scope.httponly) return 'The page’s script saw no such cookie.'
  if (!options.cookie_transfer_proxying) {
    return 'No script can read it, and the continuation points are off.'
  }
  const isDone = points.every((_point, index) => asked.get(index) === 'store')
  return isDone ? 'The browser sent it to no point.' : 'Not every point has answered.'
}

function toFate({ change }: SessionCookie, session: WidgetSession): Fate | undefined {
  if (change === 'none') return undefined
  if (change !== 'changed') {
    return { outcome: 'sent-back', text: `Changed, and sent back through ${change.sentBackBy.path}.` }
  }
  if (session.state === 'running') return { outcome: 'changed', text: 'Changed in the session.' }
  return judgeBackTransfer(session).verdict === 'stays'
    ? { outcome: 'lost', text: 'Changed, and lost with the session.' }
    : { outcome: 'lost', text: 'Changed, and not sent back.' }
}

function cut(value: string): string {
  return value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value
}

const SHOWN_CHARACTERS = 24
