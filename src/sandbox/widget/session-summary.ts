import { toSite } from '../../site/site.ts'
import { type BackTransfer, judgeBackTransfer } from './back-transfer.ts'
import type { CarriedRow } from './carried-rows.ts'
import type { WidgetSession } from './widget-session.ts'

/** What the top of a session's page says. */
export interface Summary {
  readonly headline: string
  readonly lead: string
  readonly verdict: 'pass' | 'fail'
}

/** Sums a session up: all came or something is missing; once it is over, what became of the changed cookies. */
export function toSummary(session: WidgetSession, rows: readonly CarriedRow[]): Summary {
  const missing = rows.filter(({ carried }) => carried === 'missing').length
  if (session.state === 'ended') return toEndedSummary(session)
  if (session.cookieTransfer === 'off') {
    return {
      headline: 'No cookie is in the session',
      lead: 'Cookie transfer is off in the account’s settings (cookie_transfer_enabled), so neither the widget nor a point carries one.',
      verdict: 'fail',
    }
  }
  if (missing === 0 && rows.every(({ carried }) => carried === 'widget')) {
    return {
      headline: 'Everything that the account lists is in the session',
      lead: 'The widget read it all in the page. No continuation point brought anything.',
      verdict: 'pass',
    }
  }
  if (missing === 0) {
    return {
      headline: 'The whole visit is in the session',
      lead: 'The agent sees the page as the customer does. The widget alone could not have carried the HttpOnly cookies: the continuation points did.',
      verdict: 'pass',
    }
  }
  return {
    headline: `${count(missing, 'cookie')} ${missing === 1 ? 'is' : 'are'} missing`,
    lead: session.options.cookie_transfer_proxying
      ? 'The points were called, but not everything that the account lists came along. Look at the verification page of each point.'
      : 'The continuation points are off, so only what a script can read came along: the agent sees a visitor who is not signed in.',
    verdict: 'fail',
  }
}

function toEndedSummary(session: WidgetSession): Summary {
  const changed = session.cookies.filter(({ change }) => change !== 'none')
  const sent = changed.filter(({ change }) => change !== 'changed').length
  if (changed.length === 0) {
    return {
      headline: 'The session is over',
      lead: 'It changed no cookie, so nothing had to go back.',
      verdict: 'pass',
    }
  }
  const judged = judgeBackTransfer(session)
  if (judged.verdict === 'goes-back' && sent === changed.length) {
    return {
      headline: `Over, and ${count(sent, 'cookie')} went back`,
      lead: 'The page asked the continuation points once more, and their answers set the changed cookies on the customer’s site.',
      verdict: 'pass',
    }
  }
  return {
    headline: `Over, and ${count(changed.length - sent, 'changed cookie')} stayed behind`,
    lead:
      judged.verdict === 'goes-back'
        ? 'Not every point answered, or scripts are off in this browser.'
        : explainBackTransfer(judged, session),
    verdict: 'fail',
  }
}

/** Says in a sentence or two what becomes of changed cookies, and why (spec 4.9, rule 12). */
export function explainBackTransfer(judged: BackTransfer, { serviceOrigin, pageUrl }: WidgetSession): string {
  const [service, site] = [new URL(serviceOrigin).hostname, toSite(new URL(pageUrl).hostname)]
  if (judged.verdict === 'goes-back') {
    return `Back-transfer is on, and the service runs under the customer’s domain, as ${service}. So this page may ask the points once more, and their answers set the changed cookies on ${site}.`
  }
  switch (judged.reason) {
    case 'switched-off':
      return 'Back-transfer is off (enable_cookie_backtransfer), so changed cookies end with the session.'
    case 'points-off':
      return 'The continuation points are off, and nothing else can set HttpOnly cookies on the customer’s site.'
    case 'foreign-service':
      return `The service runs as ${service}, which is not under ${site}: a browser keeps no cookie of a site that another one asked. Back-transfer needs the service on the customer’s own domain.`
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
