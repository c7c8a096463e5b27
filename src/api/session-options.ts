import {
  type OptionKind,
  type optionsOfA,
  type optionsOfB,
  type RenamedOption,
  renamedOptions,
  type sharedOptions,
} from './option-names.ts'
import { anything, type Fields, flag, listOf, record, type Schema, text } from './schema.ts'

const scopeFields = {
  name: text,
  /** With a leading dot a domain cookie, without it a host-only cookie. */
  domain: text,
  path: text,
  httponly: flag,
}

/** A cookie to transfer, httpOnly or not (spec 2.4). */
export type CookieTransferScope = Fields<typeof scopeFields>

/** Options under the names of the reference pages. */
export type OptionsA = Named<typeof sharedOptions> & Named<typeof optionsOfA> & Renamed<'a'>

/** Options under the names of the OpenAPI description. */
export type OptionsB = Named<typeof sharedOptions> & Named<typeof optionsOfB> & Renamed<'b'>

/**
 * Session options under the service's names, of either set; `toNamingSet` converts them to one. Undocumented options are
 * kept, as `unknown`. Types are as documented; in answers only the options about cookies are checked.
 */
export interface SessionOptions extends OptionsA, OptionsB {
  readonly [name: string]: unknown
}

/**
 * Renames options to one of the service's two naming sets, and negates those whose other name means the opposite
 * (`show_cursors`, `hide_cursors`). Options without a name in the set keep theirs. If an option is given under both names,
 * the value under the name of the set wins.
 *
 * @example
 * import { createClient, toNamingSet } from 'continuation-point/api'
 *
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
 * const { newurl, enable_sounds } = toNamingSet(await client.options.get(), 'A')
 */
export function toNamingSet(options: SessionOptions, set: 'A'): OptionsA & Readonly<Record<string, unknown>>
export function toNamingSet(options: SessionOptions, set: 'B'): OptionsB & Readonly<Record<string, unknown>>
export function toNamingSet(options: SessionOptions, set: 'A' | 'B'): Readonly<Record<string, unknown>> {
  const foreign = foreignNames[set]
  const [kept, translated] = [new Map<string, unknown>(), new Map<string, unknown>()]
  for (const [name, value] of Object.entries(options)) {
    const option = foreign.get(name)
    if (option === undefined) kept.set(name, value)
    else
      translated.set(
        set === 'A' ? option.a : option.b,
        option.not && typeof value === 'boolean' ? !value : value,
      )
  }
  return Object.fromEntries([...translated, ...kept])
}

const scope = record<CookieTransferScope>(['name', 'domain', 'path'], scopeFields)

/** What the entries of both lists have to be. */
export const listEntries = { cookie_transfer_urls: text, cookie_transfer_scopes: scope }

/** The options that continuation depends on. */
export const cookieOptions = {
  cookie_transfer_enabled: flag,
  cookie_transfer_proxying: flag,
  cookie_transfer_urls: listOf(listEntries.cookie_transfer_urls),
  cookie_transfer_scopes: listOf(listEntries.cookie_transfer_scopes),
  enable_cookie_backtransfer: flag,
}

/** Checks the options that continuation depends on and keeps all others. */
export const sessionOptions: Schema<SessionOptions> = record<
  Pick<SessionOptions, keyof typeof cookieOptions>
>([], cookieOptions)

/** The same, with entries of the lists that are not checked, so that one of them does not cost the others. */
export const tolerantOptions = record<object>([], {
  ...cookieOptions,
  cookie_transfer_urls: listOf(anything),
  cookie_transfer_scopes: listOf(anything),
}) as typeof sessionOptions

const rows: readonly RenamedOption[] = renamedOptions

/** For each set, the options of the other set by their names there. */
const foreignNames: Readonly<Record<'A' | 'B', ReadonlyMap<string, RenamedOption>>> = {
  A: new Map(rows.map((option) => [option.b, option])),
  B: new Map(rows.map((option) => [option.a, option])),
}

interface Value {
  readonly boolean: boolean
  readonly string: string
  readonly number: number
  readonly json: string
  readonly key: string | number
  readonly strings: readonly string[]
  readonly list: readonly unknown[]
  readonly scopes: readonly CookieTransferScope[]
}

type Named<Table extends Readonly<Record<string, OptionKind>>> = {
  readonly [Name in keyof Table]?: Value[Table[Name]] | undefined
}

type Renamed<Side extends 'a' | 'b'> = {
  readonly [Row in (typeof renamedOptions)[number] as Row[Side]]?: Value[Row['kind']] | undefined
}
