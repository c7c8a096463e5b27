import * as v from 'valibot'
import { type Fault, type Members, objectOf, type Parsed, parse, type ValuesOf } from '../state/schema.ts'
import { fromText } from './read-body.ts'

/** Reads the parameters that an endpoint knows; others are faults, and so is repeating one that may come only once. */
export function parseQuery<const M extends Members>(members: M, query: URLSearchParams): Parsed<ValuesOf<M>> {
  // Every call may carry the key, under either name.
  const known = new Set([...Object.keys(members), 'api_key', 'API_KEY'])
  const unknown = [...new Set(query.keys())].filter((name) => !known.has(name))
  const faults: Fault[] = unknown.map((name) => ({ path: [name], message: 'is not known here' }))
  const given: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(members)) {
    const values = query.getAll(name)
    if (schema.type === 'array') given[name] = values
    else if (values.length === 1) given[name] = values[0]
    else if (values.length > 1) faults.push({ path: [name], message: 'must not be given more than once' })
  }
  const schema = objectOf(members)
  return faults.length > 0 ? { faults } : parse(schema, fromText(schema, given))
}

/** Whether a value matches the filter, if there is one; `null` matches a missing value. */
export function isAsked<T>(asked: T | null | undefined, actual: T | undefined): boolean {
  return asked === undefined || (asked === null ? actual === undefined : asked === actual)
}

/** Items between commas, blank ones dropped. */
export const commaSeparated = v.pipe(
  v.string(),
  v.transform((value): readonly string[] =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
)
