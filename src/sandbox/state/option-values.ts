import type * as v from 'valibot'
import { type SessionOption, sessionOptions } from './option-table.ts'
import { type Fault, optional, type Parsed, type Schema } from './schema.ts'

/** Option values under the names of the table; absent ones have their default. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Which names an answer uses. */
export type OptionNames = 'both' | 'a' | 'b'

/** Every option by every name, for the request bodies that accept options. */
export const optionMembers: Readonly<Record<string, v.OptionalSchema<Schema<unknown>, undefined>>> =
  Object.fromEntries(
    sessionOptions.flatMap(({ a = [], b = [], schema }) =>
      [a, b].flat().map((name) => [name, optional(schema)]),
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
    if (value !== undefined) values[option.name] = value
  }
  return faults.length > 0 ? { faults } : { value: values }
}

/** Every option as an answer shows it: those of the document, then those that only the account has. */
export function renderOptions(values: OptionValues, names: OptionNames): Readonly<Record<string, unknown>> {
  const rendered: Record<string, unknown> = {}
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(DEFAULTS, name))
  for (const option of sessionOptions) {
    const value = values[option.name] ?? option.initial
    if (option.a !== undefined && names !== 'b') rendered[option.a] = value
    if (option.b !== undefined && names !== 'a') rendered[option.b] = turned(option, value)
  }
  return { ...rendered, ...Object.fromEntries(others) }
}

/** Converts a value between the two sets, in either direction. */
function turned({ isOpposite }: SessionOption, value: unknown): unknown {
  return isOpposite && value !== undefined ? !value : value
}

export const DEFAULTS: OptionValues = Object.fromEntries(
  sessionOptions.map(({ name, initial }) => [name, initial]),
)
