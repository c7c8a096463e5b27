/** Keys and indexes from a document's root down to one value. */
export type Path = readonly (string | number)[]

/** One thing wrong with a document; the message continues a sentence that begins with the value's name. */
export interface Fault {
  readonly path: Path
  readonly message: string
}

export type Parsed<T> = { readonly value: T } | { readonly faults: readonly Fault[] }

/** What a value has to be: how it is read, and how a description of the API words it. */
export interface Shape<T> {
  /** A schema of OpenAPI 3.1. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly isOptional?: true
  /** In a query: every value of the name is read, as a list. */
  readonly isRepeatable?: true
  parse(value: unknown): Parsed<T>
}

/** The members of an object by name. */
export type Members = Readonly<Record<string, Shape<unknown>>>

/** What an object of these members holds. */
export type ValuesOf<M extends Members> = {
  readonly [Name in Exclude<keyof M, OptionalName<M>>]: ValueOf<M[Name]>
} & {
  readonly [Name in OptionalName<M>]?: ValueOf<M[Name]> | undefined
}

type OptionalName<M extends Members> = {
  [Name in keyof M]: M[Name] extends { readonly isOptional: true } ? Name : never
}[keyof M]

export type ValueOf<S> = S extends Shape<infer T> ? T : never

/** A member that may be left out. `null` does not leave it out. */
export function optional<T>(shape: Shape<T>): Shape<T> & { readonly isOptional: true } {
  return { ...shape, isOptional: true }
}

/** An object with these members and no others; every fault is reported at once. */
export function objectOf<const M extends Members>(members: M): Shape<ValuesOf<M>> {
  const required = Object.keys(members).filter((name) => members[name]?.isOptional !== true)
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    parse(value) {
      if (!isObject(value)) return fault('must be an object')
      const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name))
      const missing = required.filter((name) => !Object.hasOwn(value, name))
      const given = Object.entries(members).filter(([name]) => Object.hasOwn(value, name))
      const read = given.map(([name, shape]) => [name, under(name, shape.parse(value[name]))] as const)
      const faults = [
        ...missing.map((name) => ({ path: [name], message: 'is required' })),
        ...unknown.map((name) => ({ path: [name], message: 'is not known here' })),
        ...read.flatMap(([, parsed]) => ('faults' in parsed ? parsed.faults : [])),
      ]
      if (faults.length > 0) return { faults }
      const values = read.flatMap(([name, parsed]) => ('value' in parsed ? [[name, parsed.value]] : []))
      return { value: Object.fromEntries(values) as ValuesOf<M> }
    },
  }
}

/** A list whose items have one shape. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    parse(value) {
      if (!Array.isArray(value)) return fault('must be an array')
      const read = value.map((each, index) => under(index, item.parse(each)))
      const faults = read.flatMap((parsed) => ('faults' in parsed ? parsed.faults : []))
      if (faults.length > 0) return { faults }
      return { value: read.flatMap((parsed) => ('value' in parsed ? [parsed.value] : [])) }
    },
  }
}

/** An object that maps any name to one shape. */
export function mapOf<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: item.schema },
    parse(value) {
      if (!isObject(value)) return fault('must be an object')
      const members = Object.fromEntries(Object.keys(value).map((name) => [name, item]))
      return objectOf(members).parse(value)
    },
  }
}

/** Narrows a shape by one more condition, or turns what it read into something else. */
export function refine<T, U>(
  shape: Shape<T>,
  schema: Readonly<Record<string, unknown>>,
  toValue: (value: T) => { readonly value: U } | { readonly message: string },
): Shape<U> {
  return {
    schema: { ...shape.schema, ...schema },
    parse(value) {
      const parsed = shape.parse(value)
      if ('faults' in parsed) return parsed
      const refined = toValue(parsed.value)
      return 'message' in refined ? fault(refined.message) : refined
    },
  }
}

/** A fault of the value itself. */
export function fault(message: string): { readonly faults: readonly Fault[] } {
  return { faults: [{ path: [], message }] }
}

function under<T>(step: string | number, parsed: Parsed<T>): Parsed<T> {
  if ('value' in parsed) return parsed
  return { faults: parsed.faults.map(({ path, message }) => ({ path: [step, ...path], message })) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
