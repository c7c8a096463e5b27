import { parseTimestamp } from '../state/timestamp.ts'
import { fault, type Parsed, refine, type Shape } from './shape.ts'

/** The scalar values of the API's JSON bodies. */

export const text: Shape<string> = {
  schema: { type: 'string' },
  parse: (value) => (typeof value === 'string' ? { value } : fault('must be a string')),
}

export const filledText = refine(text, { minLength: 1 }, (value) =>
  value.trim() === '' ? { message: 'must not be blank' } : { value },
)

export const boolean: Shape<boolean> = {
  schema: { type: 'boolean' },
  parse: (value) => (typeof value === 'boolean' ? { value } : fault('must be true or false')),
}

export const number: Shape<number> = {
  schema: { type: 'number' },
  parse: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? { value } : fault('must be a number'),
}

/** A whole number from `least` to `most`, both included. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Shape<number> {
  return {
    schema: { type: 'integer', minimum: least, ...(most < Number.MAX_SAFE_INTEGER ? { maximum: most } : {}) },
    parse: (value) => parseInteger(value, least, most),
  }
}

export function oneOf<const T extends string>(...choices: readonly T[]): Shape<T> {
  return {
    schema: { type: 'string', enum: choices },
    parse(value) {
      const choice = choices.find((each) => each === value)
      return choice === undefined ? fault(`must be one of ${choices.join(', ')}`) : { value: choice }
    },
  }
}

export const email = refine(text, { format: 'email' }, (value) =>
  /^[^\s@]+@[^\s@]+$/.test(value) ? { value } : { message: 'must be an e-mail address' },
)

export const webUrl = refine(text, { format: 'uri' }, (value) =>
  /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value)
    ? { value }
    : { message: 'must be an absolute http or https URL' },
)

/** Read to milliseconds since the epoch. */
export const timestamp: Shape<number> = refine(text, { format: 'date-time' }, (value) => {
  const ms = parseTimestamp(value)
  return ms === undefined
    ? { message: 'must be an ISO 8601 timestamp such as 2030-01-31T12:00:00Z' }
    : { value: ms }
})

function parseInteger(value: unknown, least: number, most: number): Parsed<number> {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return fault('must be a whole number')
  if (value < least) return fault(`must be at least ${least}`)
  return value > most ? fault(`must be at most ${most}`) : { value }
}
