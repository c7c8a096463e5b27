import { isActive, type Session } from '../state/session.ts'
import type { Visit, VisitCookie } from '../state/visit.ts'

/** One row of the table of what a session has. */
export interface CarriedRow {
  readonly name: string
  /** What it is, with a cookie's attributes: `Cookie, Path=/, HttpOnly`. */
  readonly kind: string
  /** Cut to a few characters; absent while it is missing. */
  readonly value: string | undefined
  readonly carried: 'widget' | 'point' | 'missing'
  /** How it came, or why it is missing. */
  readonly how: string
  /** What happened to it in the session, if anything. */
  readonly fate: Fate | undefined
}

/** What became of a cookie that changed. */
export interface Fate {
  readonly outcome: 'changed' | 'sent-back' | 'lost'
  readonly text: string
}

/**
 * The table of a session: cookies first, then what else the widget reads.
 *
 * @param hasAsked whether this window has asked the points to send changed cookies back; only the visitor's window does
 */
export function judgeCarried(visit: Visit, session: Session, hasAsked: boolean): readonly CarriedRow[] {
  return [
    ...visit.cookies.map((cookie) => toCookieRow(cookie, visit, session, hasAsked)),
    ...visit.entries.map(({ kind, name, value }) => ({
      name,
      kind: kind === 'form field' ? 'Form field' : kind,
      value: cut(value),
      carried: 'widget' as const,
      how: 'The widget read it in the page.',
      fate: undefined,
    })),
  ]
}

function toCookieRow(cookie: VisitCookie, visit: Visit, session: Session, hasAsked: boolean): CarriedRow {
  const { scope, value, carriedBy } = cookie
  const shown = {
    name: scope.name,
    kind: `Cookie, Path=${scope.path}${scope.httponly ? ', HttpOnly' : ''}`,
    value: value === undefined ? undefined : cut(value),
    fate: judgeFate(cookie, visit, session, hasAsked),
  }
  if (carriedBy === undefined) return { ...shown, carried: 'missing', how: explainMissing(cookie, visit) }
  if (carriedBy === 'widget') return { ...shown, carried: 'widget', how: 'The widget read it in the page.' }
  const why = scope.httponly ? 'no script can read it' : 'no script on that page can read it'
  return { ...shown, carried: 'point', how: `The browser sent it to ${carriedBy.path}; ${why}.` }
}

function explainMissing({ scope }: VisitCookie, { continuation, points }: Visit): string {
  if (continuation === 'transfer-off') return REASONS_MISSING[continuation]
  if (!scope.httponly) return 'The page’s script saw no such cookie.'
  if (continuation !== 'on') return REASONS_MISSING[continuation]
  const isDone = points.every(({ answered }) => answered === 'store')
  return isDone ? 'The browser did not send it to any point.' : 'Not every point has answered.'
}

function judgeFate(
  { change }: VisitCookie,
  { backTransfer }: Visit,
  session: Session,
  hasAsked: boolean,
): Fate | undefined {
  if (change === 'none') return undefined
  if (change !== 'changed') {
    return { outcome: 'sent-back', text: `Changed, and sent back through ${change.sentBackBy.path}.` }
  }
  if (isActive(session)) return { outcome: 'changed', text: 'Changed in the session.' }
  if (backTransfer === 'on' && !hasAsked) {
    return { outcome: 'changed', text: 'Changed, and waiting to go back.' }
  }
  return backTransfer !== 'on'
    ? { outcome: 'lost', text: 'Changed, and lost with the session.' }
    : { outcome: 'lost', text: 'Changed, and not sent back.' }
}

function cut(value: string): string {
  return value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value
}

const REASONS_MISSING: Readonly<Record<Exclude<Visit['continuation'], 'on'>, string>> = {
  'transfer-off': 'Cookie transfer is off in the account’s settings (cookie_transfer_enabled).',
  'points-off': 'No script can read it, and the continuation points are off.',
  'page-without-point': 'No script can read it, and the page has no continuation point on its own origin.',
}

const SHOWN_CHARACTERS = 24
