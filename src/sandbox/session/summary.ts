import { toSite } from '../../site/site.ts'
import { isActive, type Session } from '../state/session.ts'
import type { Visit, VisitCookie } from '../state/visit.ts'

/** Sums up a session: whether everything came; once it is over, what became of the changed cookies. */
export function summarise(session: Session, hasAsked: boolean) {
  const { visit } = session
  if (visit === undefined) {
    return {
      headline: isActive(session) ? 'The session is running' : 'The session is over',
      lead: 'What a widget carried can’t be shown: the REST API started this session, or there are too many later ones.',
      verdict: 'pass',
    }
  }
  if (!isActive(session)) return summariseEnded(visit, session, hasAsked)
  if (visit.continuation === 'transfer-off') {
    return {
      headline: 'No cookie is in the session',
      lead: `${CONTINUATIONS['transfer-off']}, so neither the widget nor a point carries one.`,
      verdict: 'fail',
    }
  }
  const missing = visit.cookies.filter(({ carriedBy }) => carriedBy === undefined).length
  if (missing > 0) {
    return {
      headline: `${count(missing, 'cookie')} ${missing === 1 ? 'is' : 'are'} missing`,
      lead:
        visit.continuation === 'on'
          ? `${CONTINUATIONS.on}, but not everything that the account lists arrived. Look at the verification page of each point.`
          : `${CONTINUATIONS[visit.continuation]}, so only what a script can read arrived: the agent sees a visitor who is not signed in.`,
      verdict: 'fail',
    }
  }
  if (visit.cookies.every(({ carriedBy }) => carriedBy === 'widget')) {
    return {
      headline: 'Everything that the account lists is in the session',
      lead: 'The widget read it all in the page. No continuation point brought anything.',
      verdict: 'pass',
    }
  }
  return {
    headline: 'The whole visit is in the session',
    lead: 'The agent sees the page as the customer does. The widget alone could not have carried the HttpOnly cookies: the continuation points did.',
    verdict: 'pass',
  }
}

function summariseEnded(visit: Visit, session: Session, hasAsked: boolean) {
  const changed = visit.cookies.filter(({ change }) => change !== 'none')
  const left = changed.filter(({ change }) => change === 'changed').length
  if (changed.length === 0) {
    return {
      headline: 'The session is over',
      lead: 'It changed no cookie, so nothing had to go back.',
      verdict: 'pass',
    }
  }
  if (left === 0) {
    return {
      headline: `The session is over, and ${count(changed.length, 'cookie')} went back`,
      lead: 'The visitor’s window asked the continuation points once more, and their answers set the changed cookies on the customer’s site.',
      verdict: 'pass',
    }
  }
  const goesBack = visit.backTransfer === 'on'
  if (goesBack && !hasAsked) {
    return {
      headline: `The session is over, and ${count(left, 'changed cookie')} ${left === 1 ? 'has' : 'have'} yet to go back`,
      lead: 'The visitor’s window asks the continuation points once more as soon as it knows that the session is over.',
      verdict: 'waiting',
    }
  }
  return {
    headline: `The session is over, and ${count(left, 'changed cookie')} did not go back`,
    lead: goesBack
      ? 'Not every continuation point answered the visitor’s window.'
      : explainBackTransfer(visit, session),
    verdict: 'fail',
  }
}

/** Explains what becomes of changed cookies (spec 4.9, rule 12). */
export function explainBackTransfer(
  { backTransfer, serviceOrigin, continuation }: Visit,
  { url }: Session,
): string {
  const [service, site] = [new URL(serviceOrigin).hostname, toSite(new URL(url).hostname)]
  switch (backTransfer) {
    case 'on':
      return `Back-transfer is on, and the service runs under the customer’s domain, as ${service}. So the visitor’s window may ask the points once more when the session is over, and their answers set the changed cookies on ${site}.`
    case 'switched-off':
      return 'Back-transfer is off (enable_cookie_backtransfer), so changed cookies end with the session.'
    case 'no-continuation':
      return `${CONTINUATIONS[continuation]}, and nothing but a point can set HttpOnly cookies on the customer’s site.`
    case 'foreign-service':
      return `The service runs as ${service}, which is not under ${site}: browsers reject cookies in a response to another site’s request. Back-transfer needs the service on the customer’s own domain.`
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Whether the points were called, and why not, as the beginning of a sentence. */
const CONTINUATIONS: Readonly<Record<Visit['continuation'], string>> = {
  on: 'The points were called',
  'transfer-off': 'Cookie transfer is off in the account’s settings (cookie_transfer_enabled)',
  'points-off': 'The continuation points are off',
  'page-without-point': 'The page has no continuation point on its own origin',
}

export type CarriedRow = ReturnType<typeof judgeCarried>[number]

/**
 * The table of a session: how each item came or why it is missing, and the fate of a cookie that changed.
 *
 * @param hasAsked whether this window has asked the points to send changed cookies back; only the visitor's does
 */
export function judgeCarried(visit: Visit, session: Session, hasAsked: boolean) {
  return [
    ...visit.cookies.map((cookie) => ({
      name: cookie.scope.name,
      kind: `Cookie, Path=${cookie.scope.path}${cookie.scope.httponly ? ', HttpOnly' : ''}`,
      value: cookie.value === undefined ? undefined : cut(cookie.value),
      ...judgeWay(cookie, visit),
      fate: judgeFate(cookie, visit, session, hasAsked),
    })),
    ...visit.entries.map(({ kind, name, value }) => ({
      name,
      kind: kind === 'form field' ? 'Form field' : kind,
      value: cut(value),
      ...BY_WIDGET,
      fate: undefined,
    })),
  ]
}

function judgeWay({ scope, carriedBy }: VisitCookie, visit: Visit) {
  if (carriedBy === undefined)
    return { carried: 'missing', how: explainMissing(scope.httponly, visit) } as const
  if (carriedBy === 'widget') return BY_WIDGET
  const why = scope.httponly ? 'no script can read it' : 'no script on that page can read it'
  return { carried: 'point', how: `The browser sent it to ${carriedBy.path}; ${why}.` } as const
}

function explainMissing(isHttpOnly: boolean, { continuation, points }: Visit): string {
  if (continuation === 'transfer-off') return `${CONTINUATIONS[continuation]}.`
  if (!isHttpOnly) return 'The page’s script saw no such cookie.'
  if (continuation !== 'on') return `${CONTINUATIONS[continuation]}, and no script can read it.`
  const isDone = points.every(({ answered }) => answered === 'store')
  return isDone ? 'The browser did not send it to any point.' : 'Not every point has answered.'
}

function judgeFate({ change }: VisitCookie, { backTransfer }: Visit, session: Session, hasAsked: boolean) {
  if (change === 'none') return undefined
  if (change !== 'changed') {
    return { outcome: 'sent-back', text: `Changed, and sent back through ${change.sentBackBy.path}.` }
  }
  if (isActive(session)) return { outcome: 'changed', text: 'Changed in the session.' }
  if (backTransfer !== 'on') return { outcome: 'lost', text: 'Changed, and lost with the session.' }
  return hasAsked
    ? { outcome: 'lost', text: 'Changed, and not sent back.' }
    : { outcome: 'changed', text: 'Changed, and waiting to go back.' }
}

function cut(value: string): string {
  return value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value
}

const BY_WIDGET = { carried: 'widget', how: 'The widget read it in the page.' } as const

const SHOWN_CHARACTERS = 24
