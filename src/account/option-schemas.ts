import * as v from 'valibot'
import { ApiError } from '../api/errors.ts'
import type { CookieTransferScope, SessionOptions } from '../api/session-options.ts'
import type { Secret } from '../config/secret.ts'

type Schema<T> = v.GenericSchema<unknown, T>

const text = v.string('a string')
const flag = v.boolean('a boolean')

const scope = v.looseObject(
  { name: text, domain: text, path: text, httponly: v.exactOptional(flag) },
  'an object with name, domain and path',
) as unknown as Schema<CookieTransferScope>

/** The options that continuation depends on. */
export const cookieOptions = {
  cookie_transfer_enabled: v.exactOptional(flag),
  cookie_transfer_proxying: v.exactOptional(flag),
  cookie_transfer_urls: v.exactOptional(v.array(text, 'an array')),
  cookie_transfer_scopes: v.exactOptional(v.array(scope, 'an array')),
  enable_cookie_backtransfer: v.exactOptional(flag),
}

/** The account's settings that continuation needs. What a config leaves out is not compared; an account may lack any. */
export type AccountSettings = {
  readonly [Name in keyof typeof cookieOptions]?: SessionOptions[Name]
}

/**
 * The options that concern continuation.
 *
 * @throws ApiError if one of them is of another type than documented, or none is there
 */
export function toSettings(options: SessionOptions, apiKey?: Secret | string) {
  const answered = read(v.object(cookieOptions), options)
  // What is in there is shown, logged and written.
  const key = typeof apiKey === 'string' ? apiKey : apiKey?.reveal()
  const isTold = key && JSON.stringify(answered).includes(key)
  if ('value' in answered && !isTold && Object.keys(answered.value).length > 0) return answered.value
  const detail =
    'fault' in answered
      ? answered.fault
      : isTold
        ? 'the body repeats the API key'
        : 'it has no cookie_transfer_*'
  throw new ApiError('GET', '/company/options/', { kind: 'malformed', status: 200, detail })
}

/** The same, as `settings apply` has kept them. */
export const keptOptions = v.strictObject(cookieOptions, ({ expected }) =>
  expected === 'never' ? 'a known option' : 'an object',
)

/** Reads an untrusted value: typed, or what is not as expected and where, but never what was found. */
export function read<T>(
  schema: Schema<T>,
  value: unknown,
): { readonly value: T } | { readonly fault: string } {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true })
  if (success) return { value: output }
  const [{ path = [], message }] = issues
  // RFC 6901 JSON Pointer into the body.
  const pointer = path.map(({ key }) => `/${key}`).join('')
  return { fault: `${pointer === '' ? 'the body' : pointer} is not ${message}` }
}
