import * as v from 'valibot'
import { parseTimestamp } from '../state/timestamp.ts'

/** The scalar values of the API's JSON bodies. */

export const text = v.string('must be a string')

export const filledText = v.pipe(text, v.regex(/\S/, 'must not be blank'))

export const boolean = v.boolean('must be true or false')

export const number = v.pipe(v.number('must be a number'), v.finite('must be a number'))

/** A whole number from `least` to `most`, both included. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  return v.pipe(v.number('must be a whole number'), ...wholeNumber(least, most))
}

/** The further checks of such a number, also for numbers in text. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return [
    v.safeInteger<number, string>('must be a whole number'),
    v.minValue<number, number, string>(least, `must be at least ${least}`),
    v.maxValue<number, number, string>(most, `must be at most ${most}`),
  ] as const
}

export function oneOf<const T extends string>(...choices: readonly T[]) {
  return v.picklist(choices, `must be one of ${choices.join(', ')}`)
}

export const email = v.pipe(
  text,
  v.check((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address'),
  v.metadata({ format: 'email' }),
)

const NO_WEB_URL = 'must be an absolute http or https URL'

export const webUrl = v.pipe(text, v.regex(/^https?:\/\/[^\s]+$/i, NO_WEB_URL), v.url(NO_WEB_URL))

/** Becomes milliseconds since the epoch. */
export const timestamp = v.pipe(
  text,
  v.check(
    (value) => parseTimestamp(value) !== undefined,
    'must be an ISO 8601 timestamp such as 2030-01-31T12:00:00Z',
  ),
  v.metadata({ format: 'date-time' }),
  v.transform((value) => parseTimestamp(value) ?? Number.NaN),
)
