import type * as v from 'valibot'
import { parseUrl } from '../../http/parse-url.ts'
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
  return {
    widgetKey: 'demo-widget-key',
    apiKey: 'demo-api-key',
    settings: {
      cookie_transfer_enabled: true,
      cookie_transfer_proxying: true,
      cookie_transfer_urls: [],
      cookie_transfer_scopes: [],
      enable_cookie_backtransfer: false,
      ...settings,
    },
  }
}

/** The account's continuation URLs with this origin, in canonical form. Entries that are not URLs are skipped. */
export function listedUrls({ settings }: Account, origin: string): readonly string[] {
  return settings.cookie_transfer_urls
    .flatMap((url) => parseUrl(url) ?? [])
    .filter((url) => url.origin === origin)
    .map((url) => url.href)
}
