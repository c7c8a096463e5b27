import type { CookieConfig } from '../config/config.ts'
import type { DerivedSettings } from '../config/derived-settings.ts'
import type { Location } from '../config/problem.ts'
import type { AccountSettings } from '../config/settings-difference.ts'
import type { Point } from '../points/point.ts'
import type { JudgedScope } from '../site/cookie-scope.ts'
import type { ParsedUrl } from './parsed-url.ts'
import type { LiveFact } from './read/live-fact.ts'
import type { PageVisit } from './read/page-visit.ts'

export interface PointFact {
  /** The URL as written, without credentials and query. */
  readonly shown: string
  readonly location: Location
  /** Why the URL is no continuation point. */
  readonly fault: { readonly kind: 'invalid' | 'prefix'; readonly reason: string } | undefined
  /** Absent when the fault is `invalid`. */
  readonly parsed: ParsedUrl | undefined
  /** Absent when there is a fault. */
  readonly point: Point | undefined
  /** The point that stands before this one with the same normalised URL. */
  readonly duplicateOf: PointFact | undefined
}

export type ReadablePoint = PointFact & { readonly parsed: ParsedUrl }

export interface PageFact {
  readonly shown: string
  readonly location: Location
  /** Why no page can have this URL, as a clause. */
  readonly fault: string | undefined
  readonly parsed: ParsedUrl | undefined
}

export type ReadablePage = PageFact & { readonly parsed: ParsedUrl }

export interface CookieFact {
  readonly config: CookieConfig
  readonly judged: JudgedScope
  /** The cookie that stands before this one with the same name, domain and path. */
  readonly duplicateOf: CookieFact | undefined
  readonly carriage: Carriage
}

/**
 * How far one cookie gets, and through which points. Each kind is the first obstacle on the way: no browser stores
 * it, no point on its host, none on its path, only plain http for a Secure one, or something that the scope can't tell.
 */
export interface Carriage {
  readonly kind: 'unstorable' | 'no-host' | 'no-path' | 'insecure' | 'depends' | 'sent'
  /** Points on the right host, whatever their path. */
  readonly onHost: readonly PointFact[]
  /** Points that surely receive it. */
  readonly sure: readonly PointFact[]
  /** Points that receive it or not, by its Secure or SameSite attribute. */
  readonly maybe: readonly PointFact[]
}

export interface ServiceFact {
  readonly parsed: ParsedUrl
  readonly location: Location
}

/** What an account says, against what the config wants it to say. */
export interface AccountFact {
  /** How it is told from the others; absent when there is one account alone. */
  readonly name: string | undefined
  /** Numbers of its points in the config. */
  readonly points: readonly number[]
  /** Where its REST key stands, or would stand: `apiKey`, `points[2].apiKey`. */
  readonly setting: string
  readonly location: Location
  readonly said: AccountSaid
}

export type AccountSaid =
  | {
      readonly kind: 'options'
      readonly options: AccountSettings
      readonly wanted: DerivedSettings
      /** `both`: the REST key and the widget key gave the same. */
      readonly keys: 'both' | 'one'
    }
  /** The REST key and the widget key gave two accounts. */
  | { readonly kind: 'two' }
  /** `reason`: why it could not be read, and the next step, as a clause. */
  | { readonly kind: 'unread'; readonly reason: string }

/** What became of one suppression. `not-run`: its rule gave nothing to suppress, because it did not run. */
export interface SuppressionFact {
  readonly rule: string
  readonly match: string | undefined
  readonly location: Location
  readonly state: 'used' | 'unused' | 'not-run' | 'unknown-rule'
}

/** Everything that rules may look at, gathered before the first one runs. */
export interface Facts {
  /** Path segment of the continuation end, with both slashes. */
  readonly prefix: string
  readonly points: readonly PointFact[]
  readonly pages: readonly PageFact[]
  /** The readable pages by site key; empty when no page is known. */
  readonly pagesBySite: ReadonlyMap<string, readonly ParsedUrl[]>
  readonly cookies: readonly CookieFact[]
  readonly service: ServiceFact | undefined
  readonly backTransfer: boolean
  /** What was observed of the points that were asked; absent when the check is offline. */
  readonly live: ReadonlyMap<PointFact, LiveFact> | undefined
  /** What the pages that were asked answered; absent when none was to be asked. */
  readonly pageVisits?: ReadonlyMap<PageFact, PageVisit>
  /** Absent when nobody was to ask for them. */
  readonly accounts: readonly AccountFact[] | undefined
  /** Empty until the rules ran; then in the order of the config. */
  readonly suppressions: readonly SuppressionFact[]
}
