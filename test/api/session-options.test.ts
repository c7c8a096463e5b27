import { describe, expect, test } from 'vitest'
import {
  optionsOfA,
  optionsOfB,
  renamedOptions,
  type SessionOptions,
  sharedOptions,
  toNamingSet,
} from '../../src/api/session-options.ts'

/** As the service's description lists them (section 2.4). */
const setA = `enable_sounds videochat agent_can_end_session auto_restore cookie_transfer_enabled
  agent_can_request_control cookie_transfer_proxying store_chat_logs allow_control_switching start_muted
  format_session_id disable_end_redirect agent_can_take_control splash verbose_console newurl start_docked
  autohide_button white_label filesharing hide_until_agent_joins hidden allow_original_file_download docked_only ui_off
  sharing_button auto_start block_until_agent_joins only_embedded_sessions stealth_mode end_of_session_popup_url
  follower_redirect_url leader_redirect_url position theme_font_color theme_font_background theme_font_size widget_key
  allowlist blocklist cookie_transfer_urls cookie_transfer_scopes enable_native_dialogs confirm_session_start
  store_session_logs share_downloads orphan_redirect_url follower_drawing_selector hide_selector storage_log_bucket
  branding_primary_color branding_primary_fg_color branding_secondary_color branding_secondary_fg_color
  branding_logo_url branding_logo_link dashboard_background_url allow_pause show_loading_screen show_cursors
  require_password soft_end_filter proxy_only shake_to_start chat_integration native_selects soft_session_end language
  url_mangling private_session videochat_autostart region selected_regions`.split(/\s+/)

const setB =
  `sounds_enabled videochat anyone_can_deactivate_space session_autorestore_enabled cookie_transfer_enabled
  cookie_transfer_proxying chat_logs_enabled host_switching_allowed start_muted format_session_id end_redirect_enabled
  start_with_invite_modal verbose_console new_urls_allowed start_with_chat_open
  hide_hide_support_button_placeholder_removed hide_support_button_when_unavailable white_label filesharing_enabled
  hide_until_agent_joins hidden original_file_download_allowed hide_session_ui invitations_allowed auto_start
  block_until_agent_joins embedded_sessions_only key_combo_to_start end_of_session_popup_url follower_redirect_url
  leader_redirect_url support_button_position theme_font_color theme_font_background theme_font_size widget_key
  allowlist blocklist cookie_transfer_urls cookie_transfer_scopes native_dialogs_enabled session_start_confirmation
  audit_logs_enabled password_required download_trigger_enabled orphan_redirect_url follower_drawing_selector
  hide_element_by_selector branding_primary_color branding_primary_text_color branding_secondary_color
  branding_secondary_text_color branding_logo_url branding_logo_link dashboard_background_url pause_enabled
  start_with_loading_screen hide_cursors soft_end_filter chat_integration soft_session_end language url_mangling
  shake_to_start private_session native_selects start_with_videochat_on regions`.split(/\s+/)

test.each([
  ['A', setA, optionsOfA, renamedOptions.map(({ a }) => a)],
  ['B', setB, optionsOfB, renamedOptions.map(({ b }) => b)],
] as const)('set %s is complete', (_set, documented, own, renamed) => {
  const known = [...Object.keys(sharedOptions), ...Object.keys(own), ...renamed]
  const others = ['enable_cookie_backtransfer']
  expect(known.sort()).toEqual([...documented, ...others].sort())
})

describe('toNamingSet', () => {
  test.each<readonly ['A' | 'B', SessionOptions, object]>([
    ['A', { sounds_enabled: true }, { enable_sounds: true }],
    ['B', { enable_sounds: true }, { sounds_enabled: true }],
    [
      'B',
      { show_cursors: true, disable_end_redirect: false },
      { hide_cursors: false, end_redirect_enabled: true },
    ],
    [
      'A',
      { hide_cursors: true, end_redirect_enabled: false },
      { show_cursors: false, disable_end_redirect: true },
    ],
    ['A', { hidden: true, splash: true, region: 'eu' }, { hidden: true, splash: true, region: 'eu' }],
    ['B', { splash: true, tomorrow: [1] }, { splash: true, tomorrow: [1] }],
    ['B', JSON.parse('{ "show_cursors": "odd" }'), { hide_cursors: 'odd' }],
    ['B', { ui_off: true, hide_session_ui: false }, { hide_session_ui: false }],
    ['B', { hide_session_ui: false, ui_off: true }, { hide_session_ui: false }],
    ['A', { selected_regions: ['eu'], position: 'left' }, { selected_regions: ['eu'], position: 'left' }],
  ])('%s of %j', (set, options, renamed) => {
    expect(set === 'A' ? toNamingSet(options, 'A') : toNamingSet(options, 'B')).toEqual(renamed)
  })
})
