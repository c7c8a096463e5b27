import * as v from 'valibot'

/**
 * What an untrusted value has to be, as a valibot schema. Its message is what was expected, with an article, and never what was
 * found, which may be private; `read` makes a sentence of it.
 */
export type Schema<T> = v.GenericSchema<unknown, T>

/** What a schema reads. */
export type ValueOf<S extends v.GenericSchema> = v.InferOutput<S>

/** What `record` reads with these fields, of which those in `Missing` need not be there. */
export type Fields<F extends Readonly<Record<string, v.GenericSchema>>, Missing extends keyof F = never> = {
  readonly [Name in keyof F as Exclude<Name, Missing>]: ValueOf<F[Name]>
} & { readonly [Name in keyof F as Extract<Name, Missing>]?: ValueOf<F[Name]> }

/** Reads an untrusted value: typed, or what is not as expected and where, in our own words. */
export function read<T>(
  schema: Schema<T>,
  value: unknown,
): { readonly value: T } | { readonly fault: string } {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true })
  if (success) return { value: output }
  const [{ path = [], message }] = issues
  // RFC 6901 JSON Pointer into the body.
  const pointer = path.map(({ key }) => `/${key}`).join('')
  return { fault: `${pointer === '' ? 'the body' : pointer} is not ${message}` }
}

export const text: Schema<string> = v.string('a string')

/** Null is read as an empty text. */
export const textOrNull: Schema<string> = v.pipe(
  v.nullable(text),
  v.transform((value) => value ?? ''),
)

export const flag: Schema<boolean> = v.boolean('a boolean')

export const number: Schema<number> = v.number('a number')

export const textOrNumber: Schema<string | number> = v.union([text, number], 'a string or a number')

export const integer: Schema<number> = v.pipe(v.number('an integer'), v.integer('an integer'))

export const anything: Schema<unknown> = v.unknown()

/** An id that the service documents as an integer and sends as a string in some calls. */
export const integerId: Schema<number> = v.pipe(
  v.custom<number | string>(
    (value) => Number.isInteger(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value)),
    'an integer',
  ),
  v.transform(Number),
)

/** An id that the service documents as a string and sends as an integer in some calls. */
export const textId: Schema<string> = v.pipe(
  v.custom<number | string>((value) => typeof value === 'string' || Number.isInteger(value), 'a string'),
  v.transform(String),
)

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return v.nullable(schema)
}

export function listOf<T>(schema: Schema<T>): Schema<readonly T[]> {
  return v.array(schema, 'an array')
}

/**
 * An object. A documented field must have its documented type if it is there; only the fields that identify the object must
 * be there, since the service's own descriptions differ about the others. Undocumented fields are kept, so that an older
 * client loses nothing that the service adds.
 *
 * @param demanded names of the fields that must be there
 */
export function record<T extends object>(
  demanded: readonly (keyof T & string)[],
  fields: { readonly [Name in keyof T & string]-?: Schema<Exclude<T[Name], undefined>> },
): Schema<T> {
  const names: readonly string[] = demanded
  const entries = Object.entries<v.GenericSchema>(fields).map(
    ([name, schema]) => [name, names.includes(name) ? schema : v.exactOptional(schema)] as const,
  )
  const known = v.object(Object.fromEntries(entries), 'a value')
  return v.pipe(
    v.custom<object>(isObject, 'an object'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      // For valibot inherited members count, and its loose objects drop fields with names such as "constructor".
      const own = Object.assign(Object.create(null), dataset.value)
      const { success, output, issues } = v.safeParse(known, own, { abortEarly: true })
      if (success) return { ...dataset.value, ...output } as T
      for (const { message, path } of issues) addIssue({ message, ...(path && { path }) })
      return NEVER
    }),
  )
}

/** An object with these members and no other, as we have written it ourselves. */
export function strict<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, ({ expected }) =>
    expected === 'never' ? 'known' : expected === 'Object' ? 'an object' : 'there',
  )
}

export const { partial } = v

/** Tells a JSON object from everything else. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Checks settings of a caller, by their names.
 *
 * @throws RangeError for one that is not a whole number from `least` to 2^31 - 1, beyond which Node's timers fire at once
 */
export function requireWhole(settings: Readonly<Record<string, number>>, least: number): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!Number.isInteger(value) || value < least || value > 2 ** 31 - 1) {
      throw new RangeError(`${name} is not a whole number from ${least} to ${2 ** 31 - 1}`)
    }
  }
}
