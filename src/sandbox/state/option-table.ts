import * as v from 'valibot'
import { boolean, listOf, number, objectOf, optional, type Schema, text, webUrl } from './schema.ts'

/** A session option under the names of both sets (spec 2.4); a name is absent where only the other set has the option. */
export interface SessionOption extends Kind {
  /** Under which the stand-in stores it. */
  readonly name: string
  readonly a?: string
  readonly b?: string
  /** The name in set B means the opposite of the one in set A. */
  readonly isOpposite?: true
}

/** What an option has to be, and its default in the sense of set A. */
interface Kind {
  readonly schema: Schema<unknown>
  readonly initial: unknown
}

const pair = (a: string, b: string, kind: Kind): SessionOption => ({ name: a, a, b, ...kind })
const both = (name: string, kind: Kind) => pair(name, name, kind)
const opposites = (a: string, b: string, kind: Kind) => ({ ...pair(a, b, kind), isOpposite: true }) as const
const onlyA = (a: string, kind: Kind): SessionOption => ({ name: a, a, ...kind })
const onlyB = (b: string, kind: Kind): SessionOption => ({ name: b, b, ...kind })

const off: Kind = { schema: boolean, initial: false }
const on: Kind = { schema: boolean, initial: true }
const words: Kind = { schema: text, initial: '' }
const encodedList: Kind = {
  schema: v.pipe(text, v.check(holdsArray, 'must be a string that holds a JSON array')),
  initial: '[]',
}
const list: Kind = { schema: listOf(v.unknown()), initial: [] }
/** A cookie scope as the service writes it (spec 2.4). **Ours:** without httponly it is that of a cookie that scripts read. */
export const scope = objectOf({ name: text, domain: text, path: text, httponly: optional(boolean, false) })

function holdsArray(value: string): boolean {
  try {
    return Array.isArray(JSON.parse(value))
  } catch {
    return false
  }
}

/**
 * Every option of both sets. **Ours:** the defaults (except those of cookie transfer, which spec 4.9 implies), the type of an
 * option whose type is not shown, and which names of the two sets mean one option: only the obvious ones.
 */
export const sessionOptions: readonly SessionOption[] = [
  both('cookie_transfer_enabled', on),
  both('cookie_transfer_proxying', off),
  both('cookie_transfer_urls', { schema: listOf(webUrl), initial: [] }),
  both('cookie_transfer_scopes', { schema: listOf(scope), initial: [] }),
  both('enable_cookie_backtransfer', off),
  pair('enable_sounds', 'sounds_enabled', on),
  both('videochat', on),
  pair('videochat_autostart', 'start_with_videochat_on', off),
  onlyA('agent_can_end_session', on),
  onlyB('anyone_can_deactivate_space', off),
  onlyA('agent_can_request_control', on),
  onlyA('agent_can_take_control', off),
  pair('auto_restore', 'session_autorestore_enabled', on),
  pair('store_chat_logs', 'chat_logs_enabled', off),
  onlyA('store_session_logs', off),
  onlyB('audit_logs_enabled', off),
  pair('allow_control_switching', 'host_switching_allowed', on),
  both('start_muted', off),
  both('format_session_id', on),
  opposites('disable_end_redirect', 'end_redirect_enabled', off),
  onlyA('splash', off),
  onlyB('start_with_invite_modal', off),
  both('verbose_console', off),
  pair('newurl', 'new_urls_allowed', on),
  onlyA('start_docked', off),
  onlyA('docked_only', off),
  onlyB('start_with_chat_open', off),
  onlyA('autohide_button', off),
  onlyB('hide_hide_support_button_placeholder_removed', off),
  onlyB('hide_support_button_when_unavailable', off),
  both('white_label', off),
  pair('filesharing', 'filesharing_enabled', on),
  both('hide_until_agent_joins', off),
  both('hidden', off),
  pair('allow_original_file_download', 'original_file_download_allowed', off),
  pair('ui_off', 'hide_session_ui', off),
  onlyA('sharing_button', on),
  onlyB('invitations_allowed', on),
  both('auto_start', off),
  both('block_until_agent_joins', off),
  pair('only_embedded_sessions', 'embedded_sessions_only', off),
  onlyA('stealth_mode', off),
  onlyB('key_combo_to_start', off),
  both('end_of_session_popup_url', words),
  both('follower_redirect_url', words),
  both('leader_redirect_url', words),
  both('orphan_redirect_url', words),
  pair('position', 'support_button_position', words),
  both('theme_font_color', words),
  both('theme_font_background', words),
  both('theme_font_size', { schema: number, initial: 14 }),
  both('widget_key', {
    schema: v.union([v.string(), v.literal(0)], 'must be a string, or 0 for none'),
    initial: '',
  }),
  both('allowlist', encodedList),
  both('blocklist', encodedList),
  pair('enable_native_dialogs', 'native_dialogs_enabled', off),
  pair('confirm_session_start', 'session_start_confirmation', off),
  onlyA('share_downloads', off),
  onlyB('download_trigger_enabled', off),
  both('follower_drawing_selector', words),
  pair('hide_selector', 'hide_element_by_selector', words),
  onlyA('storage_log_bucket', words),
  both('branding_primary_color', words),
  pair('branding_primary_fg_color', 'branding_primary_text_color', words),
  both('branding_secondary_color', words),
  pair('branding_secondary_fg_color', 'branding_secondary_text_color', words),
  both('branding_logo_url', words),
  both('branding_logo_link', words),
  both('dashboard_background_url', words),
  pair('allow_pause', 'pause_enabled', off),
  pair('show_loading_screen', 'start_with_loading_screen', off),
  opposites('show_cursors', 'hide_cursors', on),
  pair('require_password', 'password_required', off),
  both('soft_end_filter', list),
  onlyA('proxy_only', off),
  both('shake_to_start', off),
  both('chat_integration', words),
  both('native_selects', off),
  both('soft_session_end', off),
  both('language', words),
  both('url_mangling', off),
  both('private_session', off),
  onlyA('region', words),
  pair('selected_regions', 'regions', list),
]
