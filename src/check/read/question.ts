import type { Fields } from '../../http/fields.ts'

/** What a question is to find out. */
export type Purpose =
  | 'verification'
  | 'forged'
  | 'method'
  | 'redirect'
  | 'set-cookie'
  | 'cookie'
  | 'nonce'
  | 'header-size'
  | 'preflight'
  | 'cors'

/** One request, without the place it goes to. */
export interface Question {
  readonly purpose: Purpose
  /** Stands in the query, so that an answer to another question can be told by it. */
  readonly marker: string
  readonly method: string
  /** What follows the path of the continuation end, raw, query included. */
  readonly rest: string
  readonly fields: Fields
  readonly body: string | undefined
}

/** What the check claims of itself; whoever forwards them lets clients forge the fields. */
export const FORGED = {
  origin: 'https://forged.continuation-point.invalid',
  widgetKey: 'forged-continuation-point-check',
} as const

/** The field names that a preflight asks for; the service repeats them, a front end of its own mind doesn't. */
export const PREFLIGHT_FIELDS = 'content-type, x-continuation-point-check'

/** Whether a target holds a marker, and whose: its own, another question's, or none. */
export function findMarker(target: string): string | undefined {
  return /[?&]check=([\w-]+)/.exec(target)?.[1]
}
