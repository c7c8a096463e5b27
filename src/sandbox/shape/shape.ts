import * as v from 'valibot'

/** Keys and indexes from the root of a document to a value. */
export type Path = readonly (string | number)[]

/** One thing wrong with a document. The message completes a sentence that begins with the value's name. */
export interface Fault {
  readonly path: Path
  readonly message: string
}

export type Parsed<T> = { readonly value: T } | { readonly faults: readonly Fault[] }

/** What a value has to be: a valibot schema with messages in the service's form. */
export type Shape<T> = v.GenericSchema<unknown, T>

/** The members of an object by name. */
export type Members = Readonly<Record<string, v.GenericSchema>>

/** What an object of these members holds. */
export type ValuesOf<M extends Members> = Readonly<v.InferOutput<v.StrictObjectSchema<M, undefined>>>

export type ValueOf<S extends v.GenericSchema> = v.InferOutput<S>

/** Reads an untrusted value, or finds every fault in it at once. */
export function parse<T>(shape: Shape<T>, value: unknown): Parsed<T> {
  const faults = [...findKeyFaults(shape, value, [])]
  const { success, output, issues = [] } = v.safeParse(shape, value, { abortPipeEarly: true })
  if (success && faults.length === 0) return { value: output }
  const further = issues
    .map(toFault)
    .filter((each) => !faults.some((known) => isWithin(each.path, known.path)))
  return { faults: [...faults, ...further] }
}

/** A member that may be left out; `null` is not the same. */
export function optional<S extends v.GenericSchema>(shape: S): v.OptionalSchema<S, undefined> {
  return v.optional(shape)
}

/** An object with these members and no others. */
export function objectOf<const M extends Members>(members: M): Shape<ValuesOf<M>> {
  return v.strictObject(members, ({ expected }) => (expected === 'Object' ? NO_OBJECT : 'is required'))
}

/** A list whose items have one shape. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return v.array(item, 'must be an array')
}

/** An object that maps any name to one shape. */
export function mapOf<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return v.record(v.string(), item, NO_OBJECT)
}

/** A fault of the value itself. */
export function fault(message: string): { readonly faults: readonly Fault[] } {
  return { faults: [{ path: [], message }] }
}

/** The part of a valibot schema that `findKeyFaults` uses. */
interface Branch {
  readonly type: string
  readonly wrapped?: Branch
  readonly item?: Branch
  readonly value?: Branch
  readonly entries?: Readonly<Record<string, Branch>>
}

/** What valibot doesn't report: every unknown key rather than the first, and an array in place of an object. */
function* findKeyFaults(shape: Branch, value: unknown, path: Path): Generator<Fault> {
  const { wrapped, item, value: member, entries } = shape
  if (wrapped !== undefined) return yield* findKeyFaults(wrapped, value, path)
  const takesObject = shape.type === 'record' || entries !== undefined
  if (Array.isArray(value)) {
    if (takesObject) yield { path, message: NO_OBJECT }
    if (item === undefined) return
    for (const [index, each] of value.entries()) yield* findKeyFaults(item, each, [...path, index])
  }
  if (!takesObject || typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [key, each] of Object.entries(value)) {
    const known = entries === undefined ? member : Object.hasOwn(entries, key) ? entries[key] : undefined
    if (known === undefined) yield { path: [...path, key], message: 'is not known here' }
    else yield* findKeyFaults(known, each, [...path, key])
  }
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, index) => step === path[index])
}

function toFault({ path, message }: v.BaseIssue<unknown>): Fault {
  return { path: (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key))), message }
}

const NO_OBJECT = 'must be an object'
