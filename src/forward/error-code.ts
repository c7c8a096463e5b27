import type { FailureKind } from './failure.ts'

/** The kind of a failed round trip, from the error code of undici, Node or OpenSSL: messages contain addresses. */
export function upstreamFailure(error: unknown): FailureKind {
  const code = errorCode(error)
  const kind = KIND_BY_CODE.get(code)
  if (kind !== undefined) return kind
  if (code.startsWith('HPE_')) return 'upstream-malformed'
  if (code.startsWith('EAI_')) return 'upstream-dns'
  if (/^(?:ERR_TLS|ERR_SSL|CERT|UNABLE_TO)_|SELF_SIGNED|^HOSTNAME_MISMATCH$|^INVALID_|^EPROTO$/.test(code))
    return 'upstream-tls'
  return /^E[A-Z0-9]+$/.test(code) ? 'upstream-unreachable' : 'internal'
}

/** The code of an error, or of the first of several; its name if it has no code. Safe to log: neither contains data. */
export function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0])
  if (!(error instanceof Error)) return 'UNKNOWN'
  const code = (error as NodeJS.ErrnoException).code
  return typeof code === 'string' && /^[A-Z0-9_/]{1,64}$/.test(code) ? code : error.name.slice(0, 64)
}

const KIND_BY_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ['ENOTFOUND', 'upstream-dns'],
  ['ECONNREFUSED', 'upstream-refused'],
  ['ECONNRESET', 'upstream-reset'],
  ['ECONNABORTED', 'upstream-reset'],
  ['EPIPE', 'upstream-reset'],
  ['UND_ERR_SOCKET', 'upstream-reset'],
  ['ETIMEDOUT', 'upstream-connect-timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'upstream-connect-timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'upstream-head-timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'upstream-stall'],
  ['UND_ERR_HEADERS_OVERFLOW', 'upstream-head-too-large'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'upstream-truncated'],
  // The error's name: undici 7 leaves its code empty.
  ['HTTPParserError', 'upstream-malformed'],
  ['UND_ERR_CLOSED', 'draining'],
  ['UND_ERR_DESTROYED', 'draining'],
])
