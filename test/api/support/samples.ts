/* Answers as the service's tables describe them, without types: the client's own schemas have to accept them. */

export const agent = {
  agent_id: 12,
  agent_name: 'Ada',
  agent_email: 'ada@example.com',
  last_login: '2024-05-01T08:30:00.123456Z',
  role: 'agent',
  available: true,
}

export const session = {
  id: '345678912',
  session_id: '345678912',
  formatted_id: '345-678-912',
  agent_id: null,
  follower_link: 'https://cobrowse.example.net/345-678-912',
  cobro_server_name: 'eu1',
  start_time: '2024-05-01T08:30:00.123456Z',
  duration: null,
  end_time: null,
  participant_num: 2,
  successful_start: true,
  queue_id: 7,
  pin: '0042',
  queued: false,
  waiting_time: null,
  start_url: 'https://www.example.com/',
  meta: '{"name":"Bo"}',
  tags: ['sales'],
  videochat_archive_id: null,
  space: null,
  options: { enable_sounds: true, widget_key: 0, allowlist: '[]', cookie_transfer_urls: [] },
}

export const ended = { ...session, end_time: '2024-05-01T08:40:00.123456Z', duration: 600 }

export const client = {
  company_name: 'Example',
  client_key: 'ck-1',
  agent_count: 5,
  widget_key: 'wk-1',
  rest_key: 'rk-1',
  domains: '*.example.com,example.org',
}

export const webhook = {
  id: 3,
  url: 'https://hooks.example.com/',
  category: 'session.started',
  enabled: true,
  ssl_verification: true,
  company_id: 9,
}

export const options = {
  sounds_enabled: false,
  cookie_transfer_enabled: true,
  cookie_transfer_proxying: true,
  cookie_transfer_urls: ['https://www.example.com/service_cookie_transfer/'],
  cookie_transfer_scopes: [{ name: 'sid', domain: '.example.com', path: '/', httponly: true }],
  enable_cookie_backtransfer: false,
  an_option_of_tomorrow: { deep: [1] },
}
