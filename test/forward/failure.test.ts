import { describe, expect, it } from 'vitest'
import { errorCode, upstreamFailure } from '../../src/forward/error-code.ts'
import { FAILURES, type FailureKind } from '../../src/forward/failure.ts'

/** An error as Node, undici and OpenSSL give them: their messages contain an address. */
function errorWith(code: unknown, name = 'Error'): Error {
  return Object.assign(new Error('connect 10.1.2.3:443 for service.internal'), { code, name })
}

describe('upstreamFailure: the kind comes from the code', () => {
  it.each<readonly [code: string, kind: FailureKind]>([
    ['ENOTFOUND', 'upstream-dns'],
    ['EAI_AGAIN', 'upstream-dns'],
    ['ECONNREFUSED', 'upstream-refused'],
    ['EHOSTUNREACH', 'upstream-unreachable'],
    ['ENETUNREACH', 'upstream-unreachable'],
    ['ECONNRESET', 'upstream-reset'],
    ['EPIPE', 'upstream-reset'],
    ['UND_ERR_SOCKET', 'upstream-reset'],
    ['ETIMEDOUT', 'upstream-connect-timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'upstream-connect-timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'upstream-head-timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'upstream-stall'],
    ['UND_ERR_HEADERS_OVERFLOW', 'upstream-head-too-large'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'upstream-truncated'],
    ['HPE_INVALID_CONSTANT', 'upstream-malformed'],
    ['CERT_HAS_EXPIRED', 'upstream-tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'upstream-tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'upstream-tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'upstream-tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'upstream-tls'],
    ['EPROTO', 'upstream-tls'],
    ['UND_ERR_CLOSED', 'draining'],
    ['ERR_INVALID_ARG_TYPE', 'internal'],
  ])('%s: %s', (code, kind) => {
    expect(upstreamFailure(errorWith(code))).toBe(kind)
  })

  it('an error without a code is known by its name', () => {
    expect(upstreamFailure(errorWith('', 'HTTPParserError'))).toBe('upstream-malformed')
    expect(upstreamFailure(new TypeError('10.1.2.3'))).toBe('internal')
  })

  it('the first of several errors counts', () => {
    const several = new AggregateError([errorWith('ECONNREFUSED'), errorWith('ENETUNREACH')])
    expect(upstreamFailure(several)).toBe('upstream-refused')
  })
})

it.each([
  [errorWith('ECONNREFUSED'), 'ECONNREFUSED'],
  [errorWith('connect 10.1.2.3'), 'Error'],
  [errorWith('E'.repeat(65)), 'Error'],
  [errorWith(7), 'Error'],
  [errorWith(undefined, 'TypeError'), 'TypeError'],
  [new AggregateError([errorWith('EHOSTUNREACH')]), 'EHOSTUNREACH'],
  [new AggregateError([]), 'AggregateError'],
  ['10.1.2.3', 'UNKNOWN'],
  [undefined, 'UNKNOWN'],
])('errorCode never repeats what an error says, %#: %s', (error, code) => {
  expect(errorCode(error)).toBe(code)
})

describe('the table', () => {
  it.each(Object.entries(FAILURES))(
    '%s: its status shows which side caused it',
    (_kind, { status, source }) => {
      const expected = { downstream: /^4..$|^505$|^501$/, upstream: /^50[24]$/, proxy: /^50[038]$/ }[source]
      expect(`${status}`).toMatch(expected)
    },
  )

  it.each(Object.entries(FAILURES))('%s: its texts are sentences', (_kind, { detail, next }) => {
    expect([detail, next]).toEqual([detail, next].map((text) => text.replace(/\.?$/, '.')))
  })
})
