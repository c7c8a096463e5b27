import { isObject } from './request.ts'

/** Options under the names of the reference pages. */
export type OptionsA = Named<typeof sharedOptions & typeof optionsOfA> & Renamed<'a'>

/** Options under the names of the OpenAPI description. */
export type OptionsB = Named<typeof sharedOptions & typeof optionsOfB> & Renamed<'b'>

/**
 * Session options as the service answers them, under the names of either set or both; `toNamingSet` converts them to one.
 * Others stay beside them, and `'name' in options` makes one readable, as `unknown`.
 */
export interface SessionOptions extends OptionsA, OptionsB {}

/** Session options to send, under the names of either set. */
export interface GivenOptions extends Omit<SessionOptions, 'allowlist' | 'blocklist'> {
  /** The service takes and answers a string that holds a JSON array, which an array is sent as. */
  readonly allowlist?: string | readonly string[] | undefined
  /** The same. */
  readonly blocklist?: string | readonly string[] | undefined
  /** Options that the service's document doesn't list, by their names. */
  readonly other?: Readonly<Record<string, unknown>> | undefined
}

/** Options as the service takes them; what is not an object is left to whoever sends it. */
export function encodeOptions(given: GivenOptions): object {
  if (!isObject(given)) return given
  const { other, ...options }: GivenOptions = given
  const lists = (['allowlist', 'blocklist'] as const).filter((name) => Array.isArray(options[name]))
  const encoded = lists.map((name) => [name, JSON.stringify(options[name])])
  return { ...other, ...options, ...Object.fromEntries(encoded) }
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
export function toNamingSet(options: SessionOptions, set: 'A'): OptionsA
export function toNamingSet(options: SessionOptions, set: 'B'): OptionsB
export function toNamingSet(options: SessionOptions, set: 'A' | 'B'): Readonly<Record<string, unknown>> {
  const [own, foreign] = set === 'A' ? (['a', 'b'] as const) : (['b', 'a'] as const)
  const [kept, translated] = [new Map<string, unknown>(), new Map<string, unknown>()]
  for (const [name, value] of Object.entries(options)) {
    const option: RenamedOption | undefined = renamedOptions.find((each) => each[foreign] === name)
    if (option === undefined) kept.set(name, value)
    else translated.set(option[own], option.not && typeof value === 'boolean' ? !value : value)
  }
  return Object.fromEntries([...translated, ...kept])
}

/** The type of an option, by the word that the tables below have for it. */
interface Values {
  readonly flag: boolean
  readonly text: string
  readonly number: number
  /** A text that holds a JSON array. */
  readonly encoded: string
  readonly key: string | number
  readonly list: readonly unknown[]
  readonly urls: readonly string[]
  readonly scopes: readonly CookieTransferScope[]
}

type Named<Table extends Readonly<Record<string, keyof Values>>> = {
  readonly [Name in keyof Table]?: Values[Table[Name]] | undefined
}

type Renamed<Side extends 'a' | 'b'> = {
  readonly [Row in (typeof renamedOptions)[number] as Row[Side]]?: Values[Row['value']] | undefined
}

/** A cookie to transfer, httpOnly or not (spec 2.4). */
export interface CookieTransferScope {
  readonly name: string
  /** With a leading dot a domain cookie, without it a host-only cookie. */
  readonly domain: string
  readonly path: string
  readonly httponly: boolean
}

/*
 * Every session option that the service names (spec 2.4). Its two descriptions use two sets of names: A in the reference
 * pages, B in the OpenAPI description. `sharedOptions` have one name in both. `renamedOptions` have two names for
 * the same thing, or with `not` for opposites. The others have a name in one set only: two that merely have the same place
 * in both lists (`splash`, `start_with_invite_modal`) are not documented to mean the same.
 */

export const sharedOptions = {
  cookie_transfer_enabled: 'flag',
  cookie_transfer_proxying: 'flag',
  cookie_transfer_urls: 'urls',
  cookie_transfer_scopes: 'scopes',
  enable_cookie_backtransfer: 'flag',
  videochat: 'flag',
  start_muted: 'flag',
  format_session_id: 'flag',
  verbose_console: 'flag',
  white_label: 'flag',
  hide_until_agent_joins: 'flag',
  hidden: 'flag',
  auto_start: 'flag',
  block_until_agent_joins: 'flag',
  end_of_session_popup_url: 'text',
  follower_redirect_url: 'text',
  leader_redirect_url: 'text',
  orphan_redirect_url: 'text',
  theme_font_color: 'text',
  theme_font_background: 'text',
  theme_font_size: 'number',
  widget_key: 'key',
  allowlist: 'encoded',
  blocklist: 'encoded',
  follower_drawing_selector: 'text',
  branding_primary_color: 'text',
  branding_secondary_color: 'text',
  branding_logo_url: 'text',
  branding_logo_link: 'text',
  dashboard_background_url: 'text',
  soft_end_filter: 'list',
  soft_session_end: 'flag',
  shake_to_start: 'flag',
  chat_integration: 'text',
  native_selects: 'flag',
  language: 'text',
  url_mangling: 'flag',
  private_session: 'flag',
} as const

export const renamedOptions = [
  { a: 'enable_sounds', b: 'sounds_enabled', value: 'flag' },
  { a: 'auto_restore', b: 'session_autorestore_enabled', value: 'flag' },
  { a: 'store_chat_logs', b: 'chat_logs_enabled', value: 'flag' },
  { a: 'allow_control_switching', b: 'host_switching_allowed', value: 'flag' },
  { a: 'disable_end_redirect', b: 'end_redirect_enabled', value: 'flag', not: true },
  { a: 'newurl', b: 'new_urls_allowed', value: 'flag' },
  { a: 'filesharing', b: 'filesharing_enabled', value: 'flag' },
  { a: 'allow_original_file_download', b: 'original_file_download_allowed', value: 'flag' },
  { a: 'ui_off', b: 'hide_session_ui', value: 'flag' },
  { a: 'only_embedded_sessions', b: 'embedded_sessions_only', value: 'flag' },
  { a: 'enable_native_dialogs', b: 'native_dialogs_enabled', value: 'flag' },
  { a: 'confirm_session_start', b: 'session_start_confirmation', value: 'flag' },
  { a: 'require_password', b: 'password_required', value: 'flag' },
  { a: 'allow_pause', b: 'pause_enabled', value: 'flag' },
  { a: 'show_loading_screen', b: 'start_with_loading_screen', value: 'flag' },
  { a: 'show_cursors', b: 'hide_cursors', value: 'flag', not: true },
  { a: 'videochat_autostart', b: 'start_with_videochat_on', value: 'flag' },
  { a: 'position', b: 'support_button_position', value: 'text' },
  { a: 'hide_selector', b: 'hide_element_by_selector', value: 'text' },
  { a: 'branding_primary_fg_color', b: 'branding_primary_text_color', value: 'text' },
  { a: 'branding_secondary_fg_color', b: 'branding_secondary_text_color', value: 'text' },
  { a: 'selected_regions', b: 'regions', value: 'list' },
] as const satisfies readonly RenamedOption[]

export const optionsOfA = {
  agent_can_end_session: 'flag',
  agent_can_request_control: 'flag',
  agent_can_take_control: 'flag',
  splash: 'flag',
  start_docked: 'flag',
  docked_only: 'flag',
  autohide_button: 'flag',
  sharing_button: 'flag',
  stealth_mode: 'flag',
  store_session_logs: 'flag',
  share_downloads: 'flag',
  proxy_only: 'flag',
  storage_log_bucket: 'text',
  region: 'text',
} as const

export const optionsOfB = {
  anyone_can_deactivate_space: 'flag',
  start_with_invite_modal: 'flag',
  start_with_chat_open: 'flag',
  hide_hide_support_button_placeholder_removed: 'flag',
  hide_support_button_when_unavailable: 'flag',
  invitations_allowed: 'flag',
  key_combo_to_start: 'flag',
  audit_logs_enabled: 'flag',
  download_trigger_enabled: 'flag',
} as const

interface RenamedOption {
  readonly a: string
  readonly b: string
  readonly value: keyof Values
  /** True in A means false in B. */
  readonly not?: true
}
