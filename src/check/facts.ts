import type { AccountFact } from '../account/read-account.ts'
import type { CookieConfig } from '../config/config.ts'
import type { Location } from '../config/problem.ts'
import type { FrontEndName } from '../config/schema.ts'
import type { Point } from '../points/point.ts'
import type { JudgedScope } from '../site/cookie-scope.ts'
import type { AskedPage } from './given-points.ts'
import type { PagesBySite, ParsedUrl } from './parsed-url.ts'
import type { LiveFact } from './read/live-fact.ts'
import type { PageVisit } from './read/page-visit.ts'
import type { SuppressionFact } from './suppression.ts'

export interface PointFact {
  /** The URL as written, without credentials and query. */
  readonly shown: string
  readonly location: Location
  /** Why the URL is not a continuation point. */
  readonly fault: { readonly kind: 'invalid' | 'prefix'; readonly reason: string } | undefined
  /** Absent when the fault is `invalid`. */
  readonly parsed: ParsedUrl | undefined
  /** Absent when there is a fault. */
  readonly point: Point | undefined
  /** An earlier point with the same normalised URL. */
  readonly duplicateOf: PointFact | undefined
}

/** A point or page whose URL could be read. */
export type Readable<Fact extends PointFact | PageFact> = Fact & { readonly parsed: ParsedUrl }

/** A point whose URL has no fault. */
export type SoundPoint = Readable<PointFact> & { readonly point: Point }

export function isSound(fact: PointFact): fact is SoundPoint {
  return fact.point !== undefined
}

export interface PageFact {
  readonly shown: string
  readonly location: Location
  /** Why this can't be the URL of a page, as a clause. */
  readonly fault: string | undefined
  readonly parsed: ParsedUrl | undefined
}

export interface CookieFact {
  readonly config: CookieConfig
  readonly judged: JudgedScope
  /** An earlier cookie with the same name, domain and path. */
  readonly duplicateOf: CookieFact | undefined
  readonly carriage: Carriage
}

/** How far a cookie gets, and through which points. Each kind but `sent` is the first obstacle on its way. */
export interface Carriage {
  readonly kind: 'unstorable' | 'no-host' | 'no-path' | 'insecure' | 'depends' | 'sent'
  /** Points on the right host, whatever their path. */
  readonly onHost: readonly PointFact[]
  /** Points that certainly receive it. */
  readonly sure: readonly PointFact[]
  /** Points that may receive it, depending on its Secure or SameSite attribute. */
  readonly maybe: readonly PointFact[]
}

/** Everything that rules may look at, gathered before the first one runs. */
export interface Facts {
  /** Path segment of the continuation end, with both slashes. */
  readonly prefix: string
  readonly points: readonly PointFact[]
  /** The canonical URLs of the config's own points, if other points were given in their place. */
  readonly ownUrls?: ReadonlySet<string> | undefined
  /** Pages of the command line, for each of which a point is asked. */
  readonly askedPages?: readonly AskedPage[] | undefined
  readonly pages: readonly PageFact[]
  readonly pagesBySite: PagesBySite
  readonly cookies: readonly CookieFact[]
  readonly service: { readonly parsed: ParsedUrl; readonly location: Location } | undefined
  readonly serveAuthority?: LiveFact['serveAuthority']
  /** The root of the REST API, without a trailing slash. */
  readonly api?: { readonly url: string; readonly location: Location } | undefined
  readonly backTransfer: boolean
  /** What is in front of the site, if the config says so. */
  readonly frontEnd?: FrontEndName | undefined
  /** What was observed of the points that were asked; absent in an offline check. */
  readonly live: ReadonlyMap<PointFact, LiveFact> | undefined
  /** What a visit to each page showed; absent when no pages were visited. */
  readonly pageVisits?: ReadonlyMap<PageFact, PageVisit>
  /** Absent when it was not read. */
  readonly account: AccountFact | undefined
  /** Empty until the rules have run; then in the order of the config. */
  readonly suppressions: readonly SuppressionFact[]
}
