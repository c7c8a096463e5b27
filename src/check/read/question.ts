import type { Fields } from '../../http/fields.ts'

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
  | 'preflight'
  | 'cors'

/** A request, without its destination. */
export interface Question {
  readonly purpose: Purpose
  /** Part of the query, so that an answer to another question can be recognised. */
  readonly marker: string
  readonly method: string
  /** What follows the path of the continuation end, raw, including the query. */
  readonly rest: string
  readonly fields: Fields
  readonly body: string | undefined
}

/** Field values that the check sends as a client. A front end that forwards them lets clients forge the fields. */
export const FORGED = {
  origin: 'https://forged.continuation-point.invalid',
  widgetKey: 'forged-continuation-point-check',
} as const

/** The field names that a preflight asks for; the service repeats them, a front end that answers itself usually doesn't. */
export const PREFLIGHT_FIELDS = 'content-type, x-continuation-point-check'

/** The marker in a request target, if it has one. */
export function findMarker(target: string): string | undefined {
  return /[?&]check=([\w-]+)/.exec(target)?.[1]
}
