import { toSite } from '../../site/site.ts'
import { type Account, type CookieScope, isPageOrigin } from '../account.ts'
import { toSessionPoints } from './session-points.ts'
import type { Entry, SessionCookie, SessionOptions, Step, WidgetSession } from './widget-session.ts'

/** What the widget tells when it begins a session. */
export interface SessionStart {
  readonly pageUrl: string
  readonly options: SessionOptions
  /** Name and value of each cookie that the page's script reads. */
  readonly cookies: readonly Pair[]
  readonly entries: readonly Entry[]
  readonly steps: readonly Step[]
}

export interface Pair {
  readonly name: string
  readonly value: string
}

/**
 * Begins a session on a page of the account. The options can only switch off what the account's settings allow.
 *
 * @param origin of the page, as its browser tells it
 * @returns the session, or why there is none
 */
export function beginSession(
  start: SessionStart,
  {
    id,
    origin,
    serviceOrigin,
  }: { readonly id: string; readonly origin: string; readonly serviceOrigin: string },
  account: Account,
): WidgetSession | 'foreign-page' {
  if (new URL(start.pageUrl).origin !== origin || !isPageOrigin(account, origin)) return 'foreign-page'
  const { settings, widgetKey } = account
  const { called, ignored } = toSessionPoints(start.pageUrl, settings.cookie_transfer_urls)
  return {
    id,
    widgetKey,
    pageUrl: start.pageUrl,
    serviceOrigin,
    options: {
      cookie_transfer_proxying:
        settings.cookie_transfer_enabled &&
        settings.cookie_transfer_proxying &&
        start.options.cookie_transfer_proxying,
      enable_cookie_backtransfer:
        settings.enable_cookie_backtransfer && start.options.enable_cookie_backtransfer,
    },
    points: called,
    ignored,
    entries: start.entries,
    cookieTransfer: settings.cookie_transfer_enabled ? 'on' : 'off',
    cookies: settings.cookie_transfer_enabled
      ? toSessionCookies(start, settings.cookie_transfer_scopes)
      : toSessionCookies({ ...start, cookies: [] }, settings.cookie_transfer_scopes),
    steps: start.steps,
    asked: new Map(),
    state: 'running',
  }
}

function toSessionCookies(
  { pageUrl, cookies }: SessionStart,
  scopes: readonly CookieScope[],
): readonly SessionCookie[] {
  const { hostname } = new URL(pageUrl)
  const listed = scopes
    .filter((scope) => isStorable(scope) && toSite(scope.domain.replace(/^\./, '')) === toSite(hostname))
    .map((scope) => toSessionCookie(scope, scope.httponly ? undefined : readableValue(cookies, scope.name)))
  const names = new Set(listed.filter(({ scope }) => !scope.httponly).map(({ scope }) => scope.name))
  const unlisted = cookies
    .filter(({ name }) => !names.has(name))
    .map(({ name, value }) => toSessionCookie({ name, domain: hostname, path: '/', httponly: false }, value))
  return [...listed, ...unlisted]
}

function toSessionCookie(scope: CookieScope, value: string | undefined): SessionCookie {
  return { scope, value, carriedBy: value === undefined ? undefined : 'widget', change: 'none' }
}

function readableValue(cookies: readonly Pair[], name: string): string | undefined {
  return cookies.find((cookie) => cookie.name === name)?.value
}

/** Scopes come from the account's settings, which hold any text; these make a Set-Cookie line. */
function isStorable({ name, path }: CookieScope): boolean {
  return /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name) && /^\/[\x20-\x3a\x3c-\x7e]*$/.test(path)
}
