import type * as v from 'valibot'
import { parseUrl } from '../../http/url.ts'
import type { OptionValues, scope } from './option-values.ts'
import { boolean, filledText, oneOf, type ValuesOf, webUrl } from './schema.ts'

/** A customer of the service: the account itself, or a client of a reseller. Under the service's own names (spec 2.5). */
export interface Company {
  readonly id: number
  readonly client_key: string
  company_name: string
  company_plan_name: string
  rest_key: string
  widget_key: string
  /** In place of `all` in old paths of clients; absent: no reseller. */
  readonly resellerKey: string | undefined
  /** The reseller's company, when this is a client. */
  readonly resellerId: number | undefined
  readonly agent_count: number
  /** Comma-separated patterns. */
  domains: string
  /** What differs from the defaults. */
  options: OptionValues
  readonly agents: Map<number, Agent>
  readonly webhooks: Map<number, Webhook>
}

/** Under the service's own names (spec 2.1). */
export interface Agent {
  readonly agent_id: number
  agent_name: string
  agent_email: string
  role: v.InferOutput<typeof role>
  available: boolean
  readonly online: boolean
  lastLoginMs: number
  /** The one active access token, once one was generated. */
  token?: { readonly text: string; readonly expiresAtMs: number }
}

/** Of an agent (spec 2.1). */
export const role = oneOf('admin', 'manager', 'agent')

/** Under the service's own names (spec 2.7). */
export const webhookMembers = {
  url: webUrl,
  category: filledText,
  enabled: boolean,
  ssl_verification: boolean,
} as const

export type Webhook = ValuesOf<typeof webhookMembers> & { readonly id: number }

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

export function findAgentByEmail({ agents }: Company, email: string): Agent | undefined {
  return [...agents.values()].find((agent) => agent.agent_email.toLowerCase() === email.toLowerCase())
}

/** The agent with this active token (spec 3). */
export function findAgentByToken({ agents }: Company, text: string, nowMs: number): Agent | undefined {
  return [...agents.values()].find(({ token }) => token?.text === text && token.expiresAtMs > nowMs)
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
