import { type Fields, valuesOf } from '../../http/fields.ts'
import { parseJson } from '../state/arrival.ts'
import { type Fault, type Members, objectOf, type Parsed, parse, type ValuesOf } from '../state/schema.ts'
import { refused } from './reply.ts'
import type { Route } from './route.ts'

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

/** The body of a valid call. */
interface CallBody {
  readonly values: ValuesOf<Members>
  /** Options that the service's document doesn't have, by name. */
  readonly others: Readonly<Record<string, unknown>>
}

/**
 * Reads the body of a call as widely as public code writes it. **Ours:** JSON or a form, numbers and booleans also as text
 * (`"1"`, `"True"`), and, where options are taken, others than those of the document.
 */
export function readCallBody(
  { body: members, takesOptions }: Route,
  fields: Fields,
  octets: Buffer,
): Parsed<CallBody> | Response {
  if (members === undefined) return { value: { values: {}, others: {} } }
  const value = readValue(members, fields, octets)
  if (value instanceof Response) return value
  const isOther = ([name]: readonly [string, unknown]) =>
    takesOptions === true && !Object.hasOwn(members, name)
  const entries = isObject(value) ? Object.entries(value) : []
  const others = Object.fromEntries(entries.filter(isOther))
  const known = isObject(value) ? Object.fromEntries(entries.filter((entry) => !isOther(entry))) : value
  const schema = objectOf(members)
  const parsed = parse(schema, fromText(schema, known))
  return 'faults' in parsed ? parsed : { value: { values: parsed.value, others } }
}

/** Warns of options without a place in the document, by names of what a field value may hold. */
export function warningsOf(others: CallBody['others']): readonly string[] {
  const names = Object.keys(others).map((name) => name.slice(0, 64).replaceAll(/[^\w.-]/g, '?'))
  if (names.length === 0) return []
  const shown = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), 'and more'] : names
  return [`The service's document has no option ${shown.join(', ')}`]
}

function readValue(members: Members, fields: Fields, octets: Buffer): unknown {
  const [type = ''] = valuesOf(fields, 'content-type')
  if (octets.length === 0) return {}
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return readForm(members, octets)
  if (type === '' || /^application\/json\s*(?:;|$)/i.test(type)) return parseJson(octets)
  return refused(415, { body: ['It must be JSON (application/json) or a form.'] })
}

/** A member that is an array takes each value that the form has for it; any other the last one. */
function readForm(members: Members, octets: Buffer): unknown {
  const form = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(octets.toString('utf8')))
    if (form.get(name)?.push(value) === undefined) form.set(name, [value])
  const isList = (name: string) => typeOf(own(members, name)) === 'array'
  return Object.fromEntries([...form].map(([name, all]) => [name, isList(name) ? all : all.at(-1)]))
}

/** Values in place of texts that stand for them, wherever the schema has a number, a boolean or null. */
function fromText(schema: Node | undefined, value: unknown): unknown {
  const { entries = {}, item } = unwrap(schema) ?? {}
  if (Array.isArray(value)) return item === undefined ? value : value.map((each) => fromText(item, each))
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, fromText(own(entries, name), member)]),
    )
  }
  if (typeof value !== 'string') return value
  if (value === 'null' && schema?.wrapped?.type === 'nullable') return null
  if (typeOf(schema) === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return typeOf(schema) === 'number' && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
}

/** What a walk through a valibot schema needs. */
interface Node {
  readonly type: string
  readonly wrapped?: Node
  readonly item?: Node
  readonly entries?: Readonly<Record<string, Node>>
}

function unwrap(schema: Node | undefined): Node | undefined {
  return schema?.wrapped === undefined ? schema : unwrap(schema.wrapped)
}

function own(entries: NonNullable<Node['entries']>, name: string): Node | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}

function typeOf(schema: Node | undefined): string | undefined {
  return unwrap(schema)?.type
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const MOST_NAMES = 20
