import { isActive, type Session } from '../state/session.ts'
import type { Visit, VisitCookie } from '../state/visit.ts'

/** Sums up a session: whether everything came; once it is over, what became of the changed cookies. */
export function summarise(session: Session) {
  const { visit } = session
  if (visit === undefined) {
    return {
      headline: isActive(session) ? 'The session is running' : 'The session is over',
      lead: 'The REST API started it, so no widget carried anything.',
      verdict: 'pass',
    }
  }
  if (!isActive(session)) return summariseEnded(visit)
  const missing = visit.cookies.filter(({ carriedBy }) => carriedBy === undefined).length
  if (missing > 0) {
    return {
      headline: `${count(missing, 'cookie')} ${missing === 1 ? 'is' : 'are'} missing`,
      lead:
        visit.noPoints === undefined
          ? 'The points were called, but not everything that the account lists arrived. Look at the verification page of each point.'
          : `${visit.noPoints}: the agent sees a visitor who is not signed in.`,
      verdict: 'fail',
    }
  }
  return {
    headline: 'The whole visit is in the session',
    lead: visit.cookies.some(({ carriedBy }) => typeof carriedBy === 'object')
      ? 'The agent sees the page as the customer does. The widget alone could not have carried the HttpOnly cookies: the continuation points did.'
      : 'The widget read it all in the page. No continuation point brought anything.',
    verdict: 'pass',
  }
}

function summariseEnded({ cookies, noReturn }: Visit) {
  const changed = cookies.filter(({ change }) => change !== 'none')
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
  const isWaiting = noReturn === undefined
  return {
    headline: `The session is over, and ${count(left, 'changed cookie')} did not go back${isWaiting ? ' yet' : ''}`,
    lead: isWaiting
      ? 'The visitor’s window, which the shop opens, asks each continuation point once more.'
      : `${noReturn}.`,
    verdict: isWaiting ? 'waiting' : 'fail',
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

export type CarriedRow = ReturnType<typeof judgeCarried>[number]

/** The table of a session: how each item came or why it is missing, and the fate of a cookie that changed. */
export function judgeCarried(visit: Visit, session: Session) {
  return [
    ...visit.cookies.map((cookie) => ({
      name: cookie.scope.name,
      kind: `Cookie, Path=${cookie.scope.path}${cookie.scope.httponly ? ', HttpOnly' : ''}`,
      value: cookie.value === undefined ? undefined : cut(cookie.value),
      ...judgeWay(cookie, visit),
      fate: judgeFate(cookie, visit, session),
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

function judgeWay({ scope: { httponly }, carriedBy }: VisitCookie, { noPoints }: Visit) {
  if (carriedBy === 'widget') return BY_WIDGET
  if (carriedBy !== undefined) {
    const why = httponly ? 'no script can read it' : 'no script on that page can read it'
    return { carried: 'point', how: `The browser sent it to ${carriedBy.pathname}; ${why}.` } as const
  }
  const how = noPoints === undefined ? 'No point has brought it' : noPoints
  return { carried: 'missing', how: httponly ? `${how}, and no script can read it.` : `${how}.` } as const
}

function judgeFate({ change }: VisitCookie, { noReturn }: Visit, session: Session) {
  if (change === 'none') return undefined
  if (change !== 'changed')
    return { outcome: 'sent-back', text: `Changed, and sent back through ${change.sentBackBy.pathname}.` }
  if (isActive(session)) return { outcome: 'changed', text: 'Changed in the session.' }
  return noReturn === undefined
    ? { outcome: 'changed', text: 'Changed, and waiting to go back.' }
    : { outcome: 'lost', text: 'Changed, and lost with the session.' }
}

function cut(value: string): string {
  return value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value
}

const BY_WIDGET = { carried: 'widget', how: 'The widget read it in the page.' } as const

const SHOWN_CHARACTERS = 24
