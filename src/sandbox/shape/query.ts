import { boolean, integer, number, text } from './scalars.ts'
import {
  type Fault,
  fault,
  type Members,
  objectOf,
  type Parsed,
  refine,
  type Shape,
  type ValuesOf,
} from './shape.ts'

/**
 * Reads the parameters that an endpoint knows; others are passed over. One that may come once is a fault when it
 * comes more often.
 */
export function parseQuery<const M extends Members>(members: M, query: URLSearchParams): Parsed<ValuesOf<M>> {
  const faults: Fault[] = []
  const given: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(members)) {
    const values = query.getAll(name)
    if (shape.isRepeatable) given[name] = values
    else if (values.length === 1) given[name] = values[0]
    else if (values.length > 1) faults.push({ path: [name], message: 'must not be given more than once' })
  }
  if (faults.length > 0) return { faults }
  return objectOf(members).parse(given)
}

export const queryBoolean: Shape<boolean> = spelt(boolean, (value) => SPELT_BOOLEANS.get(value.toLowerCase()))

export const queryNumber: Shape<number> = spelt(number, (value) =>
  /^\d{1,15}(?:\.\d{1,9})?$/.test(value) ? Number(value) : undefined,
)

export function queryInteger(least: number, most?: number): Shape<number> {
  return spelt(integer(least, most), (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined))
}

/** The literal `null` stands for absence: it asks for what has no such value. */
export function orNull<T>(shape: Shape<T>): Shape<T | 'null'> {
  return { schema: shape.schema, parse: (value) => (value === 'null' ? { value } : shape.parse(value)) }
}

/** Items between commas, blank ones dropped. */
export const commaSeparated: Shape<readonly string[]> = refine(text, {}, (value) => ({
  value: value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
}))

/** A parameter that may come several times. */
export const repeated: Shape<readonly string[]> & { readonly isRepeatable: true } = {
  schema: { type: 'array', items: { type: 'string' } },
  isRepeatable: true,
  parse: (value) => (Array.isArray(value) ? { value: value.map(String) } : fault('must be a list')),
}

/** Spells a JSON value as text; a text that spells none is left for the shape to refuse. */
function spelt<T>(shape: Shape<T>, toValue: (text: string) => T | undefined): Shape<T> {
  return {
    schema: shape.schema,
    parse: (value) => shape.parse(typeof value === 'string' ? (toValue(value) ?? value) : value),
  }
}

const SPELT_BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])
