import type { CookieTransferScope } from '../api/session-options.ts'
import { parseUrl, toCanonicalUrl } from '../http/url.ts'
import {
  type CookieDomain,
  parseCookieDomain,
  toDomainText,
  toReceivedDomains,
} from '../site/cookie-scope.ts'
import { type AccountSettings, cookieOptions } from './option-schemas.ts'

export type { AccountSettings } from './option-schemas.ts'

/** The canonical hosts that a config owns. */
export type OwnHosts = ReadonlySet<string>

/** A switch that differs in the account; `undefined` if the account does not return it. */
interface SwitchDifference {
  readonly setting: 'cookie_transfer_enabled' | 'cookie_transfer_proxying' | 'enable_cookie_backtransfer'
  readonly account: boolean | undefined
  readonly config: boolean
}

/** A list that differs in the account. Entries are as each side writes them. */
interface ListDifference<Name, Entry> {
  readonly setting: Name
  /** The whole list of the account. */
  readonly account: readonly Entry[] | undefined
  /** In the account and not in the config, on its hosts. */
  readonly surplus: readonly Entry[]
  /** In the config and not in the account. */
  readonly missing: readonly Entry[]
  /** Of the surplus, what the config has in no form: an entry whose spelling or httponly changes stays. */
  readonly removed: readonly Entry[]
  /** What the account should list: first its foreign entries, then those of the config. */
  readonly target: readonly Entry[]
}

/** The settings that are compared, in their order. */
const SETTING_NAMES = Object.keys(cookieOptions) as readonly (keyof typeof cookieOptions)[]

export type SettingDifference =
  | SwitchDifference
  | ListDifference<'cookie_transfer_urls', string>
  | ListDifference<'cookie_transfer_scopes', CookieTransferScope>

/**
 * Compares the account with the settings of the config; returns one entry for each setting that differs.
 *
 * Lists are compared as sets. URLs compare in canonical form, except that the account must write hosts as A-labels.
 * Scopes compare byte by byte: the service looks for the cookies of exactly that domain. A switch that the account
 * leaves out is off, and so is a scope's httponly. What the config leaves out is not compared.
 *
 * @param own the hosts whose entries may be surplus; `all` if every entry may be
 */
export function compareSettings(
  account: AccountSettings,
  config: AccountSettings,
  own: OwnHosts | 'all',
): readonly SettingDifference[] {
  const ownerOf = ownersOf(account, own)
  const urls = {
    isOwn: (url: string) => own === 'all' || own.has(toHost(url) ?? ''),
    identify: toHref,
    toKey: toUrlKey,
  }
  const scopes = {
    isOwn: (scope: CookieTransferScope) => ownerOf(scope) === 'own',
    identify: toCookieKey,
    toKey: ({ name, domain, path, httponly = false }: Partial<CookieTransferScope>) =>
      JSON.stringify([name, domain, path, httponly]),
  }
  return SETTING_NAMES.flatMap((setting): readonly SettingDifference[] => {
    if (setting === 'cookie_transfer_urls')
      return compareList(setting, account[setting], config[setting], urls)
    if (setting === 'cookie_transfer_scopes')
      return compareList(setting, account[setting], config[setting], scopes)
    const [has, wanted] = [account[setting], config[setting]]
    return wanted === undefined || wanted === (has ?? false)
      ? []
      : [{ setting, account: has, config: wanted }]
  })
}

/** How many entries of the account these remove. */
export function countRemoved(differences: readonly SettingDifference[]): number {
  return differences.reduce((sum, each) => sum + ('removed' in each ? each.removed.length : 0), 0)
}

/** An entry of the account that is not in the config and stays, as a text, and why, as a clause. */
export interface LeftAlone {
  readonly what: string
  readonly reason: string
}

/** The cookies of the account that may be those of other hosts. */
export function findLeftAlone(
  account: AccountSettings,
  { cookie_transfer_scopes: wanted }: AccountSettings,
  own: OwnHosts | 'all',
): readonly LeftAlone[] {
  const known = new Set(wanted?.map(toCookieKey))
  const ownerOf = ownersOf(account, own)
  const scopes = wanted === undefined ? [] : (account.cookie_transfer_scopes ?? [])
  const unclaimed = scopes.filter((scope) => ownerOf(scope) === 'anyone' && !known.has(toCookieKey(scope)))
  return unclaimed.map((scope) => ({
    what: renderScope(scope),
    reason: 'other hosts of the account may use it',
  }))
}

/** Whose a scope is, by the hosts that receive it: those of the config, others that the account names, or both. */
function ownersOf(
  { cookie_transfer_urls: urls = [], cookie_transfer_scopes: scopes = [] }: AccountSettings,
  own: OwnHosts | 'all',
): (scope: CookieTransferScope) => 'own' | 'foreign' | 'anyone' {
  if (own === 'all') return () => 'own'
  const parse = ({ domain }: CookieTransferScope) => {
    const parsed = parseCookieDomain(domain)
    return 'fault' in parsed ? undefined : parsed
  }
  const isReceived = receivedBy(own)
  const isOfForeign = receivedBy([
    ...urls.flatMap((url) => toHost(url) ?? []).filter((host) => !own.has(host)),
    ...scopes.flatMap((scope) => parse(scope) ?? []).flatMap((each) => (isReceived(each) ? [] : each.host)),
  ])
  return (scope) => {
    const domain = parse(scope)
    if (domain === undefined) return 'anyone'
    if (!isReceived(domain)) return 'foreign'
    return isOfForeign(domain) ? 'anyone' : 'own'
  }
}

/** Whether one of these hosts receives the cookies of a domain. */
function receivedBy(hosts: Iterable<string>): (domain: CookieDomain) => boolean {
  const domains = new Set([...hosts].flatMap(toReceivedDomains))
  return (domain) => domains.has(toDomainText(domain))
}

function compareList<Name extends string, Entry>(
  setting: Name,
  account: readonly Entry[] | undefined,
  config: readonly Entry[] | undefined,
  entries: {
    readonly isOwn: (entry: Entry) => boolean
    readonly identify: (entry: Entry) => string
    readonly toKey: (entry: Entry) => string
  },
): readonly ListDifference<Name, Entry>[] {
  if (config === undefined) return []
  const { isOwn, identify, toKey } = entries
  const listed = account ?? []
  const [inAccount, inConfig] = [new Set(listed.map(toKey)), new Set(config.map(toKey))]
  const others = listed.filter((entry) => !inConfig.has(toKey(entry)))
  const wanted = new Set(config.map(identify))
  // Another spelling or httponly of what the config has is ours, whoever may use it: there can be only one.
  const isOurs = (entry: Entry) => wanted.has(identify(entry)) || isOwn(entry)
  const surplus = others.filter(isOurs)
  const missing = config.filter((entry) => !inAccount.has(toKey(entry)))
  if (surplus.length + missing.length === 0) return []
  return [
    {
      setting,
      account,
      surplus,
      missing,
      removed: surplus.filter((entry) => !wanted.has(identify(entry))),
      target: [...others.filter((entry) => !isOurs(entry)), ...config],
    },
  ]
}

/** The same text for URLs that are the same to the service, which need not know A-labels. */
export function toUrlKey(url: string): string {
  return /[^\u0000-\u007f]/.test(url) ? url : toHref(url)
}

export function toHref(url: string): string {
  return parseUrl(url) === undefined ? url : toCanonicalUrl(url).href
}

export function toHost(url: string): string | undefined {
  return parseUrl(url)?.hostname
}

export function toDomain(text: string): string {
  const parsed = parseCookieDomain(text)
  return 'fault' in parsed ? text : toDomainText(parsed)
}

/** The same text for scopes of the same cookie. */
export function toCookieKey({ name, domain, path }: CookieTransferScope): string {
  return JSON.stringify([name, toDomain(domain), path])
}

/** A scope on one line. */
export function renderScope({ name, domain, path, httponly }: CookieTransferScope): string {
  return `${name} ${domain} ${path}${httponly ? ' httponly' : ''}`
}
