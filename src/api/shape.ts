/**
 * Reads an untrusted value: gives it typed, or says what stands where. Fields that nobody documented are kept, so a
 * service that grows loses nothing on its way through an older client.
 */
export type Shape<T> = (value: unknown) => T | ShapeFault

/** What was expected where. Never what was found: that may be anybody's data. */
export class ShapeFault {
  /** RFC 6901 JSON Pointer into the body. */
  readonly pointer: string
  /** With its article: `an integer`. */
  readonly expected: string

  constructor(pointer: string, expected: string) {
    this.pointer = pointer
    this.expected = expected
  }
}

export const text: Shape<string> = (value) =>
  typeof value === 'string' ? value : new ShapeFault('', 'a string')

export const flag: Shape<boolean> = (value) =>
  typeof value === 'boolean' ? value : new ShapeFault('', 'a boolean')

export const integer: Shape<number> = (value) =>
  typeof value === 'number' && Number.isInteger(value) ? value : new ShapeFault('', 'an integer')

export const anything: Shape<unknown> = (value) => value

/** An id that the service documents as an integer and sends as a string in some calls. */
export const integerId: Shape<number> = (value) =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : integer(value)

/** An id that the service documents as a string and sends as an integer in some calls. */
export const textId: Shape<string> = (value) =>
  typeof value === 'number' && Number.isInteger(value) ? String(value) : text(value)

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => (value === null ? null : shape(value))
}

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return new ShapeFault('', 'an array')
    const items: T[] = []
    for (const [index, each] of value.entries()) {
      const item = shape(each)
      if (item instanceof ShapeFault) return below(index, item)
      items.push(item)
    }
    return items
  }
}

/**
 * An object. Every documented field that arrives must have its documented type; only what identifies the thing must
 * arrive, since the service's own descriptions differ about the rest.
 *
 * @param demanded names of the fields without which the object is of no use
 */
export function record<T extends object>(
  demanded: readonly (keyof T & string)[],
  fields: { readonly [Name in keyof T & string]-?: Shape<Exclude<T[Name], undefined>> },
): Shape<T> {
  const shapes: readonly [string, Shape<unknown>][] = Object.entries(fields)
  const names: readonly string[] = demanded
  return (value) => {
    if (!isObject(value)) return new ShapeFault('', 'an object')
    const parsed: Record<string, unknown> = { ...value }
    for (const [name, shape] of shapes) {
      if (!Object.hasOwn(value, name)) {
        if (names.includes(name)) return new ShapeFault(`/${name}`, 'a value')
        continue
      }
      const field = shape(value[name])
      if (field instanceof ShapeFault) return below(name, field)
      parsed[name] = field
    }
    return parsed as T
  }
}

/** Tells a JSON object from everything else. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function below(step: string | number, { pointer, expected }: ShapeFault): ShapeFault {
  return new ShapeFault(`/${step}${pointer}`, expected)
}
