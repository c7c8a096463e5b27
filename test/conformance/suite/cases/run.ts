import type { Fields } from '../../../../src/http/fields.ts'
import type { Point } from '../../../../src/points/point.ts'

/** What both ends observed of one case. */
export interface CaseRun {
  readonly facts: RunFacts
  /** As sent, with all defaults. */
  readonly sent: Required<SentRequest>
  /** As sent, with all defaults. */
  readonly response: Required<ScriptedResponse>
  /** What the service received, in order. */
  readonly arrivals: readonly Arrival[]
  /** The result of the last request. */
  readonly reply: CaseResponse
  /** Whether what the manner of the case is about happened: see `Manner`. */
  readonly happened: boolean
}

/** What both kinds of message have. */
interface Content {
  /**
   * Besides Host and framing. In a value `{service}` stands for the authority of the request to the service, `{origin}` for
   * the point's origin, `{page}` for the page's.
   */
  readonly fields?: Fields
  /** Latin1 text, one character for each octet. */
  readonly body?: string
  /** Default `length`. */
  readonly framing?: 'length' | 'chunked'
}

/** A request of the suite; the default is a GET of `_conformance/case` without fields and body. */
export interface SentRequest extends Content {
  readonly method?: string
  /** The base of `path`: by default `point`, the point's URL; `bare` is that without its last slash. */
  readonly base?: 'point' | 'bare'
  /** Raw: path and query. */
  readonly path?: string
}

/** The response of the service; the default is a 200 with a short text. */
export interface ScriptedResponse extends Content {
  readonly status?: number
  /** Default: the one of the status. */
  readonly reason?: string
}

/** Facts common to all cases of a run. */
export interface RunFacts {
  readonly point: Pick<Point, 'url' | 'origin' | 'authority' | 'path'>
  /** Origin of the page with the widget. */
  readonly pageOrigin: string
  /** What the service must receive before the path below the point: the prefix, with the cookie path if that is kept. */
  readonly root: string
  /** The authorities that Host may name. */
  readonly serviceAuthorities: readonly string[]
  readonly widgetKey: string
}

/** A message as either end received it. */
interface Received {
  readonly fields: Fields
  /** Latin1 text, one character for each octet. */
  readonly body: string
  readonly end: 'complete' | 'cut'
}

/** A request as the service received it. */
export interface Arrival extends Received {
  /** Number of the connection in this run. */
  readonly connection: number
  readonly method: string
  /** Raw. */
  readonly target: string
}

/** `code` is Node's, or `timeout`. */
export type CaseResponse =
  | (Received & { readonly kind: 'response'; readonly status: number; readonly reason: string })
  | { readonly kind: 'none'; readonly code: string }
