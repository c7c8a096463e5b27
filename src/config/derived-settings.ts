import type { Config } from './config.ts'

/** A cookie to transfer as the service's settings write it. */
export interface DerivedScope {
  readonly name: string
  /** A leading dot means a domain cookie, none a host-only cookie. */
  readonly domain: string
  readonly path: string
  readonly httponly: boolean
}

/** What the account must say for the points of a config to work, under the service's own names. */
export interface DerivedSettings {
  readonly cookie_transfer_enabled: boolean
  readonly cookie_transfer_proxying: boolean
  readonly cookie_transfer_urls: readonly string[]
  readonly cookie_transfer_scopes: readonly DerivedScope[]
  readonly enable_cookie_backtransfer: boolean
}

/**
 * Derives the account's settings from the config, so that nobody writes them twice. URLs and scopes stand as they are
 * written; whether they are good ones is for `points` and `check` to say.
 *
 * Continuation needs both switches on (the service's specification, section 4.9, rule 10).
 */
export function toDerivedSettings({
  points,
  cookies,
  backTransfer,
}: Pick<Config, 'points' | 'cookies' | 'backTransfer'>): DerivedSettings {
  return {
    cookie_transfer_enabled: true,
    cookie_transfer_proxying: true,
    cookie_transfer_urls: points.map(({ url }) => url),
    cookie_transfer_scopes: cookies.map(({ name, domain, path, httponly }) => ({
      name,
      domain,
      path,
      httponly,
    })),
    enable_cookie_backtransfer: backTransfer,
  }
}
