import type { Config } from './config.ts'

/** A cookie to transfer as the service's settings write it. */
export interface DerivedScope {
  readonly name: string
  /** A leading dot means a domain cookie, none a host-only cookie. */
  readonly domain: string
  readonly path: string
  readonly httponly: boolean
}

/** The settings that the account must have for the points of a config to work, under the service's names. */
export interface DerivedSettings {
  readonly cookie_transfer_enabled: boolean
  readonly cookie_transfer_proxying: boolean
  readonly cookie_transfer_urls: readonly string[]
  readonly cookie_transfer_scopes: readonly DerivedScope[]
  readonly enable_cookie_backtransfer: boolean
}

/**
 * Derives the account's settings from the config, so that they need not be written twice. URLs and scopes are taken as
 * written; `points` and `check` validate them.
 *
 * Continuation needs both switches (the service's specification, section 4.9, rule 10).
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
