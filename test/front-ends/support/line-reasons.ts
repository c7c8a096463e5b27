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
  refusesOtherHost,
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

/** By what a line begins with; the longest that fits counts. */
export type Reasons = readonly (readonly [reason: Reason, ...starts: string[]])[]

const hidden = (toStart: (name: string) => string): Reasons =>
  [...ORIGIN_WIDE, ...FRONT_END_ORDERS, ...CACHE_OVERRIDES].map((name) => [hides(name), toStart(name)])

const inInherited: Reason = { unseen: 'it takes a site that sets it; in inherited and observed-gaps.test.ts' }
const inRequestIds: Reason = { unseen: 'it is about logs; in request-ids.test.ts' }
const inLongerWaits: Reason = { unseen: 'it takes seconds; in longer-waits.test.ts' }
const inSeveralNames: Reason = { unseen: 'it is for a site with several names; in several-names.test.ts' }
const inPartsInSite: Reason = { unseen: 'it is about the rest of the site; in parts-in-site.test.ts' }
const inForwardMode: Reason = { unseen: 'serve does it too; seen in forward mode' }
const atOnce: Reason = { unseen: 'loopback connects at once, and the kernel takes what a test can send' }

const nginxPassing: Reasons = [
  // What undoes a setting that the typical site does not have.
  [inInherited, 'proxy_method', 'proxy_pass_request_', 'mirror', 'ssi', 'charset'],
  [inInherited, 'set $continuation_nothing', 'sub_filter', 'add_before_body', 'add_after_body', 'userid'],
  [inInherited, 'proxy_busy_buffers_size', 'proxy_temp_file_write_size', 'proxy_max_temp_file_size'],
  [inInherited, 'proxy_force_ranges', 'proxy_cookie_flags', 'proxy_pass_header', 'proxy_next_upstream'],
  [inInherited, 'proxy_hide_header X-Accel-Redirect'],
  [bothPoints, 'proxy_pass', 'location', 'include'],
  ['syntax', 'proxy_buffers', 'log_format'],
  [conforms('stream/upload-as-it-comes'), 'proxy_http_version', 'proxy_request_buffering'],
  [conforms('stream/body-as-it-comes'), 'proxy_buffering'],
  [largeAnswerHead, 'proxy_buffer_size'],
  [largeUpload, 'client_max_body_size'],
  [conforms('answer/not-coded'), 'gzip'],
  [conforms('cache/not-stored'), 'proxy_cache', 'expires'],
  [conforms('redirect/301'), 'proxy_redirect'],
  [conforms('set-cookie/one'), 'proxy_cookie_path'],
  [conforms('set-cookie/domain'), 'proxy_cookie_domain'],
  [conforms('answer/404'), 'error_page'],
  [logsNothing, 'access_log'],
  [keepsOutField('X-Request-Id'), 'proxy_set_header X-Request-Id'],
  [keepsOutField('X-Forwarded-For'), 'proxy_set_header X-Forwarded-For'],
  [conforms('cookie/32-kib'), 'large_client_header_buffers'],
  [atOnce, 'proxy_send_timeout', 'proxy_connect_timeout'],
]

const caddyCommon: Reasons = [
  // The second block of a point is for a site that rewrites its path; inherited.test.ts sees it as a whole.
  [inInherited, 'expression', 'vars_regexp continuation_path'],
  ['syntax', '@continuation_point'],
  [bothPoints, 'handle', 'import', 'reverse_proxy'],
  [inRequestIds, 'header ?X-Request-Id'],
  [keepsOutField('X-Request-Id'), 'header_up X-Request-Id'],
  [streamsKnownLength, 'flush_interval'],
  [asksForNoGzip, 'transport', 'compression'],
]

const apacheCommon: Reasons = [
  [inInherited, 'RewriteEngine', 'RewriteRule', 'ProxyErrorOverride', 'AddDefaultCharset', 'SetEnv no-gzip'],
  [inInherited, '<IfModule', 'FilterChain', 'ExpiresActive', 'Options -Includes'],
  [{ unseen: 'it takes HTTP/2; in pushed.test.ts' }, 'SetEnv proxy-interim-response'],
  [keepsOutField('X-Request-Id'), 'RequestHeader set X-Request-Id'],
  [inRequestIds, 'SetEnv continuation-point', 'GlobalLog'],
  [conforms('target/encoded-slash'), 'AllowEncodedSlashes'],
  [bothPoints, '<Location', 'ProxyPass '],
  [longTarget, 'LimitRequestLine'],
  [conforms('cookie/32-kib'), 'LimitRequestFieldSize'],
  [manyLines, 'LimitRequestFields'],
]

const haproxyCommon: Reasons = [
  [{ unseen: 'the head of lines that are judged one by one' }, 'global'],
  [conforms('cookie/32-kib'), 'tune.bufsize'],
  [manyLines, 'tune.http.maxhdr'],
  [announcesNoWebSocket, 'h2-workaround'],
  ['syntax', 'defaults', 'mode http', 'backend'],
  [inLongerWaits, 'timeout server'],
  [{ unseen: 'HAProxy only warns of a section without it' }, 'timeout '],
  [keepsOutField('X-Request-Id'), 'http-request set-header X-Request-Id'],
  [inRequestIds, 'log', 'http-request set-var'],
  [bothPoints, 'server', 'listen', 'bind'],
]

export const lineReasons: Readonly<Record<string, Reasons>> = {
  'nginx, route': [
    ...nginxPassing,
    [bothPoints, 'set $continuation_host', 'proxy_set_header Host', 'proxy_set_header X-Forwarded-Proto'],
    [answersWithoutHost, 'if ($http_host = "")'],
    [refusesOtherHost, 'if ($continuation_hosts', 'return 400'],
    [arrivesDespite('X-Forwarded-Host', 'forged.example'), 'proxy_set_header X-Forwarded-Host'],
    [arrivesDespite('Forwarded', 'proto=http'), 'proxy_set_header Forwarded'],
    [inLongerWaits, 'proxy_read_timeout'],
    [conforms('answer/fields'), 'add_header'],
    [inForwardMode, 'error_log', 'proxy_ignore_headers'],
  ],
  'nginx, forward': [
    ...nginxPassing,
    ['syntax', 'map '],
    [refusesDots, 'if ($request_uri', 'return 400'],
    [refusesEncodedPrefix, 'if ($continuation_path', 'return 404'],
    [bothPoints, 'proxy_set_header X-Widget-Key', 'proxy_set_header X-Continuation-Origin', '"~'],
    [givesUp, 'proxy_read_timeout'],
    [keepsOutField('{name}'), 'proxy_set_header '],
    ...hidden((name) => `proxy_hide_header ${name};`),
    [conforms('cache/set-where-missing'), 'add_header'],
    [logsNoError, 'error_log'],
    [obeysNobody, 'proxy_ignore_headers'],
  ],
  'caddy, route': [
    ...caddyCommon,
    [{ unseen: 'Caddy replaces it unless the site trusts its clients' }, 'header_up -X-Forwarded-Host'],
    [arrivesDespite('Forwarded', 'proto=http'), 'header_up -Forwarded'],
  ],
  'caddy, forward': [
    ...caddyCommon,
    [inSeveralNames, 'host '],
    [inPartsInSite, 'path ', 'respond @continuation_no_key'],
    [bothPoints, 'vars continuation', 'uri path_regexp'],
    ['syntax', '@continuation_refused', '@continuation_trace', '@continuation_no_key'],
    [all(bothPoints, refusesDots), 'vars_regexp'],
    [refusesDots, 'respond @continuation_refused'],
    [conforms('method/trace'), 'respond @continuation_trace'],
    [conforms('fields/drops-upgrade'), 'request_header -Upgrade'],
    [keepsOutField('{name}'), 'request_header ', 'header_up '],
    [conforms('cache/set-where-missing'), 'header ?Cache-Control'],
    [bothPoints, 'header_up Host', 'header_up X-Widget-Key', 'header_up X-Continuation-Origin'],
    [addsNoForwarding, 'header_up -X-Forwarded-Host', 'header_up -X-Forwarded-Proto'],
    ...hidden((name) => `header_down -${name}`),
    [atOnce, 'dial_timeout'],
    [givesUp, 'response_header_timeout'],
  ],
  'haproxy, route': [
    ...haproxyCommon,
    [bothPoints, 'http-request set-header X-Forwarded-Proto'],
    [keepsOutField('X-Forwarded-For'), 'http-request del-header X-Forwarded-For'],
    [{ unseen: 'every address is on loopback; in observed-gaps.test.ts' }, 'option forwardfor'],
    [arrivesDespite('X-Forwarded-Host', 'forged.example'), 'http-request del-header X-Forwarded-Host'],
    [arrivesDespite('Forwarded', 'proto=http'), 'http-request del-header Forwarded'],
    [inForwardMode, 'option http-server-close', 'http-reuse'],
  ],
  'apache, route': [
    ...apacheCommon,
    [bothPoints, 'Include', 'RequestHeader set X-Forwarded-Proto'],
    [inInherited, 'ProxyAddHeaders'],
    [keepsOutField('X-Forwarded-For'), 'RequestHeader unset X-Forwarded-For'],
    [
      { unseen: 'httpd adds its own after it, and serve reads the last' },
      'RequestHeader unset X-Forwarded-Host',
    ],
    [arrivesDespite('Forwarded', 'proto=http'), 'RequestHeader unset Forwarded'],
    [keepsProto, 'RequestHeader edit* Connection'],
    [inForwardMode, 'LogLevel'],
  ],
  'apache, forward': [
    ...apacheCommon,
    [conforms('method/trace'), 'TraceEnable'],
    [bothPoints, 'RequestHeader set X-Widget-Key', 'RequestHeader set X-Continuation-Origin'],
    [bothPoints, '<If "%{HTTP_HOST}'],
    [inSeveralNames, 'RequestHeader unset X-Widget-Key', 'RequestHeader unset X-Continuation-Origin'],
    [inSeveralNames, '<If "%{HTTP_HOST} !~'],
    [all(keepsOutField('X_Widget_Key'), conforms('fields/forged-key-with-underscores', PREFIX)), 'Include'],
    [refusesDots, '<If'],
    [{ unseen: 'the block around it is judged as a whole' }, 'Require all denied'],
    [addsNoForwarding, 'ProxyAddHeaders'],
    [inInherited, 'ProxyPreserveHost'],
    [keepsOutField('X-Forwarded-For'), 'RequestHeader set X-Forwarded-For'],
    [conforms('fields/forged-connection-lists-key'), 'RequestHeader edit* Connection'],
    [keepsOutField('{name}'), 'RequestHeader unset '],
    ...hidden((name) => `Header unset ${name}`),
    [conforms('cache/set-where-missing'), 'Header setifempty Cache-Control'],
    [logsNoError, 'LogLevel'],
  ],
  'haproxy, forward': [
    ...haproxyCommon,
    [conforms('method/trace'), 'http-request return status 405'],
    [refusesDots, "http-request deny deny_status 400 if { path -m reg -i '(?:/"],
    [conforms('target/encoded-nul'), String.raw`http-request deny deny_status 400 if { path -m reg -i '\x5c`],
    [
      { unseen: 'HAProxy refuses it by itself since CVE-2023-45539' },
      'http-request deny deny_status 400 if { url',
    ],
    [keepsOutField('X_Widget_Key'), "http-request del-header '^("],
    [bothPoints, 'http-request set-header Host', 'http-request set-header X-Continuation-Origin'],
    [bothPoints, 'http-request set-header X-Widget-Key', 'http-request replace-path'],
    [inPartsInSite, 'http-request return status 503'],
    [{ unseen: 'loopback is trusted by default' }, 'http-request del-header X-Forwarded-For'],
    [keepsOutField('{name}'), 'http-request del-header '],
    [addsAddress, 'option forwardfor'],
    [takesAbsolute, 'http-request set-uri'],
    ...hidden((name) => `http-response del-header ${name}`),
    [conforms('cache/set-where-missing'), 'http-response set-header Cache-Control'],
    [answersPost, 'option http-server-close'],
    [conforms('connection/service-kept'), 'http-reuse'],
  ],
}

/** The reason of a line; a field that is cleared is named in the line itself. */
export function reasonOf(reasons: Reasons, line: string): Reason | undefined {
  const fitting = reasons.flatMap(([reason, ...starts]) =>
    starts.filter((start) => line.startsWith(start)).map((start) => ({ reason, start })),
  )
  const [longest] = fitting.toSorted((a, b) => b.start.length - a.start.length)
  const [, name] = CLEARED.exec(line) ?? []
  return longest?.start.endsWith(' ') && name !== undefined ? keepsOutField(name) : longest?.reason
}

const CLEARED =
  /^(?:proxy_set_header|RequestHeader unset|request_header|header_up|http-request del-header) -?([A-Za-z_-]+)/
