import * as v from 'valibot'
import { optionsOfA, optionsOfB, renamedOptions, sharedOptions } from '../../api/session-options.ts'
import {
  boolean,
  type Fault,
  listOf,
  number,
  objectOf,
  optional,
  type Parsed,
  type Schema,
  text,
  webUrl,
} from './schema.ts'

/** A session option under the names of both sets (spec 2.4); a name is absent where only the other set has the option. */
interface SessionOption extends Kind {
  /** Under which the stand-in stores it. */
  readonly name: string
  readonly a?: string
  readonly b?: string
  /** The name in set B means the opposite of the one in set A. */
  readonly isOpposite?: boolean
}

/** What an option has to be, and its default in the sense of set A. */
interface Kind {
  readonly schema: Schema<unknown>
  readonly initial: unknown
}

/** A cookie scope as the service writes it (spec 2.4). **Ours:** without httponly it is that of a cookie that scripts read. */
export const scope = objectOf({ name: text, domain: text, path: text, httponly: optional(boolean, false) })

const anyKey = v.union([v.string(), v.literal(0)], 'must be a string, or 0 for none')

/** By the words of the client's table. **Ours:** the defaults. */
const kinds = {
  flag: { schema: boolean, initial: false },
  text: { schema: text, initial: '' },
  number: { schema: number, initial: 14 },
  key: { schema: anyKey, initial: '' },
  list: { schema: listOf(v.unknown()), initial: [] },
  encoded: {
    schema: v.pipe(text, v.check(holdsArray, 'must be a string that holds a JSON array')),
    initial: '[]',
  },
  urls: { schema: listOf(webUrl), initial: [] },
  scopes: { schema: listOf(scope), initial: [] },
} satisfies Readonly<Record<string, Kind>>

/** **Ours**, except that spec 4.9 implies it of cookie transfer. */
const onByDefault: readonly string[] = [
  ...['cookie_transfer_enabled', 'enable_sounds', 'videochat', 'agent_can_end_session', 'show_cursors'],
  ...['agent_can_request_control', 'auto_restore', 'allow_control_switching', 'format_session_id', 'newurl'],
  ...['filesharing', 'sharing_button', 'invitations_allowed'],
]

const toKind = (name: string, word: keyof typeof kinds): Kind => ({
  ...kinds[word],
  ...(onByDefault.includes(name) && { initial: true }),
})

/** Every option of both sets. The names are those of the client's table, which the tests hold once more. */
const sessionOptions: readonly SessionOption[] = [
  ...Object.entries(sharedOptions).map(([name, word]) => ({ name, a: name, b: name, ...toKind(name, word) })),
  ...renamedOptions.map(({ a, b, value, ...rest }) => ({
    ...{ name: a, a, b, ...toKind(a, value) },
    isOpposite: 'not' in rest,
  })),
  ...Object.entries(optionsOfA).map(([name, word]) => ({ name, a: name, ...toKind(name, word) })),
  ...Object.entries(optionsOfB).map(([name, word]) => ({ name, b: name, ...toKind(name, word) })),
]

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
    if (asA !== undefined && asB !== undefined && JSON.stringify(asA) !== JSON.stringify(asB))
      faults.push({ path: [b ?? ''], message: `contradicts ${a}, another name of the same option` })
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

function holdsArray(value: string): boolean {
  try {
    return Array.isArray(JSON.parse(value))
  } catch {
    return false
  }
}

export const DEFAULTS: OptionValues = Object.fromEntries(
  sessionOptions.map(({ name, initial }) => [name, initial]),
)
