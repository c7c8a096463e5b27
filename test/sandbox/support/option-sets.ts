const continuation = {
  cookie_transfer_enabled: 'boolean',
  cookie_transfer_proxying: 'boolean',
  cookie_transfer_urls: 'strings',
  cookie_transfer_scopes: 'list',
  enable_cookie_backtransfer: 'boolean',
} as const

const named = <Kind extends string>(kind: Kind, names: string) =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, kind] as const))

/** The options of the service's document (section 2.4), by both sets of names, each with the kind of its values. */
export const optionSets = {
  a: {
    ...continuation,
    ...named(
      'boolean',
      `enable_sounds videochat agent_can_end_session auto_restore agent_can_request_control store_chat_logs
      allow_control_switching start_muted format_session_id disable_end_redirect agent_can_take_control splash
      verbose_console newurl start_docked autohide_button white_label filesharing hide_until_agent_joins hidden
      allow_original_file_download docked_only ui_off sharing_button auto_start block_until_agent_joins
      only_embedded_sessions stealth_mode enable_native_dialogs confirm_session_start store_session_logs share_downloads
      allow_pause show_loading_screen show_cursors require_password proxy_only shake_to_start native_selects
      soft_session_end url_mangling private_session videochat_autostart`,
    ),
    ...named(
      'string',
      `end_of_session_popup_url follower_redirect_url leader_redirect_url position theme_font_color theme_font_background
      orphan_redirect_url follower_drawing_selector hide_selector storage_log_bucket branding_primary_color
      branding_primary_fg_color branding_secondary_color branding_secondary_fg_color branding_logo_url branding_logo_link
      dashboard_background_url chat_integration language region`,
    ),
    ...named('json', 'allowlist blocklist'),
    ...named('list', 'soft_end_filter selected_regions'),
    theme_font_size: 'number',
    widget_key: 'key',
  },
  b: {
    ...continuation,
    ...named(
      'boolean',
      `sounds_enabled videochat anyone_can_deactivate_space session_autorestore_enabled chat_logs_enabled
      host_switching_allowed start_muted format_session_id end_redirect_enabled start_with_invite_modal verbose_console
      new_urls_allowed start_with_chat_open hide_hide_support_button_placeholder_removed
      hide_support_button_when_unavailable white_label filesharing_enabled hide_until_agent_joins hidden
      original_file_download_allowed hide_session_ui invitations_allowed auto_start block_until_agent_joins
      embedded_sessions_only key_combo_to_start native_dialogs_enabled session_start_confirmation audit_logs_enabled
      password_required download_trigger_enabled pause_enabled start_with_loading_screen hide_cursors soft_session_end
      url_mangling shake_to_start private_session native_selects start_with_videochat_on`,
    ),
    ...named(
      'string',
      `end_of_session_popup_url follower_redirect_url leader_redirect_url support_button_position theme_font_color
      theme_font_background orphan_redirect_url follower_drawing_selector hide_element_by_selector branding_primary_color
      branding_primary_text_color branding_secondary_color branding_secondary_text_color branding_logo_url
      branding_logo_link dashboard_background_url chat_integration language`,
    ),
    ...named('json', 'allowlist blocklist'),
    ...named('list', 'soft_end_filter regions'),
    theme_font_size: 'number',
    widget_key: 'key',
  },
} as const
