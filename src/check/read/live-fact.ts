import type { Point } from '../../points/point.ts'
import type { Connection, ProbeReply, Resolution } from '../../probe/probe.ts'
import type { Purpose, Question } from './question.ts'

/** What was observed of one continuation point from outside. */
export interface LiveFact {
  readonly point: Point
  /** When it was observed, in milliseconds since the epoch. */
  readonly observedAtMs: number
  readonly reach: Reach
  /** In the order of asking; only of questions that were asked. */
  readonly observations: readonly Observation[]
  /** The service's direct answers to the verification question, without the point. */
  readonly direct: DirectFact
  /** `host[:port]` of `service.url`, when the config names it. */
  readonly serviceAuthority: string | undefined
  /** SHA-256 of the widget key that the config has for this point; the key itself is sent to the service only. */
  readonly widgetKeySha256: string | undefined
  /** The path of the continuation end at the service, `/service_cookie_transfer/`. */
  readonly servicePath: string
}

/** How far a connection got, address by address. */
export interface Reach {
  readonly resolution: Resolution
  readonly attempts: readonly { readonly address: string; readonly connection: Connection }[]
}

/** A question to the point and what came back. */
export interface Observation {
  readonly question: Question
  readonly reply: ProbeReply
  /** The service's direct answer to the same question; asked for only if the service doesn't report what arrived. */
  readonly direct: ProbeReply | undefined
}

export type DirectFact =
  | {
      readonly kind: 'asked'
      /** With the right fields, twice: differences between the two say nothing about the point. */
      readonly right: ProbeReply
      readonly again: ProbeReply
      readonly wrongOrigin: ProbeReply
      readonly wrongKey: ProbeReply
      /** With neither field. */
      readonly bare: ProbeReply
    }
  /** Without the fields, or not at all. `settle`: what the user can do to make the check conclusive, as a clause. */
  | { readonly kind: 'not-asked'; readonly bare: ProbeReply | undefined; readonly settle: string }

/** The observations of questions with these purposes, in the order of asking. */
export function observationsFor(fact: LiveFact, ...purposes: readonly Purpose[]): readonly Observation[] {
  return fact.observations.filter(({ question }) => purposes.includes(question.purpose))
}

/** The reply to the first question, the verification page's. */
export function verificationReply(fact: LiveFact): ProbeReply | undefined {
  return observationsFor(fact, 'verification')[0]?.reply
}
