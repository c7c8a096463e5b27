import * as v from 'valibot'
import { judgeHost, judgePemReference, judgeSecretReference } from './judge.ts'

/*
 * Building blocks of the schema. The message of every schema and action is what is *expected*, except in `text`, where it
 * is the reason why the value is invalid; `validate` adds what is wrong.
 */

/** A string with a check, which returns why the text is invalid, or `undefined`. */
export const text = (expected: string, reasonAgainst: (text: string) => string | undefined) =>
  v.pipe(
    v.string(expected),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const reason = reasonAgainst(dataset.value)
      if (reason !== undefined) addIssue({ message: reason, expected })
    }),
  )

export const described = <S extends v.GenericSchema>(
  schema: S,
  description: string,
  ...examples: unknown[]
) => v.pipe(schema, v.metadata({ description, ...(examples.length > 0 && { examples }) }))

type Described<S extends v.GenericSchema> = ReturnType<typeof described<S>>

export const optional = <S extends v.GenericSchema>(schema: S, description: string, ...examples: unknown[]) =>
  v.optional(described(schema, description, ...examples))

/** A key that has this value if it is left out. */
export const withDefault = <S extends v.GenericSchema, const D extends v.Default<Described<S>, undefined>>(
  value: D,
  schema: S,
  description: string,
  ...examples: unknown[]
) => v.optional(described(schema, description, ...examples), value)

/** A whole number, both ends included. */
export const integer = (min: number, max: number, expected = `a whole number from ${min} to ${max}`) =>
  v.pipe(v.number(expected), v.integer(expected), v.minValue(min, expected), v.maxValue(max, expected))

export const bytes = (min: number, max: number) => {
  const most = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`
  return integer(min, max, `a whole number of bytes, ${most}`)
}

export const filledText = (expected: string) => v.pipe(v.string(expected), v.regex(/\S/, expected))

export const choice = <const C extends readonly string[]>(choices: C) =>
  v.picklist(choices, `one of ${choices.map((each) => `"${each}"`).join(', ')}`)

export const flag = v.boolean('true or false')

export const anyText = v.string('a string')

export const duration = v.pipe(
  text('a duration such as "250ms", "5s" or "2m", at most 24 hours', (value) => {
    const parsed = parseDuration(value)
    return 'reason' in parsed ? parsed.reason : undefined
  }),
  v.metadata({ pattern: '^[0-9]+(ms|s|m|h)$' }),
)

export const host = text('a host name or an IP address', judgeHost)

export const port = integer(0, 65535)

export const secret = text('"env:NAME", "file:/path" or the text itself', judgeSecretReference)

export const pem = text('"file:/path", "env:NAME" or PEM text', judgePemReference)

/** An object without unknown keys. */
export const section = <E extends v.ObjectEntries>(entries: E) => v.strictObject(entries, 'an object')

/**
 * Parses a duration of the config, `250ms`, `5s`, `2m` or `1h`: a whole number and its unit.
 *
 * @returns milliseconds from 1 to 24 hours, or why it is not valid, as a clause
 */
export function parseDuration(text: string): { readonly ms: number } | { readonly reason: string } {
  const [, digits, unit] = /^(\d{1,12})(ms|s|m|h)$/.exec(text) ?? []
  if (digits === undefined || unit === undefined) return { reason: 'not a duration' }
  const ms = Number(digits) * MS_BY_UNIT[unit as keyof typeof MS_BY_UNIT]
  if (ms === 0) return { reason: 'zero: every exchange would time out at once' }
  if (ms > LONGEST_MS) return { reason: 'longer than 24 hours' }
  return { ms }
}

const LONGEST_MS = 24 * 60 * 60 * 1000

const MS_BY_UNIT = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
