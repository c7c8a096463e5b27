import type { Point } from '../../points/point.ts'
import type { Connection, ProbeReply, ProbeRequest, Resolution } from '../../probe/probe.ts'
import type { StandInReport } from './stand-in.ts'

/** What was observed of one continuation point from outside. */
export interface LiveFact {
  readonly point: Point
  /** When it was observed, in milliseconds since the epoch. */
  readonly observedAtMs: number
  readonly reach: Reach
  /** In the order of asking; only of questions that were asked. */
  readonly observations: readonly Observation[]
  /** The service's own answers to the verification question: right twice, since what differs between the two says nothing. */
  readonly direct?:
    | Readonly<Record<'right' | 'again' | 'wrongOrigin' | 'wrongKey' | 'noOrigin' | 'noKey', Reply>>
    | undefined
  /** The same with neither field. */
  readonly bare?: Reply | undefined
  /** `host[:port]` of `service.url`, when the config names it. */
  readonly serviceAuthority: string | undefined
  /** `host:port` at which a front end reaches continuation-point, by the config. */
  readonly serveAuthority?: string | undefined
  /** SHA-256 of the widget key that the config has for this point; the key itself is sent to the service only. */
  readonly widgetKeySha256: string | undefined
  /** The same of the REST key, which is easily taken for it. */
  readonly restKeySha256?: string | undefined
  /** The path of the continuation end at the service, `/service_cookie_transfer/`. */
  readonly servicePath: string
  /** What was asked outside of every point: the page itself, a path beside the prefix, and a made-up path. */
  readonly outside?: readonly Observation[]
  /** The same at each further address of the host, of which the first question alone was asked. */
  readonly elsewhere?: readonly LiveFact[]
}

/** A reply, with no more of its body than rules read. */
export type Reply = ProbeReply & {
  /** What the body reports, if it is the stand-in's. */
  readonly standIn?: StandInReport | undefined
}

/** How far a connection got, address by address. */
export interface Reach {
  readonly resolution: Resolution
  readonly attempts: readonly { readonly address: string; readonly connection: Connection }[]
}

export interface Observation {
  readonly question: Question
  readonly reply: Reply
  /** The service's direct answer to the same question; asked for only if the service doesn't report what arrived. */
  readonly direct: Reply | undefined
  /** With a direct answer: those to the same question, each with one aspect changed. */
  readonly contrasts?: readonly Contrast[]
  /** What continuation-point says of the question, if it is behind the front end. */
  readonly vouched?: Vouched | undefined
  /** The other times that it was asked, because something other than the service answered. */
  readonly attempts?: readonly Observation[]
}

/** The parts of a question that continuation-point compares with what arrives and goes on. */
export const PARTS = ['method', 'path', 'query', 'cookies', 'fields', 'key', 'body'] as const

/** What continuation-point, behind the front end, vouches for. Only `check` with the config of the point gets it. */
export type Vouched =
  /** The answer to another question came back. */
  | { readonly kind: 'stored' }
  | {
      readonly kind: 'fresh'
      /** Whether each part arrived as it was sent; absent where that can't be said. */
      readonly arrived: Readonly<Partial<Record<(typeof PARTS)[number], boolean | undefined>>>
      /** Whether the widget key that goes on is the one of the config, if that has one. */
      readonly isConfigsKey: boolean | undefined
      /** The status that it passed back. */
      readonly status: number
      readonly setCookies: Back
      readonly locations: Back
    }

/** The lines of a field that continuation-point passed back. */
export interface Back {
  readonly passed: number
  /** How many of them came back as they were. */
  readonly unchanged: number
  /** Whether all did, and in their order. */
  readonly isWhole: boolean
}

/** What may be lost or changed on the way. */
export type Aspect = 'host' | 'method' | 'path' | 'query' | 'body' | 'cookie'

export interface Contrast {
  readonly aspect: Aspect
  /** Of the verification question: the path that was asked in place of its own. */
  readonly path?: string
  readonly reply: Reply
}

/** What a question is meant to find out. */
export type Purpose =
  | 'verification'
  | 'forged'
  | 'method'
  | 'redirect'
  | 'set-cookie'
  | 'cookie'
  | 'nonce'
  | 'header-size'
  | 'body-size'
  | 'long-answer'
  | 'error'
  | 'file'
  | 'outside'
  | 'preflight'
  | 'response-size'
  | 'cors'

/** A request, without its destination. */
export interface Question extends Omit<ProbeRequest, 'target' | 'host'> {
  readonly purpose: Purpose
  /** Part of the query, so that an answer to another question can be recognised. */
  readonly marker: string
  /** What follows the path of the continuation end, raw, including the query; outside of points the whole target. */
  readonly rest: string
}

/** Field values that the check sends as a client. A front end that forwards them lets clients forge the fields. */
export const FORGED = {
  origin: 'https://forged.continuation-point.invalid',
  widgetKey: 'forged-continuation-point-check',
} as const

/** An origin that no website has. The check asks with it whether any website may use the point. */
export const STRANGER_ORIGIN = 'https://stranger.continuation-point.invalid'

/** The field names that a preflight asks for; the service repeats them, a front end that answers itself usually doesn't. */
export const PREFLIGHT_FIELDS = 'content-type, x-continuation-point-check'

/** The first address that accepted a connection. */
export function openAddress({ attempts }: Reach): string | undefined {
  return attempts.find(({ connection }) => connection.kind === 'open')?.address
}

/** Whether a browser can connect at every address, as far as was observed. */
export function isOpenToBrowsers(reach: Reach): boolean {
  const isBadlyCertified = reach.attempts.some(({ connection }) =>
    connection.kind === 'open' ? connection.certificate?.fault !== undefined : connection.cause === 'tls',
  )
  return openAddress(reach) !== undefined && findRefusals(reach).length === 0 && !isBadlyCertified
}

/** The addresses that refuse; none on loopback if the other address of this machine accepts, or timed out and so may accept. */
export function findRefusals({ resolution, attempts }: Reach): Reach['attempts'] {
  const isLoopback = resolution.kind === 'resolved' && resolution.isLoopback
  const mayAccept = attempts.some(
    ({ connection }) => accepts(connection) || causeOf(connection) === 'timeout',
  )
  if (isLoopback && mayAccept) return []
  return attempts.filter(({ connection }) => causeOf(connection) === 'refused')
}

/** Whether the address accepts TCP connections, even if TLS fails. */
export function accepts(connection: Connection): boolean {
  return connection.kind === 'open' || connection.cause === 'tls'
}

function causeOf(connection: Connection): string | undefined {
  return connection.kind === 'open' ? undefined : connection.cause
}
