import type { FrontEndName } from './front-end-names.ts'
import type { Location } from './problem.ts'
import type { SecretReference } from './secret.ts'

export type { Location, Problem } from './problem.ts'

/** A continuation point as written; `points` and `check` validate its URL. */
export interface PointConfig {
  readonly url: string
  readonly widgetKey: SecretReference | undefined
  /** REST key of the account that the widget key of this point belongs to. */
  readonly apiKey: SecretReference | undefined
  /** `company_plan_name` of that account. */
  readonly plan?: string | undefined
  readonly location: Location
}

/** The options that a plan of the service fixes, under the service's names. */
export interface PlanConfig {
  readonly name: string
  readonly fixes: {
    readonly cookie_transfer_enabled?: boolean | undefined
    readonly cookie_transfer_proxying?: boolean | undefined
    readonly enable_cookie_backtransfer?: boolean | undefined
  }
  readonly location: Location
}

export interface PageConfig {
  readonly url: string
  readonly location: Location
}

/** One cookie scope (an element of the service's `cookie_transfer_scopes`). */
export interface CookieConfig {
  readonly name: string
  /** As written: a leading dot means a domain cookie, none a host-only cookie. */
  readonly domain: string
  readonly path: string
  readonly httponly: boolean
  /** Hints for the checker; the service's scopes do not carry them. */
  readonly secure: boolean | undefined
  readonly sameSite: 'Strict' | 'Lax' | 'None' | undefined
  readonly location: Location
}

export interface ServiceConfig {
  /** The service's origin, `https://host[:port]`, without a path. May be absent if points are only checked. */
  readonly url: string | undefined
  /** REST root without trailing slash; absent if neither it nor `url` is set. */
  readonly api: string | undefined
  /** Path segment of the continuation end, with both slashes. */
  readonly prefix: string
  readonly keepCookiePath: boolean
  /** Extra trust (PEM) for an https service. */
  readonly ca: SecretReference | undefined
  /** Location of `url`; without one, of the section. */
  readonly location: Location
}

export interface ForwardConfig {
  readonly cookies: 'all' | 'scoped'
  readonly alsoCookies: readonly string[]
  readonly clientAddress: 'append' | 'omit'
}

export interface ListenConfig {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** `loopback`, `private` or CIDR blocks whose X-Forwarded-* and Forwarded fields are trusted. */
  readonly trustedProxies: readonly string[]
  readonly tls: { readonly cert: SecretReference; readonly key: SecretReference } | undefined
}

export interface AdminConfig {
  readonly host: string
  readonly port: number
  /** If the default port is in use, another one may be picked. */
  readonly portIsDefault: boolean
  /** Whether the metrics have histograms for each point. */
  readonly pointHistograms: boolean
}

export interface TimeoutsConfig {
  /** DNS, TCP and TLS to the service together. */
  readonly connectMs: number
  /** The wait for a response head after the request was sent. */
  readonly headersMs: number
  /** Time without progress of either side; also the limit for a whole request head. */
  readonly idleMs: number
  /** The time between SIGTERM and a hard stop. */
  readonly drainMs: number
  /** How long a connection to the service is used for new requests. */
  readonly connectionAgeMs: number
}

export interface LimitsConfig {
  readonly headerBytes: number
  readonly bodyBytes: number | undefined
  /** `auto`: as many as there is memory for, see `serve/capacity`. */
  readonly concurrentRequests: number | 'auto'
  readonly upstreamConnections: number
}

export interface MonitorConfig {
  /** From the start of one run to the start of the next. */
  readonly everyMs: number
  /** A URL. It is a secret: anyone who knows it can call it. */
  readonly webhook: SecretReference | undefined
}

export interface LogConfig {
  readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly access: boolean
  readonly clientAddress: 'omit' | 'truncated' | 'full'
}

/** A receiver of the service's events. */
export interface WebhookConfig {
  /** The receiver's URL, which holds a secret. */
  readonly url: SecretReference
  readonly events: readonly string[]
  readonly location: Location
}

export interface SuppressConfig {
  readonly rule: string
  readonly match: string | undefined
  readonly reason: string
  readonly location: Location
}

/** The whole config after parsing: defaults filled in, durations in milliseconds, secrets still references. */
export interface Config {
  readonly service: ServiceConfig
  readonly widgetKey: SecretReference | undefined
  readonly apiKey: SecretReference | undefined
  readonly points: readonly PointConfig[]
  /** Location of the list itself, for problems with an empty list. */
  readonly pointsLocation: Location
  readonly plans: readonly PlanConfig[]
  readonly pages: readonly PageConfig[]
  readonly cookies: readonly CookieConfig[]
  /** Absent without `cookies`: the account's scopes are then not compared. */
  readonly cookiesLocation: Location | undefined
  /** If absent, the account's is not compared. */
  readonly backTransfer: boolean | undefined
  /** What is in front of the site. */
  readonly frontEnd: FrontEndName | undefined
  readonly forward: ForwardConfig
  readonly listen: ListenConfig
  readonly admin: AdminConfig | undefined
  readonly timeouts: TimeoutsConfig
  readonly limits: LimitsConfig
  readonly workers: number | 'auto'
  readonly monitor: MonitorConfig
  readonly log: LogConfig
  readonly suppress: readonly SuppressConfig[]
  /** All webhooks that the account should have; if absent, they are not compared. */
  readonly webhooks: readonly WebhookConfig[] | undefined
}
