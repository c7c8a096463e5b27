import type { Config, CookieConfig, SuppressConfig } from '../../src/config/config.ts'
import type { FrontEndName } from '../../src/config/schema.ts'
import { configOf } from '../support/config-of.ts'

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
  readonly suppress?: readonly Partial<SuppressConfig>[]
}

export const prefix = '/service_cookie_transfer/'

/** What the parser fills in. */
const DEFAULTS = configOf({ admin: null })

/** A config with a location for everything, line 1 onwards in the order of the lists. */
export function aConfig(given: Given): Config {
  const { service: url, api, cookies } = given
  return {
    ...DEFAULTS,
    service: { ...DEFAULTS.service, url, api, prefix: given.prefix ?? prefix, location: at('/service/url') },
    points: (given.points ?? []).map((url, i) => ({
      url,
      widgetKey: undefined,
      location: at(`/points/${i}`),
    })),
    pages: (given.pages ?? []).map((url, i) => ({ url, location: at(`/pages/${i}`) })),
    cookies: (cookies ?? []).map((cookie, i) => ({
      name: 'sid',
      domain: 'www.example.com',
      path: '/',
      httponly: true,
      secure: undefined,
      sameSite: undefined,
      location: at(`/cookies/${i}`),
      ...cookie,
    })),
    cookiesLocation: cookies && at('/cookies'),
    backTransfer: given.backTransfer ?? false,
    frontEnd: given.frontEnd,
    suppress: (given.suppress ?? []).map((suppression, i) => ({
      rule: 'url/plain-http',
      match: undefined,
      reason: 'moves in May',
      location: at(`/suppress/${i}`),
      ...suppression,
    })),
  }
}

function at(pointer: string) {
  return { file: 'config.json', line: 1, column: 1, pointer }
}
