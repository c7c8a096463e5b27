import * as v from 'valibot'

/**
 * What an untrusted value has to be, as a valibot schema; its message says what was expected, with its article, and never
 * what was found, which may be anybody's data. Only `read` makes sentences of these.
 */
export type Shape<T> = v.GenericSchema<unknown, T>

/** Reads an untrusted value: gives it typed, or says in our own words what is not as expected, and where. */
export function read<T>(shape: Shape<T>, value: unknown): { readonly value: T } | { readonly fault: string } {
  const { success, output, issues } = v.safeParse(shape, value, { abortEarly: true })
  if (success) return { value: output }
  const [{ path = [], message }] = issues
  // RFC 6901 JSON Pointer into the body.
  const pointer = path.map(({ key }) => `/${key}`).join('')
  return { fault: `${pointer === '' ? 'the body' : pointer} is not ${message}` }
}

export const text = v.string('a string')

export const flag = v.boolean('a boolean')

export const integer = v.pipe(v.number('an integer'), v.integer('an integer'))

export const anything = v.unknown()

/** An id that the service documents as an integer and sends as a string in some calls. */
export const integerId = v.pipe(
  v.custom<number | string>(
    (value) => Number.isInteger(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value)),
    'an integer',
  ),
  v.transform(Number),
)

/** An id that the service documents as a string and sends as an integer in some calls. */
export const textId = v.pipe(
  v.custom<number | string>((value) => typeof value === 'string' || Number.isInteger(value), 'a string'),
  v.transform(String),
)

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return v.nullable(shape)
}

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return v.array(shape, 'an array')
}

/**
 * An object. Every documented field that arrives must have its documented type; only what identifies the thing must
 * arrive, since the service's own descriptions differ about the rest. Fields that nobody documented are kept, so that an
 * older client loses nothing of a service that grows.
 *
 * @param demanded names of the fields without which the object is of no use
 */
export function record<T extends object>(
  demanded: readonly (keyof T & string)[],
  fields: { readonly [Name in keyof T & string]-?: Shape<Exclude<T[Name], undefined>> },
): Shape<T> {
  const names: readonly string[] = demanded
  const entries = Object.entries<v.GenericSchema>(fields).map(
    ([name, shape]) => [name, names.includes(name) ? shape : v.exactOptional(shape)] as const,
  )
  const known = v.object(Object.fromEntries(entries), 'a value')
  return v.pipe(
    v.custom<object>(isObject, 'an object'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      // To valibot what an object inherits is in it, and its loose objects lose fields with names such as "constructor".
      const own = Object.assign(Object.create(null), dataset.value)
      const { success, output, issues } = v.safeParse(known, own, { abortEarly: true })
      if (success) return { ...dataset.value, ...output } as T
      for (const { message, path } of issues) addIssue({ message, ...(path && { path }) })
      return NEVER
    }),
  )
}

/** Tells a JSON object from everything else. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
