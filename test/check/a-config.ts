import type { Config, CookieConfig, PlanConfig, SuppressConfig } from '../../src/config/config.ts'
import type { FrontEndName } from '../../src/config/front-end-names.ts'

/** The part of a config that matters to a test; the rest is what the parser fills in. */
export interface Given {
  readonly points?: readonly string[]
  readonly pages?: readonly string[]
  readonly cookies?: readonly Partial<CookieConfig>[] | undefined
  readonly service?: string
  readonly api?: string
  readonly prefix?: string
  readonly backTransfer?: true
  readonly frontEnd?: FrontEndName
  readonly plans?: readonly Omit<PlanConfig, 'location'>[]
  /** Of all points. */
  readonly plan?: string
  readonly suppress?: readonly Partial<SuppressConfig>[]
}

export const prefix = '/service_cookie_transfer/'

/** A config with a location for everything, line 1 onwards in the order of the lists. */
export function aConfig(given: Given): Config {
  return {
    service: {
      url: given.service,
      api: given.api,
      prefix: given.prefix ?? prefix,
      keepCookiePath: false,
      ca: undefined,
      location: at('/service/url'),
    },
    widgetKey: undefined,
    apiKey: undefined,
    pointsLocation: { file: 'config.json', line: 1, column: 1, pointer: '/points' },
    points: (given.points ?? []).map((url, i) => ({
      url,
      widgetKey: undefined,
      apiKey: undefined,
      plan: given.plan,
      location: at(`/points/${i}`),
    })),
    plans: (given.plans ?? []).map((plan) => ({ ...plan, location: at(`/plans/${plan.name}`) })),
    pages: (given.pages ?? []).map((url, i) => ({ url, location: at(`/pages/${i}`) })),
    cookies: (given.cookies ?? []).map((cookie, i) => ({
      name: 'sid',
      domain: 'www.example.com',
      path: '/',
      httponly: true,
      secure: undefined,
      sameSite: undefined,
      location: at(`/cookies/${i}`),
      ...cookie,
    })),
    cookiesLocation: given.cookies && at('/cookies'),
    backTransfer: given.backTransfer ?? false,
    frontEnd: given.frontEnd,
    forward: { cookies: 'all', alsoCookies: [], clientAddress: 'append' },
    listen: { host: '127.0.0.1', port: 8080, trustedProxies: ['loopback'], tls: undefined },
    admin: undefined,
    timeouts: {
      connectMs: 5000,
      headersMs: 30_000,
      idleMs: 30_000,
      drainMs: 25_000,
      connectionAgeMs: 60_000,
    },
    limits: {
      headerBytes: 65_536,
      bodyBytes: undefined,
      concurrentRequests: 1024,
      upstreamConnections: 128,
    },
    workers: 1,
    monitor: { everyMs: 300_000, webhook: undefined },
    log: { level: 'info', access: true, clientAddress: 'omit' },
    suppress: (given.suppress ?? []).map((suppression, i) => ({
      rule: 'url/plain-http',
      match: undefined,
      reason: 'moves in May',
      location: at(`/suppress/${i}`),
      ...suppression,
    })),
    webhooks: undefined,
  }
}

function at(pointer: string) {
  return { file: 'config.json', line: 1, column: 1, pointer }
}
