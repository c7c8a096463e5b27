import * as v from 'valibot'
import { optionsOfA, optionsOfB, renamedOptions, sharedOptions } from '../../api/session-options.ts'
import { boolean, listOf, number, objectOf, optional, type Schema, text, webUrl } from './schema.ts'

/** A session option under the names of both sets (spec 2.4); a name is absent where only the other set has the option. */
export interface SessionOption extends Kind {
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
export const sessionOptions: readonly SessionOption[] = [
  ...Object.entries(sharedOptions).map(([name, word]) => ({ name, a: name, b: name, ...toKind(name, word) })),
  ...renamedOptions.map(({ a, b, value, ...rest }) => ({
    ...{ name: a, a, b, ...toKind(a, value) },
    isOpposite: 'not' in rest,
  })),
  ...Object.entries(optionsOfA).map(([name, word]) => ({ name, a: name, ...toKind(name, word) })),
  ...Object.entries(optionsOfB).map(([name, word]) => ({ name, b: name, ...toKind(name, word) })),
]

function holdsArray(value: string): boolean {
  try {
    return Array.isArray(JSON.parse(value))
  } catch {
    return false
  }
}
