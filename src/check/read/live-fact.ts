import type { Point } from '../../points/point.ts'
import type { Connection, Reply, Resolution } from '../../probe/probe.ts'
import type { Purpose, Question } from './question.ts'

/** What was observed of one continuation point from outside. */
export interface LiveFact {
  readonly point: Point
  /** When it was observed, in milliseconds since the epoch. */
  readonly observedAtMs: number
  readonly reach: Reach
  /** In the order of asking; what was not asked is not there. */
  readonly observations: readonly Observation[]
  /** What the service says to the verification question when it is asked without the point. */
  readonly direct: DirectFact
  /** `host[:port]` of `service.url`, when the config names it. */
  readonly serviceAuthority: string | undefined
  /** SHA-256 of the widget key that the config has for this point; the key itself goes to the service alone. */
  readonly widgetKeySha256: string | undefined
  /** Where the service has the continuation end of this point, `/service_cookie_transfer/`. */
  readonly servicePath: string
}

/** How far a connection got, address by address. */
export interface Reach {
  readonly resolution: Resolution
  readonly attempts: readonly { readonly address: string; readonly connection: Connection }[]
}

export interface Observation {
  readonly question: Question
  readonly reply: Reply
  /** The service's own answer to the same question; asked only where the service does not say what arrived. */
  readonly direct: Reply | undefined
}

export type DirectFact =
  | {
      readonly kind: 'asked'
      /** With the right fields, twice: what differs between the two differs by itself. */
      readonly right: Reply
      readonly again: Reply
      readonly wrongOrigin: Reply
      readonly wrongKey: Reply
      /** With neither field. */
      readonly bare: Reply
    }
  /** Not with the right fields, and perhaps with none; `settle`: what would let the check tell, as a clause. */
  | { readonly kind: 'not-asked'; readonly bare: Reply | undefined; readonly settle: string }

/** The exchanges that had this purpose, in the order of asking. */
export function observationsFor(fact: LiveFact, ...purposes: readonly Purpose[]): readonly Observation[] {
  return fact.observations.filter(({ question }) => purposes.includes(question.purpose))
}

/** The reply to the first question, the verification page's. */
export function verificationReply(fact: LiveFact): Reply | undefined {
  return observationsFor(fact, 'verification')[0]?.reply
}
