import type { Settings } from '../../src/sandbox/state/account.ts'
import { type Faults, withField } from '../support/front-ends/front-end.ts'

/** A whole setup: what the config says, what the account says, what the front end does wrong. */
export interface Setup {
  /** `http://host:port`. */
  readonly service: string
  readonly points: readonly string[]
  readonly pages: readonly string[]
  readonly cookies: readonly {
    readonly name: string
    readonly domain: string
    readonly path: string
    readonly httponly: boolean
  }[]
  /** What the account has otherwise than the config. */
  readonly account: Partial<Settings>
  readonly faults: Faults
  readonly flags: readonly string[]
}

export interface Mistake {
  readonly name: string
  readonly rule: string
  readonly broken: (right: Setup) => Setup
  /** What the fix has to say, word for word. */
  readonly says: (right: Setup) => string
  /** Applies what the fix says; the text that `says` gave is in it. */
  readonly fixed: (broken: Setup, said: string, right: Setup) => Setup
}

export const mistakes: readonly Mistake[] = [
  {
    name: 'the wrong site',
    rule: 'url/cross-site',
    broken: (right) => ({
      ...right,
      points: right.points.map((url) => url.replace('www.shop', 'www.other')),
    }),
    says: ({ points }) => points[0] ?? '',
    fixed: (broken, said) => ({ ...broken, points: [said] }),
  },
  {
    name: 'http for https',
    rule: 'url/mixed-content',
    broken: (right) => ({
      ...right,
      flags: ['--offline'],
      points: [`http://www.example.com${prefix}`],
      pages: ['https://www.example.com/'],
      cookies: right.cookies.map((cookie) => ({ ...cookie, domain: 'www.example.com' })),
    }),
    says: () => `https://www.example.com${prefix}`,
    fixed: (broken, said) => ({ ...broken, points: [said] }),
  },
  {
    name: 'a cookie path without a point',
    rule: 'cookie/path-not-covered',
    broken: (right) => ({
      ...right,
      cookies: right.cookies.map((cookie) => ({ ...cookie, path: '/checkout' })),
    }),
    says: ({ points }) => (points[0] ?? '').replace(prefix, `/checkout${prefix}`),
    fixed: (broken, said) => ({ ...broken, points: [...broken.points, said] }),
  },
  {
    name: 'a wrong key',
    rule: 'live/widget-key',
    broken: (right) => ({
      ...right,
      faults: { request: ({ fields }) => ({ fields: withField(fields, 'X-Widget-Key', 'demo-api-key') }) },
    }),
    says: () =>
      'With continuation-point serve, set "widgetKey" to the key in the widget code and restart serve; else set X-Widget-Key to it',
    fixed: rightFrontEnd,
  },
  {
    name: 'a URL that is not in the account',
    rule: 'account/url-not-registered',
    broken: (right) => ({ ...right, account: { cookie_transfer_urls: [] } }),
    says: ({ points }) => `Add ${points[0]} to cookie_transfer_urls`,
    fixed: rightAccount,
  },
  {
    name: 'cached answers',
    rule: 'live/cached',
    broken: (right) => ({
      ...right,
      faults: { response: ({ fields }) => ({ fields: [...fields, 'X-Cache', 'HIT'] }) },
    }),
    says: () => `Bypass every cache for ${prefix}*`,
    fixed: rightFrontEnd,
  },
  {
    name: 'scopes that differ',
    rule: 'account/scopes-differ',
    broken: (right) => ({
      ...right,
      account: {
        cookie_transfer_scopes: right.cookies.map((cookie) => ({ ...cookie, domain: `.${cookie.domain}` })),
      },
    }),
    says: () => 'Write the scopes of the config to the account',
    fixed: rightAccount,
  },
  {
    name: 'the wrong host for the service',
    rule: 'live/forwarded',
    broken: (right) => ({
      ...right,
      faults: {
        request: ({ fields }, _arrived, { authority }) => ({ fields: withField(fields, 'Host', authority) }),
      },
    }),
    says: ({ service }) => `Send the service's own Host: ${new URL(service).host}`,
    fixed: rightFrontEnd,
  },
]

function rightFrontEnd(broken: Setup): Setup {
  return { ...broken, faults: {} }
}

function rightAccount(broken: Setup): Setup {
  return { ...broken, account: {} }
}

export const prefix = '/service_cookie_transfer/'
