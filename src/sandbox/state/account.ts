import type * as v from 'valibot'
import { canParseUrl } from '../../http/can-parse-url.ts'
import type { scope } from '../options/option-table.ts'

export type CookieScope = v.InferOutput<typeof scope>

/** The settings that continuation reads, under the service's own names (spec 2.4 and 4.9). */
export interface Settings {
  readonly cookie_transfer_enabled: boolean
  readonly cookie_transfer_proxying: boolean
  readonly cookie_transfer_urls: readonly string[]
  readonly cookie_transfer_scopes: readonly CookieScope[]
  readonly enable_cookie_backtransfer: boolean
}

export interface Account {
  readonly widgetKey: string
  readonly apiKey: string
  readonly settings: Settings
}

/** The stand-in's own account. **Ours:** settings that are left out are on if continuation needs them, else empty or off. */
export function demoAccount(settings: Partial<Settings> = {}): Account {
  return { ...DEMO_KEYS, settings: { ...DEFAULT_SETTINGS, ...settings } }
}

/** The account's continuation URLs with this origin, in canonical form. Entries that are not URLs are skipped. */
export function listedUrls(account: Account, origin: string): readonly string[] {
  return parsedUrls(account)
    .filter((url) => url.origin === origin)
    .map((url) => url.href)
}

/** Whether a page of this origin may read the answers. **Ours:** where sessions start, a point is (spec 4.9, rule 6). */
export function isPageOrigin(account: Account, origin: string): boolean {
  return parsedUrls(account).some((url) => url.origin === origin)
}

function parsedUrls(account: Account): readonly URL[] {
  return account.settings.cookie_transfer_urls.filter((url) => canParseUrl(url)).map((url) => new URL(url))
}

const DEMO_KEYS = { widgetKey: 'demo-widget-key', apiKey: 'demo-api-key' } as const

const DEFAULT_SETTINGS: Settings = {
  cookie_transfer_enabled: true,
  cookie_transfer_proxying: true,
  cookie_transfer_urls: [],
  cookie_transfer_scopes: [],
  enable_cookie_backtransfer: false,
}
