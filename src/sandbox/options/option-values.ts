import type * as v from 'valibot'
import { type Fault, optional, type Parsed, type Schema } from '../schema/schema.ts'
import { canonicalName, type SessionOption, sessionOptions } from './option-table.ts'

/** Option values under canonical names; absent ones have their default. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Which names an answer uses. */
export type OptionNames = 'both' | 'a' | 'b'

/** Every option by every name, for the request bodies that accept options. */
export const optionMembers: Readonly<Record<string, v.OptionalSchema<Schema<unknown>, undefined>>> =
  Object.fromEntries(
    sessionOptions.flatMap(({ a, b, schema }) =>
      [a, b].flatMap((name) => (name === undefined ? [] : [[name, optional(schema)]])),
    ),
  )

/** Takes the options out of a valid body and ignores its other members. */
export function parseOptions(body: Readonly<Record<string, unknown>>): Parsed<OptionValues> {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const option of sessionOptions) {
    const { a, b } = option
    const asA = a === undefined ? undefined : body[a]
    const asB = b === undefined || b === a ? undefined : turned(option, body[b])
    if (asA !== undefined && asB !== undefined && JSON.stringify(asA) !== JSON.stringify(asB)) {
      faults.push({ path: [b ?? ''], message: `contradicts ${a}, another name of the same option` })
    }
    const value = asA ?? asB
    if (value !== undefined) values[canonicalName(option)] = value
  }
  return faults.length > 0 ? { faults } : { value: values }
}

/** Every option as an answer shows it. */
export function renderOptions(values: OptionValues, names: OptionNames): Readonly<Record<string, unknown>> {
  const complete = { ...DEFAULTS, ...values }
  return Object.fromEntries(
    sessionOptions.flatMap((option) => {
      const value = complete[canonicalName(option)]
      const { a, b } = option
      return [
        ...(a === undefined || names === 'b' ? [] : [[a, value]]),
        ...(b === undefined || names === 'a' ? [] : [[b, turned(option, value)]]),
      ]
    }),
  )
}

/** Converts a value between the two sets, in either direction. */
function turned({ isOpposite }: SessionOption, value: unknown): unknown {
  return isOpposite && value !== undefined ? !value : value
}

export const DEFAULTS: OptionValues = Object.fromEntries(
  sessionOptions.map((option) => [canonicalName(option), option.initial]),
)
