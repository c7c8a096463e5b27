/**
 * How a request can end without a complete response of the service: the status, the Proxy-Status error (RFC 9209 section
 * 2.3), which side caused it, and the public text. Nothing here depends on a request, so nothing of a request can leak.
 */
export interface Failure {
  readonly status: number
  readonly error: ProxyError
  readonly source: 'downstream' | 'upstream' | 'proxy'
  readonly title: string
  /** What happened, in one sentence. */
  readonly detail: string
  /** What to do next. */
  readonly next: string
  /** When to retry. */
  readonly retryAfterSeconds?: number
}

export type FailureKind = keyof typeof FAILURES

type ProxyError =
  | 'http_request_error'
  | 'http_request_denied'
  | 'destination_not_found'
  | 'destination_unavailable'
  | 'dns_error'
  | 'connection_refused'
  | 'connection_terminated'
  | 'connection_timeout'
  | 'connection_limit_reached'
  | 'tls_certificate_error'
  | 'tls_protocol_error'
  | 'http_protocol_error'
  | 'http_response_content_coding'
  | 'http_response_header_section_size'
  | 'http_response_incomplete'
  | 'http_response_timeout'
  | 'http_upgrade_failed'
  | 'proxy_internal_error'
  | 'proxy_loop_detected'

function downstream(
  status: number,
  title: string,
  detail: string,
  next: string,
  error: ProxyError = 'http_request_error',
): Failure {
  return { status, error, source: 'downstream', title, detail, next }
}

function badRequest(title: string, detail: string, next: string): Failure {
  return downstream(400, title, detail, next)
}

function upstream(error: ProxyError, title: string, detail: string, next: string = CHECK_SERVICE): Failure {
  return { status: 502, error, source: 'upstream', title, detail, next }
}

function timeout(error: ProxyError, detail: string, next?: string): Failure {
  return { ...upstream(error, 'Service timeout', detail, next), status: 504 }
}

function proxy(status: number, error: ProxyError, title: string, detail: string, next: string): Failure {
  return { status, error, source: 'proxy', title, detail, next }
}

function later(retryAfterSeconds: number, title: string, detail: string, next: string): Failure {
  return { ...proxy(503, 'connection_limit_reached', title, detail, next), retryAfterSeconds }
}

const CHECK_SERVICE =
  'Try again. If it persists, start the service, or correct service.url or the network from the proxy to it.'

export const FAILURES = {
  'bad-message': badRequest(
    'Bad request',
    'The request is not valid HTTP/1.1, so it was not forwarded.',
    'Check what the client or your web server or proxy sends.',
  ),
  'bad-version': downstream(
    505,
    'HTTP version not supported',
    'The request is not HTTP/1.1.',
    'Make the client or your web server or proxy use HTTP/1.1 here.',
  ),
  'bad-host': badRequest(
    'Bad Host',
    'The Host header is missing, repeated or malformed.',
    'Send exactly one valid Host header.',
  ),
  'bad-target': badRequest(
    'Bad request-target',
    'The path contains a dot segment, a backslash, a control character or a fragment.',
    'Send a path without them.',
  ),
  'target-not-host': badRequest(
    'Request-target and Host differ',
    'The request-target names another host than Host does.',
    'Send the same authority in both, or only a path.',
  ),
  'bad-forwarding': badRequest(
    'Contradictory forwarding headers',
    'X-Forwarded-Proto, X-Forwarded-Host and Forwarded disagree, or name a scheme other than http and https.',
    'Let your web server or proxy set X-Forwarded-Proto and remove the others.',
  ),
  'bad-framing': badRequest(
    'Bad body framing',
    'The length of the body is unclear.',
    'Send the body with one Content-Length or chunked, not both.',
  ),
  'unknown-coding': downstream(
    501,
    'Transfer coding not supported',
    'The body has a transfer coding other than chunked.',
    'Send the body with Content-Length or chunked.',
  ),
  'method-not-allowed': downstream(
    405,
    'Method not allowed',
    'TRACE would echo httpOnly cookies and CONNECT would open a tunnel, so neither is forwarded.',
    'Use another method.',
    'http_request_denied',
  ),
  'too-many-fields': downstream(
    431,
    'Too many headers',
    'The request has more than 256 header lines.',
    'Send fewer.',
  ),
  'head-too-large': downstream(
    431,
    'Request head too large',
    'Cookies and other headers together exceed limits.headerBytes.',
    'Remove cookies of this site, or raise the limit.',
  ),
  'unknown-authority': downstream(
    421,
    'Misdirected request',
    'No continuation point in the config has the host of this request.',
    'Compare it with the address bar: your web server or proxy must pass Host on unchanged, port included, and "points" must list it.',
    'destination_not_found',
  ),
  'other-scheme': downstream(
    421,
    'Misdirected request',
    'The continuation points on this host are for the other scheme, and http and https are different origins.',
    'Let your web server or proxy send X-Forwarded-Proto with the scheme of the visitor.',
    'destination_not_found',
  ),
  'ambiguous-scheme': downstream(
    421,
    'Misdirected request',
    'This host has continuation points on http and on https, and nothing says which one is meant.',
    'Let your web server or proxy send X-Forwarded-Proto, and list it in listen.trustedProxies.',
    'destination_not_found',
  ),
  'unknown-path': downstream(
    404,
    'Not a continuation point',
    'The host is right, but no continuation point in the config has this path.',
    'Compare the path in the address bar with "points": cookie path, prefix and last slash.',
    'destination_not_found',
  ),
  'unknown-expectation': downstream(
    417,
    'Expectation failed',
    'The Expect header contains something other than 100-continue.',
    'Send the request without it.',
  ),
  'body-too-large': downstream(
    413,
    'Content too large',
    'The body exceeds limits.bodyBytes.',
    'Send less, or raise the limit.',
  ),
  'request-timeout': downstream(
    408,
    'Request timeout',
    'The request stopped arriving before it was complete.',
    'Send it again.',
  ),
  loop: proxy(
    508,
    'proxy_loop_detected',
    'Loop detected',
    'The request passed through this proxy before.',
    'Point service.url at the service: it leads back here.',
  ),
  overloaded: later(1, 'Overloaded', 'Too many requests are in flight.', 'Try again soon.'),
  draining: later(1, 'Shutting down', 'This instance is stopping.', 'Try again: another one will answer.'),
  'body-taken': proxy(
    500,
    'proxy_internal_error',
    'Body already read',
    'Something in front of the continuation points reads request bodies.',
    'Mount the points before every body parser: app.use(points.listener) comes before express.json().',
  ),
  internal: proxy(
    500,
    'proxy_internal_error',
    'Internal error',
    'This is a fault of the proxy.',
    'Look for the id of this request in its log.',
  ),
  'upstream-dns': upstream(
    'dns_error',
    'Service not found',
    'The name of the service does not resolve.',
    'Correct the host in service.url, or DNS on the machine of the proxy.',
  ),
  'upstream-refused': upstream(
    'connection_refused',
    'Service unreachable',
    'The service refused the connection.',
  ),
  'upstream-unreachable': upstream(
    'destination_unavailable',
    'Service unreachable',
    'There is no connection to the service.',
  ),
  'upstream-tls': upstream(
    'tls_certificate_error',
    'Service not trusted',
    'The TLS connection to the service could not be verified.',
    'Correct service.url, or put the authority of its certificate into service.ca.',
  ),
  'upstream-reset': upstream(
    'connection_terminated',
    'Service closed the connection',
    'The service closed the connection before it answered.',
  ),
  'upstream-malformed': upstream(
    'http_protocol_error',
    'Malformed response',
    'The response of the service is not valid HTTP.',
    'Check the scheme and port of service.url.',
  ),
  'upstream-coding': upstream(
    'http_response_content_coding',
    'Unwanted content coding',
    'The service encoded its response although it was asked not to.',
    'Switch compression off at the service, or let it obey Accept-Encoding.',
  ),
  'upstream-truncated': upstream(
    'http_response_incomplete',
    'Incomplete response',
    'The response of the service ended early.',
    'Try again.',
  ),
  'upstream-head-too-large': upstream(
    'http_response_header_section_size',
    'Response head too large',
    'The head of the service’s response exceeds 64 KiB.',
    'Check which headers and cookies the service sets.',
  ),
  'upstream-upgrade': upstream(
    'http_upgrade_failed',
    'Unexpected upgrade',
    'The service switched protocols without being asked.',
    'Check that service.url is the service.',
  ),
  'upstream-connect-timeout': timeout(
    'connection_timeout',
    'There was no connection to the service within timeouts.connect.',
  ),
  'upstream-queue-timeout': timeout(
    'connection_limit_reached',
    'No connection to the service became free in time.',
    'Find out why the service is slow, or raise limits.upstreamConnections.',
  ),
  'upstream-head-timeout': timeout(
    'http_response_timeout',
    'The service did not answer within timeouts.headers.',
    'Find out why it is slow, or raise that timeout.',
  ),
  'upstream-stall': timeout(
    'http_response_timeout',
    'The service stalled for longer than timeouts.idle.',
    'Find out why it stalls, or raise that timeout.',
  ),
} as const satisfies Record<string, Failure>
