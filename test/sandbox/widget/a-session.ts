import { type CookieScope, demoAccount, type Settings } from '../../../src/sandbox/account.ts'
import { beginSession, type SessionStart } from '../../../src/sandbox/widget/begin-session.ts'
import type { WidgetSession } from '../../../src/sandbox/widget/widget-session.ts'

export const SITE = 'http://www.shop.localhost:8080'
export const ROOT_URL = `${SITE}/service_cookie_transfer/`
export const CHECKOUT_URL = `${SITE}/checkout/service_cookie_transfer/`

export const SCOPES: readonly CookieScope[] = [
  { name: 'sid', domain: 'www.shop.localhost', path: '/', httponly: true },
  { name: 'basket', domain: 'www.shop.localhost', path: '/checkout', httponly: true },
  { name: 'look', domain: '.shop.localhost', path: '/', httponly: false },
]

export const START: SessionStart = {
  pageUrl: `${SITE}/`,
  options: { cookie_transfer_proxying: true, enable_cookie_backtransfer: true },
  cookies: [{ name: 'look', value: 'warm' }],
  entries: [],
  steps: [
    { label: 'Buy the globe', cookie: 'basket', value: 'globe' },
    { label: 'Cool down', cookie: 'look', value: 'cool' },
  ],
}

export interface SessionSetup {
  readonly start?: Partial<SessionStart>
  readonly settings?: Partial<Settings>
  readonly serviceOrigin?: string
}

/** A session on the shop's page, under the shop's domain, with both points. */
export function aSession({ start, settings, serviceOrigin }: SessionSetup = {}): WidgetSession {
  const session = beginSession(
    { ...START, ...start },
    { id: 'one', origin: SITE, serviceOrigin: serviceOrigin ?? 'http://cobrowse.shop.localhost:9090' },
    demoAccount({
      cookie_transfer_urls: [ROOT_URL, CHECKOUT_URL],
      cookie_transfer_scopes: SCOPES,
      enable_cookie_backtransfer: true,
      ...settings,
    }),
  )
  if (session === 'foreign-page') throw new Error('The page is not of the account')
  return session
}
