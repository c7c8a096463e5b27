import type { Fields } from '../http/fields.ts'

/** What one case left behind on both ends. */
export interface Play {
  readonly stage: StageFacts
  /** As it went out, every default filled in. */
  readonly sent: Required<SentRequest>
  /** As it went out, every default filled in. */
  readonly answer: Required<ScriptedAnswer>
  /** What the service received, in order. */
  readonly arrivals: readonly Arrival[]
  /** What came back for the last request. */
  readonly reply: Reply
  /** What happened on the way, where the case's manner is about that. */
  readonly events: ReadonlySet<PlayEvent>
}

/** A request as the suite sends it; what is left out is a GET of `_conformance/case` without fields or body. */
export interface SentRequest {
  readonly method?: string
  /** What `path` is added to: default `point`, the point's URL; `bare` is that without its last slash. */
  readonly base?: 'point' | 'bare'
  /** Raw: path and query. */
  readonly path?: string
  /** Beside Host and framing; `{origin}` in a value stands for the point's origin, `{page}` for the page's. */
  readonly fields?: Fields
  /** Latin1 text, one character an octet. */
  readonly body?: string
  /** Default `length`. */
  readonly framing?: 'length' | 'chunked'
}

/** What the service answers; what is left out is a 200 with a short text. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly reason?: string
  /** Beside framing; `{service}` in a value stands for the authority that the service was asked under. */
  readonly fields?: Fields
  /** Latin1 text, one character an octet. */
  readonly body?: string
  /** Default `length`. */
  readonly framing?: 'length' | 'chunked'
}

/** What holds for all cases of a run. */
export interface StageFacts {
  /** URL of the point. */
  readonly point: string
  /** Of the point, `scheme://host[:port]`. */
  readonly origin: string
  /** Of the page that the widget runs on. */
  readonly pageOrigin: string
  /** What the service must see before the path below the point: the prefix, with the cookie path where that is kept. */
  readonly root: string
  /** The authorities that Host may name. */
  readonly serviceAuthorities: readonly string[]
  readonly widgetKey: string
}

export type PlayEvent =
  /** The client had the head while the service still held the body. */
  | 'head-before-body'
  /** The client had half of the body while the service still held the rest. */
  | 'half-before-rest'
  /** The service had some of the body while the client still held the rest. */
  | 'upload-before-end'
  /** The service saw that the client left. */
  | 'departure-seen'
  /** The second request was answered on the connection of the first. */
  | 'connection-kept'
  /** The request was sent again with the Via that the service saw. */
  | 'sent-again'

/** A request as the service received it. */
export interface Arrival {
  /** Counts the connections of the run. */
  readonly connection: number
  readonly method: string
  /** Raw. */
  readonly target: string
  readonly fields: Fields
  /** Latin1 text, one character an octet. */
  readonly body: string
  readonly end: 'complete' | 'cut'
}

export type Reply =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly reason: string
      readonly fields: Fields
      /** Latin1 text, one character an octet. */
      readonly body: string
      readonly end: 'complete' | 'cut'
    }
  /** `code` is Node's, or `timeout`. */
  | { readonly kind: 'none'; readonly code: string }
