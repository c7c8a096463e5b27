import type { Config } from '../config/config.ts'
import { canParseUrl } from '../http/can-parse-url.ts'
import { toCanonicalUrl } from '../http/requested-path.ts'
import { toDomainKey } from '../site/cookie-scope.ts'

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

/** The same settings as the account returns them; any may be missing. */
export type AccountSettings = { readonly [Name in keyof DerivedSettings]?: DerivedSettings[Name] | undefined }

/** A switch that differs in the account; `undefined` if the account does not return it. */
interface SwitchDifference {
  readonly setting: 'cookie_transfer_enabled' | 'cookie_transfer_proxying' | 'enable_cookie_backtransfer'
  readonly account: boolean | undefined
  readonly config: boolean
}

/** A list that differs in the account. Entries are as each side writes them. */
interface ListDifference<Name, Entry> {
  readonly setting: Name
  /** In the account and not in the config. */
  readonly surplus: readonly Entry[]
  /** In the config and not in the account. */
  readonly missing: readonly Entry[]
}

/** The settings that are compared, in their order. */
export const settingNames = [
  'cookie_transfer_enabled',
  'cookie_transfer_proxying',
  'cookie_transfer_urls',
  'cookie_transfer_scopes',
  'enable_cookie_backtransfer',
] as const satisfies readonly (keyof DerivedSettings)[]

export type SettingDifference =
  | SwitchDifference
  | ListDifference<'cookie_transfer_urls', string>
  | ListDifference<'cookie_transfer_scopes', DerivedScope>

/**
 * Compares the account with the settings of the config; returns one entry for each setting that differs.
 *
 * Lists are compared as sets. URLs compare in canonical form, scopes by name, canonical domain,
 * path and httponly; a path compares byte by byte, as browsers do. A switch that the account leaves out is off.
 */
export function compareSettings(
  account: AccountSettings,
  config: DerivedSettings,
): readonly SettingDifference[] {
  return [
    ...compareSwitch('cookie_transfer_enabled', account, config),
    ...compareSwitch('cookie_transfer_proxying', account, config),
    ...compareList(
      'cookie_transfer_urls',
      account.cookie_transfer_urls,
      config.cookie_transfer_urls,
      toUrlKey,
    ),
    ...compareList(
      'cookie_transfer_scopes',
      account.cookie_transfer_scopes,
      config.cookie_transfer_scopes,
      toScopeKey,
    ),
    ...compareSwitch('enable_cookie_backtransfer', account, config),
  ]
}

function compareSwitch(
  setting: SwitchDifference['setting'],
  account: AccountSettings,
  config: DerivedSettings,
): readonly SwitchDifference[] {
  const difference = { setting, account: account[setting], config: config[setting] }
  return (difference.account ?? false) === difference.config ? [] : [difference]
}

function compareList<Name extends string, Entry>(
  setting: Name,
  account: readonly Entry[] = [],
  config: readonly Entry[],
  toKey: (entry: Entry) => string,
): readonly ListDifference<Name, Entry>[] {
  const [inAccount, inConfig] = [new Set(account.map(toKey)), new Set(config.map(toKey))]
  const surplus = account.filter((entry) => !inConfig.has(toKey(entry)))
  const missing = config.filter((entry) => !inAccount.has(toKey(entry)))
  return surplus.length + missing.length === 0 ? [] : [{ setting, surplus, missing }]
}

function toUrlKey(url: string): string {
  return canParseUrl(url) ? toCanonicalUrl(url).href : url
}

function toScopeKey({ name, domain, path, httponly }: DerivedScope): string {
  return JSON.stringify([name, toDomainKey(domain), path, httponly])
}
