import { type Fields, isField, listMembers } from './fields.ts'

/**
 * Fields that concern one connection only and are never forwarded, in either direction.
 *
 * RFC 9110 section 7.6.1 names Connection, Proxy-Connection, Keep-Alive, TE, Transfer-Encoding and Upgrade; sections
 * 11.7.1 and 11.7.2 add Proxy-Authenticate and Proxy-Authorization. **Ours:** Trailer too, since trailers are dropped.
 */
export const HOP_BY_HOP_NAMES: readonly string[] = [
  'Connection',
  'Keep-Alive',
  'Proxy-Connection',
  'Proxy-Authenticate',
  'Proxy-Authorization',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
]

/** The same in lower case, for lookups. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set(HOP_BY_HOP_NAMES.map((name) => name.toLowerCase()))

/**
 * The field names that Connection lists (its connection options), in lower case; `undefined` if there are none besides
 * `close` and `keep-alive`, which is nearly always the case.
 */
export function connectionOptions(fields: Fields): ReadonlySet<string> | undefined {
  let options: Set<string> | undefined
  for (let i = 0; i < fields.length; i += 2) {
    if (!isField(fields[i] as string, 'connection')) continue
    const value = fields[i + 1] as string
    if (value === 'keep-alive' || value === 'close') continue
    options ??= new Set()
    for (const option of listMembers([value])) options.add(option.toLowerCase())
  }
  return options
}
