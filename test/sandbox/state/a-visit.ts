import { type CookieScope, demoAccount, type Settings } from '../../../src/sandbox/state/company.ts'
import { openService } from '../../../src/sandbox/state/sandbox-state.ts'
import { mainCompany } from '../../../src/sandbox/state/service.ts'
import type { Session } from '../../../src/sandbox/state/session.ts'
import { beginVisit, type Visit, type VisitStart } from '../../../src/sandbox/state/visit.ts'

export const SITE = 'http://www.shop.localhost:8080'
export const ROOT_URL = `${SITE}/service_cookie_transfer/`
export const CHECKOUT_URL = `${SITE}/checkout/service_cookie_transfer/`

export const SCOPES: readonly CookieScope[] = [
  { name: 'sid', domain: 'www.shop.localhost', path: '/', httponly: true },
  { name: 'basket', domain: 'www.shop.localhost', path: '/checkout', httponly: true },
  { name: 'look', domain: '.shop.localhost', path: '/', httponly: false },
]

export const SETTINGS: Partial<Settings> = {
  cookie_transfer_urls: [ROOT_URL, CHECKOUT_URL],
  cookie_transfer_scopes: SCOPES,
  enable_cookie_backtransfer: true,
}

export const START: VisitStart = {
  pageUrl: `${SITE}/`,
  cookies: [{ name: 'look', value: 'warm' }],
  entries: [],
  steps: [
    { label: 'Buy the globe', cookie: 'basket', value: 'globe' },
    { label: 'Cool down', cookie: 'look', value: 'cool' },
  ],
}

export interface VisitSetup {
  readonly start?: Partial<VisitStart>
  readonly settings?: Partial<Settings>
  readonly serviceOrigin?: string
}

/** A visit of the shop's page, with the service under the shop's domain and both points. */
export function aVisit({ start: changed, settings: set, serviceOrigin }: VisitSetup = {}): Visit {
  const start = { ...START, ...changed }
  const { settings } = demoAccount({ ...SETTINGS, ...set })
  return beginVisit(start, serviceOrigin ?? 'http://cobrowse.shop.localhost:9090', settings)
}

/** A session that has the visit. */
export function sessionOf(visit: Visit, state: 'running' | 'ended' = 'running'): Session {
  return {
    company: mainCompany(openService({}, 0)),
    id: 'one',
    formattedId: '111-222-333',
    pin: '4711',
    agentId: undefined,
    startMs: 0,
    participants: [],
    url: `${SITE}/`,
    tags: [],
    options: { ...demoAccount().settings },
    visit,
    ...(state === 'ended' ? { endMs: 1 } : {}),
  }
}
