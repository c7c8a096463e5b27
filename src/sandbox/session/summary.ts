import { toSite } from '../../site/site.ts'
import { isActive, type Session } from '../state/session.ts'
import type { Visit } from '../state/visit.ts'
import type { CarriedRow } from './carried-rows.ts'

/** The top of a session's page. */
export interface Summary {
  readonly headline: string
  readonly lead: string
  readonly verdict: 'pass' | 'fail' | 'waiting'
}

/** Sums up a session: whether everything came; once it is over, what became of the changed cookies. */
export function summarise(session: Session, rows: readonly CarriedRow[], hasAsked: boolean): Summary {
  const { visit } = session
  if (visit === undefined) return summariseBare(session)
  if (!isActive(session)) return summariseEnded(visit, session, hasAsked)
  if (visit.continuation === 'transfer-off') {
    return {
      headline: 'No cookie is in the session',
      lead: 'Cookie transfer is off in the account’s settings (cookie_transfer_enabled), so neither the widget nor a point carries one.',
      verdict: 'fail',
    }
  }
  const missing = rows.filter(({ carried }) => carried === 'missing').length
  if (missing > 0) {
    return {
      headline: `${count(missing, 'cookie')} ${missing === 1 ? 'is' : 'are'} missing`,
      lead: REASONS_MISSING[visit.continuation],
      verdict: 'fail',
    }
  }
  if (rows.every(({ carried }) => carried === 'widget')) {
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

function summariseBare(session: Session): Summary {
  return {
    headline: isActive(session) ? 'The session is running' : 'The session is over',
    lead: 'What a widget carried can’t be shown: the REST API started this session, or there are too many later ones.',
    verdict: 'pass',
  }
}

function summariseEnded(visit: Visit, session: Session, hasAsked: boolean): Summary {
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
  if (backTransfer === 'on') {
    return `Back-transfer is on, and the service runs under the customer’s domain, as ${service}. So the visitor’s window may ask the points once more when the session is over, and their answers set the changed cookies on ${site}.`
  }
  switch (backTransfer) {
    case 'switched-off':
      return 'Back-transfer is off (enable_cookie_backtransfer), so changed cookies end with the session.'
    case 'no-continuation':
      return continuation === 'page-without-point'
        ? 'The page has no continuation point on its own origin, and nothing else can set HttpOnly cookies on the customer’s site.'
        : 'The continuation points are off, and nothing else can set HttpOnly cookies on the customer’s site.'
    case 'foreign-service':
      return `The service runs as ${service}, which is not under ${site}: browsers reject cookies in a response to another site’s request. Back-transfer needs the service on the customer’s own domain.`
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

const REASONS_MISSING: Readonly<Record<Exclude<Visit['continuation'], 'transfer-off'>, string>> = {
  on: 'The points were called, but not everything that the account lists arrived. Look at the verification page of each point.',
  'points-off':
    'The continuation points are off, so only what a script can read arrived: the agent sees a visitor who is not signed in.',
  'page-without-point':
    'The page has no continuation point on its own origin, so only what a script can read arrived: the agent sees a visitor who is not signed in.',
}
