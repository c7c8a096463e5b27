/*
 * Every session option that the service names (spec 2.4). Its two descriptions use two sets of names: A in the reference
 * pages, B in the OpenAPI description. `sharedOptions` have one name in both. `renamedOptions` have two names for
 * the same thing, or with `not` for opposites. The others have a name in one set only: two that merely have the same place
 * in both lists (`splash`, `start_with_invite_modal`) are not documented to mean the same.
 */

/** What an option holds. `json`: a string that holds a JSON array. `key`: a number or a string. */
export type OptionKind = 'boolean' | 'string' | 'number' | 'json' | 'key' | 'strings' | 'list' | 'scopes'

export const sharedOptions = {
  videochat: 'boolean',
  cookie_transfer_enabled: 'boolean',
  cookie_transfer_proxying: 'boolean',
  cookie_transfer_urls: 'strings',
  cookie_transfer_scopes: 'scopes',
  enable_cookie_backtransfer: 'boolean',
  start_muted: 'boolean',
  format_session_id: 'boolean',
  verbose_console: 'boolean',
  white_label: 'boolean',
  hide_until_agent_joins: 'boolean',
  hidden: 'boolean',
  auto_start: 'boolean',
  block_until_agent_joins: 'boolean',
  end_of_session_popup_url: 'string',
  follower_redirect_url: 'string',
  leader_redirect_url: 'string',
  orphan_redirect_url: 'string',
  theme_font_color: 'string',
  theme_font_background: 'string',
  theme_font_size: 'number',
  widget_key: 'key',
  allowlist: 'json',
  blocklist: 'json',
  follower_drawing_selector: 'string',
  branding_primary_color: 'string',
  branding_secondary_color: 'string',
  branding_logo_url: 'string',
  branding_logo_link: 'string',
  dashboard_background_url: 'string',
  soft_end_filter: 'list',
  soft_session_end: 'boolean',
  shake_to_start: 'boolean',
  chat_integration: 'string',
  native_selects: 'boolean',
  language: 'string',
  url_mangling: 'boolean',
  private_session: 'boolean',
} as const satisfies OptionTable

export const renamedOptions = [
  { a: 'enable_sounds', b: 'sounds_enabled', kind: 'boolean' },
  { a: 'auto_restore', b: 'session_autorestore_enabled', kind: 'boolean' },
  { a: 'store_chat_logs', b: 'chat_logs_enabled', kind: 'boolean' },
  { a: 'allow_control_switching', b: 'host_switching_allowed', kind: 'boolean' },
  { a: 'disable_end_redirect', b: 'end_redirect_enabled', kind: 'boolean', not: true },
  { a: 'newurl', b: 'new_urls_allowed', kind: 'boolean' },
  { a: 'filesharing', b: 'filesharing_enabled', kind: 'boolean' },
  { a: 'allow_original_file_download', b: 'original_file_download_allowed', kind: 'boolean' },
  { a: 'ui_off', b: 'hide_session_ui', kind: 'boolean' },
  { a: 'only_embedded_sessions', b: 'embedded_sessions_only', kind: 'boolean' },
  { a: 'enable_native_dialogs', b: 'native_dialogs_enabled', kind: 'boolean' },
  { a: 'confirm_session_start', b: 'session_start_confirmation', kind: 'boolean' },
  { a: 'require_password', b: 'password_required', kind: 'boolean' },
  { a: 'allow_pause', b: 'pause_enabled', kind: 'boolean' },
  { a: 'show_loading_screen', b: 'start_with_loading_screen', kind: 'boolean' },
  { a: 'show_cursors', b: 'hide_cursors', kind: 'boolean', not: true },
  { a: 'videochat_autostart', b: 'start_with_videochat_on', kind: 'boolean' },
  { a: 'position', b: 'support_button_position', kind: 'string' },
  { a: 'hide_selector', b: 'hide_element_by_selector', kind: 'string' },
  { a: 'branding_primary_fg_color', b: 'branding_primary_text_color', kind: 'string' },
  { a: 'branding_secondary_fg_color', b: 'branding_secondary_text_color', kind: 'string' },
  { a: 'selected_regions', b: 'regions', kind: 'list' },
] as const satisfies readonly RenamedOption[]

export const optionsOfA = {
  agent_can_end_session: 'boolean',
  agent_can_request_control: 'boolean',
  agent_can_take_control: 'boolean',
  splash: 'boolean',
  start_docked: 'boolean',
  docked_only: 'boolean',
  autohide_button: 'boolean',
  sharing_button: 'boolean',
  stealth_mode: 'boolean',
  store_session_logs: 'boolean',
  share_downloads: 'boolean',
  proxy_only: 'boolean',
  storage_log_bucket: 'string',
  region: 'string',
} as const satisfies OptionTable

export const optionsOfB = {
  anyone_can_deactivate_space: 'boolean',
  start_with_invite_modal: 'boolean',
  start_with_chat_open: 'boolean',
  hide_hide_support_button_placeholder_removed: 'boolean',
  hide_support_button_when_unavailable: 'boolean',
  invitations_allowed: 'boolean',
  key_combo_to_start: 'boolean',
  audit_logs_enabled: 'boolean',
  download_trigger_enabled: 'boolean',
} as const satisfies OptionTable

export interface RenamedOption {
  readonly a: string
  readonly b: string
  readonly kind: OptionKind
  /** True in A means false in B. */
  readonly not?: true
}

type OptionTable = Readonly<Record<string, OptionKind>>
