import { CACHE_OVERRIDES, FRONT_END_ORDERS, ORIGIN_WIDE } from '../../../src/forward/field-rules.ts'
import {
  addsAddress,
  addsNoForwarding,
  all,
  announcesNoWebSocket,
  answersPost,
  answersWithoutHost,
  arrivesDespite,
  asksForNoGzip,
  bothPoints,
  type Check,
  conforms,
  givesUp,
  hides,
  keepsOutField,
  keepsProto,
  largeAnswerHead,
  largeUpload,
  logsNoError,
  logsNothing,
  longTarget,
  manyLines,
  obeysNobody,
  refusesDots,
  refusesEncodedPrefix,
  streamsKnownLength,
  takesAbsolute,
} from './line-checks.ts'
import { PREFIX } from './started-site.ts'

/** Why a line is printed. */
export type Reason =
  /** Without it the server's own syntax check fails. */
  | 'syntax'
  /** Without it this fails. */
  | Check
  /** It can't be seen here, and this is why. */
  | { readonly unseen: string }

/** By what a line begins with; the first that fits counts. */
export type Reasons = readonly (readonly [start: string, reason: Reason])[]

/** Longer names first: one is the beginning of another. */
const removedFromAnswers: Reasons = [...ORIGIN_WIDE, ...FRONT_END_ORDERS, ...CACHE_OVERRIDES]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => [name, hides(name)])

/** What undoes a setting that the typical site does not have. */
const inherited = [
  ...['proxy_method', 'proxy_pass_request_', 'mirror', 'ssi', 'charset', 'set $continuation_nothing'],
  ...[
    'sub_filter',
    'add_before_body',
    'add_after_body',
    'proxy_busy_buffers_size',
    'proxy_temp_file_write_size',
    'proxy_max_temp_file_size',
    'proxy_force_ranges',
    'proxy_cookie_flags',
    'userid',
    'proxy_pass_header',
  ],
  ...['proxy_next_upstream', 'proxy_hide_header X-Accel-Redirect'],
]

const inInherited: Reason = { unseen: 'it takes a site that sets it; in inherited.test.ts' }

const nginxPassing: Reasons = [
  ...inherited.map((start): Reasons[number] => [
    start,
    { unseen: 'it takes a site that sets it; in inherited and observed-gaps.test.ts' },
  ]),
  ['proxy_pass', bothPoints],
  ['proxy_http_version', conforms('stream/upload-as-it-comes')],
  ['proxy_buffering', conforms('stream/body-as-it-comes')],
  ['proxy_request_buffering', conforms('stream/upload-as-it-comes')],
  ['proxy_buffer_size', largeAnswerHead],
  ['proxy_buffers', 'syntax'],
  ['client_max_body_size', largeUpload],
  ['gzip', conforms('answer/not-coded')],
  ['proxy_cache', conforms('cache/not-stored')],
  ['expires', conforms('cache/not-stored')],
  ['proxy_redirect', conforms('redirect/301')],
  ['proxy_cookie_path', conforms('set-cookie/one')],
  ['proxy_cookie_domain', conforms('set-cookie/domain')],
  ['error_page', conforms('answer/404')],
  ['proxy_ignore_headers', obeysNobody],
  ['access_log', logsNothing],
  ['log_format', 'syntax'],
  ['proxy_set_header X-Request-Id', keepsOutField('X-Request-Id')],
  ['large_client_header_buffers', conforms('cookie/32-kib')],
  ['location', bothPoints],
]

const inRequestIds: Reason = { unseen: 'it is about logs; in request-ids.test.ts' }
const inLongerWaits: Reason = { unseen: 'it takes seconds; in longer-waits.test.ts' }

const caddyIds: Reasons = [
  ['header ?X-Request-Id', inRequestIds],
  ['header_up X-Request-Id', keepsOutField('X-Request-Id')],
]

/** The second block of a point is for a site that rewrites its path; inherited.test.ts sees it as a whole. */
const caddyRestored: Reasons = [
  ['expression', inInherited],
  ['vars_regexp continuation_path', inInherited],
]

const apacheIds: Reasons = [
  ['RewriteEngine', inInherited],
  ['RewriteRule', inInherited],
  ['ProxyErrorOverride', inInherited],
  ['AddDefaultCharset', inInherited],
  ['SetEnv no-gzip', inInherited],
  ['<IfModule', inInherited],
  ['FilterChain', inInherited],
  ['ExpiresActive', inInherited],
  ['RequestHeader set X-Request-Id', keepsOutField('X-Request-Id')],
  ['SetEnv continuation-point', inRequestIds],
  ['GlobalLog', inRequestIds],
]

const haproxyOnce: Reasons = [
  ['defaults', 'syntax'],
  ['mode http', 'syntax'],
  ['timeout server', inLongerWaits],
  ['timeout ', { unseen: 'HAProxy only warns of a section without it' }],
  ['http-request set-header X-Request-Id', keepsOutField('X-Request-Id')],
  ['log', inRequestIds],
  ['http-request set-var', inRequestIds],
  ['server', bothPoints],
  ['listen', bothPoints],
  ['bind', bothPoints],
]

export const lineReasons: Readonly<Record<string, Reasons>> = {
  'nginx, route': [
    ['set $continuation_host', bothPoints],
    ['if ($http_host = "")', answersWithoutHost],
    ['proxy_set_header Host', bothPoints],
    ['proxy_set_header X-Forwarded-Proto', bothPoints],
    ['proxy_set_header X-Forwarded-For', keepsOutField('X-Forwarded-For')],
    ['proxy_set_header X-Forwarded-Host', arrivesDespite('X-Forwarded-Host', 'forged.example')],
    ['proxy_set_header Forwarded', arrivesDespite('Forwarded', 'proto=http')],
    ['include', bothPoints],
    ['proxy_read_timeout', inLongerWaits],
    ['proxy_send_timeout', { unseen: 'the kernel takes what a test can send' }],
    ['add_header', conforms('answer/fields')],
    ['error_log', { unseen: 'serve answers in every case; seen in forward mode' }],
    ['proxy_ignore_headers', { unseen: 'serve leaves these fields out itself; seen in forward mode' }],
    ...nginxPassing,
  ],
  'nginx, forward': [
    ['map $scheme', 'syntax'],
    ['include', bothPoints],
    ['if ($request_uri', refusesDots],
    ['return 400', refusesDots],
    ['if ($continuation_path', refusesEncodedPrefix],
    ['return 404', refusesEncodedPrefix],
    ['proxy_set_header X-Widget-Key', bothPoints],
    ['proxy_set_header X-Continuation-Origin', bothPoints],
    ['proxy_set_header X-Forwarded-For', keepsOutField('X-Forwarded-For')],
    ['proxy_connect_timeout', { unseen: 'loopback connects at once or never' }],
    ['proxy_read_timeout', givesUp],
    ['proxy_send_timeout', { unseen: 'the kernel takes what a test can send' }],
    ['proxy_set_header ', keepsOutField('{name}')],
    ...removedFromAnswers.map(([name, reason]) => [`proxy_hide_header ${name};`, reason] as const),
    ['add_header', conforms('cache/set-where-missing')],
    ['map $upstream_http_cache_control', 'syntax'],
    ['map $continuation_origin$request_uri', 'syntax'],
    ['"~', bothPoints],
    ['error_log', logsNoError],
    ...nginxPassing,
  ],
  'caddy, route': [
    ...caddyRestored,
    ['@continuation_point', 'syntax'],
    ['handle', bothPoints],
    ['import', bothPoints],
    ['reverse_proxy', bothPoints],
    ...caddyIds,
    ['header_up -X-Forwarded-Host', { unseen: 'Caddy replaces it unless the site trusts its clients' }],
    ['header_up -Forwarded', arrivesDespite('Forwarded', 'proto=http')],
    ['flush_interval', streamsKnownLength],
    ['transport', asksForNoGzip],
    ['compression', asksForNoGzip],
  ],
  'caddy, forward': [
    ...caddyRestored,
    ['handle', bothPoints],
    ['@continuation_point', 'syntax'],
    ['host ', { unseen: 'it is for a site with several names; in several-names.test.ts' }],
    ['path ', { unseen: 'it keeps the pages of the site there; in parts-in-site.test.ts' }],
    ['import', bothPoints],
    ['vars continuation', bothPoints],
    ['uri path_regexp', bothPoints],
    ['@continuation_refused', 'syntax'],
    ['vars_regexp', all(bothPoints, refusesDots)],
    ['respond @continuation_refused', refusesDots],
    ['@continuation_trace', 'syntax'],
    ['respond @continuation_trace', conforms('method/trace')],
    ['@continuation_no_key', 'syntax'],
    ['respond @continuation_no_key', { unseen: 'the key is there; a test of its own takes it away' }],
    ['request_header -Upgrade', conforms('fields/drops-upgrade')],
    ['request_header ', keepsOutField('{name}')],
    ...caddyIds,
    ['header ?Cache-Control', conforms('cache/set-where-missing')],
    ['reverse_proxy', bothPoints],
    ['header_up Host', bothPoints],
    ['header_up X-Widget-Key', bothPoints],
    ['header_up X-Continuation-Origin', bothPoints],
    ['header_up -X-Forwarded-Host', addsNoForwarding],
    ['header_up -X-Forwarded-Proto', addsNoForwarding],
    ['header_up ', keepsOutField('{name}')],
    ...removedFromAnswers.map(([name, reason]) => [`header_down -${name}`, reason] as const),
    ['flush_interval', streamsKnownLength],
    ['transport', asksForNoGzip],
    ['compression', asksForNoGzip],
    ['dial_timeout', { unseen: 'loopback connects at once or never' }],
    ['response_header_timeout', givesUp],
  ],
  'haproxy, route': [
    ['global', { unseen: 'the head of lines that are judged one by one' }],
    ['tune.bufsize', conforms('cookie/32-kib')],
    ['tune.http.maxhdr', manyLines],
    ['h2-workaround', announcesNoWebSocket],
    ['backend', 'syntax'],
    ['http-request set-header X-Forwarded-Proto', bothPoints],
    ['http-request del-header X-Forwarded-For', keepsOutField('X-Forwarded-For')],
    ['option forwardfor', { unseen: 'every address is on loopback; in observed-gaps.test.ts' }],
    ['http-request del-header X-Forwarded-Host', arrivesDespite('X-Forwarded-Host', 'forged.example')],
    ['http-request del-header Forwarded', arrivesDespite('Forwarded', 'proto=http')],
    ['option http-server-close', { unseen: 'serve answers in every case; seen in forward mode' }],
    ['http-reuse', { unseen: 'serve keeps its own connections to the service; seen in forward mode' }],
    ...haproxyOnce,
  ],
  'apache, route': [
    ['AllowEncodedSlashes', conforms('target/encoded-slash')],
    ['<Location', bothPoints],
    ['ProxyPass ', bothPoints],
    ['Include', bothPoints],
    ['RequestHeader set X-Forwarded-Proto', bothPoints],
    ['ProxyAddHeaders', inInherited],
    ['RequestHeader unset X-Forwarded-For', keepsOutField('X-Forwarded-For')],
    [
      'RequestHeader unset X-Forwarded-Host',
      { unseen: 'httpd adds its own after it, and serve reads the last' },
    ],
    ['RequestHeader unset Forwarded', arrivesDespite('Forwarded', 'proto=http')],
    ['RequestHeader edit* Connection', keepsProto],
    ...apacheIds,
    ['LogLevel', { unseen: 'serve answers in every case; seen in forward mode' }],
    ['LimitRequestLine', longTarget],
    ['LimitRequestFieldSize', conforms('cookie/32-kib')],
    ['LimitRequestFields', manyLines],
  ],
  'apache, forward': [
    ['AllowEncodedSlashes', conforms('target/encoded-slash')],
    ['TraceEnable', conforms('method/trace')],
    ['<Location', bothPoints],
    ['ProxyPass ', bothPoints],
    ['RequestHeader set X-Widget-Key', bothPoints],
    ['RequestHeader set X-Continuation-Origin', bothPoints],
    ...['X-Widget-Key', 'X-Continuation-Origin'].map((name): Reasons[number] => [
      `RequestHeader unset ${name}`,
      { unseen: 'it is for a name without a point; in several-names.test.ts' },
    ]),
    ['Include', all(keepsOutField('X_Widget_Key'), conforms('fields/forged-key-with-underscores', PREFIX))],
    ['<IfModule', inInherited],
    ['<If "%{HTTP_HOST} !~', { unseen: 'it is for a name without a point; in several-names.test.ts' }],
    ['<If "%{HTTP_HOST}', bothPoints],
    ['<If', refusesDots],
    ['Require all denied', { unseen: 'the block around it is judged as a whole' }],
    ['ProxyAddHeaders', addsNoForwarding],
    ['ProxyPreserveHost', inInherited],
    ['RequestHeader set X-Forwarded-For', keepsOutField('X-Forwarded-For')],
    ['RequestHeader edit* Connection', conforms('fields/forged-connection-lists-key')],
    ['RequestHeader unset ', keepsOutField('{name}')],
    ...removedFromAnswers.map(([name, reason]) => [`Header unset ${name}`, reason] as const),
    ['Header setifempty Cache-Control', conforms('cache/set-where-missing')],
    ...apacheIds,
    ['LogLevel', logsNoError],
    ['LimitRequestLine', longTarget],
    ['LimitRequestFieldSize', conforms('cookie/32-kib')],
    ['LimitRequestFields', manyLines],
  ],
  'haproxy, forward': [
    ['global', { unseen: 'the head of lines that are judged one by one' }],
    ['tune.bufsize', conforms('cookie/32-kib')],
    ['tune.http.maxhdr', manyLines],
    ['h2-workaround', announcesNoWebSocket],
    ['backend', 'syntax'],
    ['http-request return status 405', conforms('method/trace')],
    ["http-request deny deny_status 400 if { path -m reg -i '(?:/", refusesDots],
    [String.raw`http-request deny deny_status 400 if { path -m reg -i '\x5c`, conforms('target/encoded-nul')],
    [
      'http-request deny deny_status 400 if { url',
      { unseen: 'HAProxy refuses it by itself since CVE-2023-45539' },
    ],
    ["http-request del-header '^(", keepsOutField('X_Widget_Key')],
    ['http-request set-header Host', bothPoints],
    ['http-request set-header X-Continuation-Origin', bothPoints],
    ['http-request return status 503', { unseen: 'the key is there; a test of its own takes it away' }],
    ['http-request set-header X-Widget-Key', bothPoints],
    ['http-request del-header X-Forwarded-For', { unseen: 'loopback is trusted by default' }],
    ['http-request del-header ', keepsOutField('{name}')],
    ['option forwardfor', addsAddress],
    ['http-request set-uri', takesAbsolute],
    ['http-request replace-path', bothPoints],
    ...removedFromAnswers.map(([name, reason]) => [`http-response del-header ${name}`, reason] as const),
    ['http-response set-header Cache-Control', conforms('cache/set-where-missing')],
    ['option http-server-close', answersPost],
    ['http-reuse', conforms('connection/service-kept')],
    ...haproxyOnce,
  ],
}

/** The reason of a line; a field that is cleared is named in the line itself. */
export function reasonOf(reasons: Reasons, line: string): Reason | undefined {
  const found = reasons.find(([start]) => line.startsWith(start))
  if (found === undefined) return undefined
  const [, name] = CLEARED.exec(line) ?? []
  return found[0].endsWith(' ') && name !== undefined ? keepsOutField(name) : found[1]
}

const CLEARED =
  /^(?:proxy_set_header|RequestHeader unset|request_header|header_up|http-request del-header) -?([A-Za-z_-]+)/
