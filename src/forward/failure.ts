/**
 * Every way in which a request ends without the service's own answer, on one screen: the status, the Proxy-Status
 * error (RFC 9209 section 2.3), whose doing it was, and the public words. Nothing here varies with a request, so
 * nothing of a request can leak.
 */
export interface Failure {
  readonly status: number
  readonly error: ProxyError
  readonly source: 'downstream' | 'upstream' | 'proxy'
  readonly title: string
  /** What the reader can do next. */
  readonly detail: string
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
  error: ProxyError = 'http_request_error',
): Failure {
  return { status, error, source: 'downstream', title, detail }
}

function upstream(status: number, error: ProxyError, title: string, detail: string): Failure {
  return { status, error, source: 'upstream', title, detail }
}

function proxy(status: number, error: ProxyError, title: string, detail: string): Failure {
  return { status, error, source: 'proxy', title, detail }
}

const CHECK_SERVICE =
  'Try again; if it stays, check service.url and the network from this host to the service.'

export const FAILURES = {
  'bad-message': downstream(
    400,
    'Bad request',
    'The request does not follow HTTP/1.1 and was not forwarded.',
  ),
  'bad-version': downstream(505, 'HTTP version not supported', 'Use HTTP/1.1.'),
  'bad-host': downstream(400, 'Bad Host', 'Send exactly one valid Host field.'),
  'bad-target': downstream(
    400,
    'Bad request-target',
    'Send a path without dot segments, backslashes, control octets or a fragment.',
  ),
  'target-not-host': downstream(
    400,
    'Request-target and Host differ',
    'The authority of an absolute-form request-target must equal Host.',
  ),
  'bad-forwarding': downstream(
    400,
    'Contradicting forwarding fields',
    'X-Forwarded-Proto, X-Forwarded-Host and Forwarded must agree and name http or https: check the front end.',
  ),
  'bad-framing': downstream(
    400,
    'Bad body framing',
    'Send the body with one Content-Length or chunked, not both.',
  ),
  'unknown-coding': downstream(501, 'Transfer coding not supported', 'Send the body plain or chunked.'),
  'method-not-allowed': downstream(
    405,
    'Method not allowed',
    'TRACE would echo httpOnly cookies and CONNECT would open a tunnel: neither is forwarded.',
    'http_request_denied',
  ),
  'too-many-fields': downstream(431, 'Too many fields', 'Send at most 256 field lines.'),
  'head-too-large': downstream(
    431,
    'Request head too large',
    'The cookies and other fields exceed limits.headerBytes: remove cookies or raise the limit.',
  ),
  'unknown-authority': downstream(
    421,
    'Misdirected request',
    'No continuation point has this authority: check the Host that arrives here, and the points in the config.',
    'destination_not_found',
  ),
  'other-scheme': downstream(
    421,
    'Misdirected request',
    'This authority has continuation points for the other scheme only: http and https are different origins.',
    'destination_not_found',
  ),
  'ambiguous-scheme': downstream(
    421,
    'Misdirected request',
    'This authority has continuation points for http and https: let the front end send X-Forwarded-Proto, and list it in listen.trustedProxies.',
    'destination_not_found',
  ),
  'unknown-path': downstream(
    404,
    'Not a continuation point',
    'No continuation point has this path: check the cookie path and the prefix in the URL.',
    'destination_not_found',
  ),
  'unknown-expectation': downstream(417, 'Expectation failed', 'Only Expect: 100-continue is understood.'),
  'body-too-large': downstream(413, 'Content too large', 'The body exceeds limits.bodyBytes.'),
  'request-timeout': downstream(408, 'Request timeout', 'The request stopped arriving: send it again.'),
  loop: proxy(
    508,
    'proxy_loop_detected',
    'Loop detected',
    'The request passed here before: service.url must not lead back to this proxy.',
  ),
  overloaded: proxy(
    503,
    'connection_limit_reached',
    'Overloaded',
    'Too many requests are in flight: try again soon.',
  ),
  draining: proxy(
    503,
    'connection_limit_reached',
    'Shutting down',
    'Try again: another instance will answer.',
  ),
  'body-taken': proxy(
    500,
    'proxy_internal_error',
    'Body already read',
    'Something in front of the continuation points reads request bodies: mount the points before body parsers.',
  ),
  internal: proxy(
    500,
    'proxy_internal_error',
    'Internal error',
    'This is a fault of the proxy: look for the instance in its log.',
  ),
  'upstream-dns': upstream(
    502,
    'dns_error',
    'Service not found',
    `The name of the service does not resolve. ${CHECK_SERVICE}`,
  ),
  'upstream-refused': upstream(
    502,
    'connection_refused',
    'Service unreachable',
    `The service refused the connection. ${CHECK_SERVICE}`,
  ),
  'upstream-unreachable': upstream(502, 'destination_unavailable', 'Service unreachable', CHECK_SERVICE),
  'upstream-tls': upstream(
    502,
    'tls_certificate_error',
    'Service not trusted',
    'No verified TLS connection to the service: check its certificate, service.url and service.ca.',
  ),
  'upstream-reset': upstream(502, 'connection_terminated', 'Service closed the connection', CHECK_SERVICE),
  'upstream-malformed': upstream(
    502,
    'http_protocol_error',
    'Malformed answer',
    'The service gave an answer that is not valid HTTP.',
  ),
  'upstream-truncated': upstream(
    502,
    'http_response_incomplete',
    'Incomplete answer',
    'The answer of the service ended early: try again.',
  ),
  'upstream-head-too-large': upstream(
    502,
    'http_response_header_section_size',
    'Answer head too large',
    'The head of the service’s answer exceeds 64 KiB.',
  ),
  'upstream-upgrade': upstream(
    502,
    'http_upgrade_failed',
    'Unasked upgrade',
    'The service switched protocols without being asked.',
  ),
  'upstream-connect-timeout': upstream(
    504,
    'connection_timeout',
    'Service timeout',
    `No connection within timeouts.connect. ${CHECK_SERVICE}`,
  ),
  'upstream-queue-timeout': upstream(
    504,
    'connection_limit_reached',
    'Service timeout',
    'No connection to the service came free in time: raise limits.upstreamConnections, or the service is slow.',
  ),
  'upstream-head-timeout': upstream(
    504,
    'http_response_timeout',
    'Service timeout',
    'The service did not answer within timeouts.headers.',
  ),
  'upstream-stall': upstream(
    504,
    'http_response_timeout',
    'Service timeout',
    'The service stalled for longer than timeouts.idle.',
  ),
} as const satisfies Record<string, Failure>

/**
 * The kind of a failed round trip, from the code of the error that undici, Node or OpenSSL gave. Codes are compared,
 * messages never: they hold addresses.
 */
export function upstreamFailure(error: unknown): FailureKind {
  const code = errorCode(error)
  const kind = KIND_BY_CODE[code]
  if (kind !== undefined) return kind
  if (code.startsWith('HPE_')) return 'upstream-malformed'
  if (code.startsWith('EAI_')) return 'upstream-dns'
  if (/^(?:ERR_TLS|ERR_SSL|CERT|UNABLE_TO)_|SELF_SIGNED|^HOSTNAME_MISMATCH$|^INVALID_|^EPROTO$/.test(code))
    return 'upstream-tls'
  return /^E[A-Z0-9]+$/.test(code) ? 'upstream-unreachable' : 'internal'
}

/** The code of an error, or of the first of several; its name when it has no code. Safe to log: neither holds data. */
export function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0])
  if (!(error instanceof Error)) return 'UNKNOWN'
  const code = (error as NodeJS.ErrnoException).code
  return typeof code === 'string' && /^[A-Z0-9_/]{1,64}$/.test(code) ? code : error.name.slice(0, 64)
}

const KIND_BY_CODE: Readonly<Record<string, FailureKind>> = {
  ENOTFOUND: 'upstream-dns',
  ECONNREFUSED: 'upstream-refused',
  ECONNRESET: 'upstream-reset',
  ECONNABORTED: 'upstream-reset',
  EPIPE: 'upstream-reset',
  UND_ERR_SOCKET: 'upstream-reset',
  ETIMEDOUT: 'upstream-connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'upstream-connect-timeout',
  UND_ERR_HEADERS_TIMEOUT: 'upstream-head-timeout',
  UND_ERR_BODY_TIMEOUT: 'upstream-stall',
  UND_ERR_HEADERS_OVERFLOW: 'upstream-head-too-large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'upstream-truncated',
  // The name of the error: undici 7 leaves its code empty.
  HTTPParserError: 'upstream-malformed',
  UND_ERR_CLOSED: 'draining',
  UND_ERR_DESTROYED: 'draining',
}
