import * as v from 'valibot'
import { findKeyFaults } from '../../config/key-faults.ts'
import type { Path } from '../../config/problem.ts'

/** One thing wrong with a document. The message completes a sentence that begins with the value's name. */
export interface Fault {
  readonly path: Path
  readonly message: string
}

export type Parsed<T> = { readonly value: T } | { readonly faults: readonly Fault[] }

/** What a value has to be: a valibot schema with messages in the service's form. */
export type Schema<T> = v.GenericSchema<unknown, T>

export type Members = Readonly<Record<string, v.GenericSchema>>

export type ValuesOf<M extends Members> = Readonly<v.InferOutput<v.StrictObjectSchema<M, undefined>>>

/** Reads an untrusted value, or finds every fault in it at once. */
export function parse<T>(schema: Schema<T>, value: unknown): Parsed<T> {
  const faults = [...findKeyFaults(schema, value, [])].map(({ kind, path }) => ({
    path,
    message: kind === 'array' ? NO_OBJECT : 'is not known here',
  }))
  const known = new Set(faults.map(({ path }) => JSON.stringify(path)))
  const { success, output, issues = [] } = v.safeParse(schema, value, { abortPipeEarly: true })
  if (success && faults.length === 0) return { value: output }
  const further = issues
    .map(({ path = [], message }): Fault => {
      return { path: path.map(({ key }) => (typeof key === 'number' ? key : String(key))), message }
    })
    .filter(
      ({ path }) => ![...path, ''].some((_, length) => known.has(JSON.stringify(path.slice(0, length)))),
    )
  return { faults: [...faults, ...further] }
}

/** A member that may be left out; `null` is not the same. */
export const { optional, nullable } = v

/** An object with these members and no others. */
export function objectOf<const M extends Members>(members: M): Schema<ValuesOf<M>> {
  return v.strictObject(members, ({ expected }) => (expected === 'Object' ? NO_OBJECT : 'is required'))
}

export function listOf<T>(item: Schema<T>): Schema<readonly T[]> {
  return v.array(item, 'must be an array')
}

export const text = v.string('must be a string')

export const filledText = v.pipe(text, v.regex(/\S/, 'must not be blank'))

export const boolean = v.boolean('must be true or false')

export const number = v.pipe(v.number('must be a number'), v.finite('must be a number'))

/** A whole number from `least` to `most`, both included. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  return v.pipe(
    v.number('must be a whole number'),
    v.safeInteger('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )
}

export function oneOf<const T extends string>(...choices: readonly T[]) {
  return v.picklist(choices, `must be one of ${choices.join(', ')}`)
}

export const email = v.pipe(
  text,
  v.check((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address'),
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
  v.transform((value) => parseTimestamp(value) ?? Number.NaN),
)

/** A time as the service writes it (spec 2): ISO 8601 UTC with microseconds. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/** Parses ISO 8601 to milliseconds since the epoch. **Ours:** a date alone means midnight, and the default zone is UTC. */
export function parseTimestamp(text: string): number | undefined {
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = ISO_8601.exec(text) ?? []
  // Date.parse takes 30 February for 2 March.
  if (date === undefined || !new Date(`${date}T00:00Z`).toJSON()?.startsWith(date)) return undefined
  const seconds = time.length === 5 ? ':00' : ''
  const ms = Date.parse(
    `${date}T${time}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone.replace(/(\d\d):?(\d\d)$/, '$1:$2')}`,
  )
  return Number.isNaN(ms) ? undefined : ms
}

const NO_OBJECT = 'must be a JSON object'

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/
