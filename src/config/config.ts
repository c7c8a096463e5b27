import type { FrontEndName } from './front-end-names.ts'
import type { Location } from './problem.ts'
import type { WrittenConfig } from './schema.ts'
import type { SecretReference } from './secret.ts'

export type { Location, Problem } from './problem.ts'

/** A part of the config file that is kept as written, with its defaults. */
type Written<Part extends keyof WrittenConfig> = Frozen<NonNullable<WrittenConfig[Part]>>

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

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
  readonly fixes: Written<'plans'>[string]
  readonly location: Location
}

export interface PageConfig {
  readonly url: string
  readonly location: Location
}

/** One cookie scope (an element of the service's `cookie_transfer_scopes`), and what the checker is told of the cookie. */
export type CookieConfig = Written<'cookies'>[number] & { readonly location: Location }

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

export type ForwardConfig = Written<'forward'>

export interface ListenConfig extends Omit<Written<'listen'>, 'tls'> {
  readonly tls: { readonly cert: SecretReference; readonly key: SecretReference } | undefined
}

export interface AdminConfig extends Written<'admin'> {
  /** If the default port is in use, another one may be picked. */
  readonly portIsDefault: boolean
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

export interface LimitsConfig extends Omit<Written<'limits'>, 'bodyBytes'> {
  readonly bodyBytes: number | undefined
}

export interface MonitorConfig {
  /** From the start of one run to the start of the next. */
  readonly everyMs: number
  /** A URL. It is a secret: anyone who knows it can call it. */
  readonly webhook: SecretReference | undefined
}

export type LogConfig = Written<'log'>

/** A receiver of the service's events. */
export interface WebhookConfig {
  /** The receiver's URL, which holds a secret. */
  readonly url: SecretReference
  readonly events: readonly string[]
  readonly location: Location
}

export type SuppressConfig = Written<'suppress'>[number] & { readonly location: Location }

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
