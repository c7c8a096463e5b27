import {
  anything,
  type Fields,
  flag,
  listOf,
  number,
  record,
  type Schema,
  text,
  textOrNumber,
  type ValueOf,
} from './schema.ts'

/** Options under the names of the reference pages. */
export type OptionsA = Named<typeof sharedOptions & typeof optionsOfA> & Renamed<'a'>

/** Options under the names of the OpenAPI description. */
export type OptionsB = Named<typeof sharedOptions & typeof optionsOfB> & Renamed<'b'>

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
  const [own, foreign] = set === 'A' ? (['a', 'b'] as const) : (['b', 'a'] as const)
  const [kept, translated] = [new Map<string, unknown>(), new Map<string, unknown>()]
  for (const [name, value] of Object.entries(options)) {
    const option: RenamedOption | undefined = renamedOptions.find((each) => each[foreign] === name)
    if (option === undefined) kept.set(name, value)
    else translated.set(option[own], option.not && typeof value === 'boolean' ? !value : value)
  }
  return Object.fromEntries([...translated, ...kept])
}

type Named<Table extends Readonly<Record<string, Schema<unknown>>>> = {
  readonly [Name in keyof Table]?: ValueOf<Table[Name]> | undefined
}

type Renamed<Side extends 'a' | 'b'> = {
  readonly [Row in (typeof renamedOptions)[number] as Row[Side]]?: ValueOf<Row['value']> | undefined
}

const scopeFields = {
  name: text,
  /** With a leading dot a domain cookie, without it a host-only cookie. */
  domain: text,
  path: text,
  httponly: flag,
}

/** A cookie to transfer, httpOnly or not (spec 2.4). */
export type CookieTransferScope = Fields<typeof scopeFields>

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

/*
 * Every session option that the service names (spec 2.4). Its two descriptions use two sets of names: A in the reference
 * pages, B in the OpenAPI description. `sharedOptions` have one name in both. `renamedOptions` have two names for
 * the same thing, or with `not` for opposites. The others have a name in one set only: two that merely have the same place
 * in both lists (`splash`, `start_with_invite_modal`) are not documented to mean the same.
 */

export const sharedOptions = {
  ...cookieOptions,
  videochat: flag,
  start_muted: flag,
  format_session_id: flag,
  verbose_console: flag,
  white_label: flag,
  hide_until_agent_joins: flag,
  hidden: flag,
  auto_start: flag,
  block_until_agent_joins: flag,
  end_of_session_popup_url: text,
  follower_redirect_url: text,
  leader_redirect_url: text,
  orphan_redirect_url: text,
  theme_font_color: text,
  theme_font_background: text,
  theme_font_size: number,
  widget_key: textOrNumber,
  allowlist: text,
  blocklist: text,
  follower_drawing_selector: text,
  branding_primary_color: text,
  branding_secondary_color: text,
  branding_logo_url: text,
  branding_logo_link: text,
  dashboard_background_url: text,
  soft_end_filter: listOf(anything),
  soft_session_end: flag,
  shake_to_start: flag,
  chat_integration: text,
  native_selects: flag,
  language: text,
  url_mangling: flag,
  private_session: flag,
}

export const renamedOptions = [
  { a: 'enable_sounds', b: 'sounds_enabled', value: flag },
  { a: 'auto_restore', b: 'session_autorestore_enabled', value: flag },
  { a: 'store_chat_logs', b: 'chat_logs_enabled', value: flag },
  { a: 'allow_control_switching', b: 'host_switching_allowed', value: flag },
  { a: 'disable_end_redirect', b: 'end_redirect_enabled', value: flag, not: true },
  { a: 'newurl', b: 'new_urls_allowed', value: flag },
  { a: 'filesharing', b: 'filesharing_enabled', value: flag },
  { a: 'allow_original_file_download', b: 'original_file_download_allowed', value: flag },
  { a: 'ui_off', b: 'hide_session_ui', value: flag },
  { a: 'only_embedded_sessions', b: 'embedded_sessions_only', value: flag },
  { a: 'enable_native_dialogs', b: 'native_dialogs_enabled', value: flag },
  { a: 'confirm_session_start', b: 'session_start_confirmation', value: flag },
  { a: 'require_password', b: 'password_required', value: flag },
  { a: 'allow_pause', b: 'pause_enabled', value: flag },
  { a: 'show_loading_screen', b: 'start_with_loading_screen', value: flag },
  { a: 'show_cursors', b: 'hide_cursors', value: flag, not: true },
  { a: 'videochat_autostart', b: 'start_with_videochat_on', value: flag },
  { a: 'position', b: 'support_button_position', value: text },
  { a: 'hide_selector', b: 'hide_element_by_selector', value: text },
  { a: 'branding_primary_fg_color', b: 'branding_primary_text_color', value: text },
  { a: 'branding_secondary_fg_color', b: 'branding_secondary_text_color', value: text },
  { a: 'selected_regions', b: 'regions', value: listOf(anything) },
] as const satisfies readonly RenamedOption[]

export const optionsOfA = {
  agent_can_end_session: flag,
  agent_can_request_control: flag,
  agent_can_take_control: flag,
  splash: flag,
  start_docked: flag,
  docked_only: flag,
  autohide_button: flag,
  sharing_button: flag,
  stealth_mode: flag,
  store_session_logs: flag,
  share_downloads: flag,
  proxy_only: flag,
  storage_log_bucket: text,
  region: text,
}

export const optionsOfB = {
  anyone_can_deactivate_space: flag,
  start_with_invite_modal: flag,
  start_with_chat_open: flag,
  hide_hide_support_button_placeholder_removed: flag,
  hide_support_button_when_unavailable: flag,
  invitations_allowed: flag,
  key_combo_to_start: flag,
  audit_logs_enabled: flag,
  download_trigger_enabled: flag,
}

interface RenamedOption {
  readonly a: string
  readonly b: string
  readonly value: Schema<unknown>
  /** True in A means false in B. */
  readonly not?: true
}
