import { describe, expect, it } from 'vitest'
import { type DownstreamRequest, parseDownstreamRequest } from '../../src/forward/downstream.ts'
import type { FailureKind } from '../../src/forward/failure.ts'

const HOST = ['Host', 'www.example.com']
const TRUSTED = { address: '192.0.2.1', isTrusted: true }
const STRANGER = { address: '192.0.2.2', isTrusted: false }

/** What differs from a plain GET of an untrusted client on a listener without TLS. */
interface Row {
  readonly version?: string
  readonly method?: string
  readonly target?: string
  readonly fields?: readonly string[]
  readonly peer?: typeof TRUSTED
  readonly listener?: 'https'
  readonly headLimitBytes?: number
}

function parse(row: Row): DownstreamRequest | FailureKind {
  const { version = '1.1', method = 'GET', target = '/', fields = HOST, peer = STRANGER, listener } = row
  const { headLimitBytes = 65_536 } = row
  return parseDownstreamRequest(
    { method, url: target, httpVersion: version, rawHeaders: fields },
    peer,
    listener,
    headLimitBytes,
  )
}

const lines = (count: number) => Array(count).fill(['X', '1']).flat()
const withFields = (...fields: string[]) => ({ fields: [...HOST, ...fields] })

it('a head of exactly as many octets as allowed is accepted', () => {
  expect(parse({ headLimitBytes: 'GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n'.length })).toBeTypeOf(
    'object',
  )
})

describe('a request is refused, and the first fault in this order names the reason', () => {
  it.each<readonly [what: string, row: Row, failure: FailureKind]>([
    ['HTTP/0.9', { version: '0.9', fields: [] }, 'bad-message'],
    ['HTTP/2.0', { version: '2.0', fields: [] }, 'bad-version'],
    ['HTTP/1.2', { version: '1.2', fields: [] }, 'bad-version'],
    ['a head of more octets than allowed', { headLimitBytes: 40 }, 'head-too-large'],
    ['257 field lines, no Host among them', { fields: lines(257) }, 'too-many-fields'],
    ['no Host', { fields: [] }, 'bad-host'],
    ['two Hosts', withFields('host', 'www.example.com'), 'bad-host'],
    ['an empty Host', { fields: ['Host', ''] }, 'bad-host'],
    ['a Host with userinfo', { fields: ['Host', 'a@www.example.com'] }, 'bad-host'],
    ['a bad Host beside a bad target', { fields: ['Host', '/'], target: '/../' }, 'bad-host'],
    ['a dot segment', { target: '/a/../b' }, 'bad-target'],
    ['an encoded dot segment', { target: '/a/%2e%2E/b' }, 'bad-target'],
    ['a fragment', { target: '/#a' }, 'bad-target'],
    ['no target', { target: '' }, 'bad-target'],
    ['another authority in the target', { target: 'http://other.example/' }, 'target-not-host'],
    ['another port in the target', { target: 'http://www.example.com:8080/' }, 'target-not-host'],
    ['the default port of the other scheme', { target: 'http://www.example.com:443/' }, 'target-not-host'],
    ['GET *', { target: '*' }, 'bad-target'],
    ['TRACE', { method: 'TRACE' }, 'method-not-allowed'],
    ['CONNECT', { method: 'CONNECT' }, 'method-not-allowed'],
    [
      'contradicting fields of a trusted proxy',
      { ...withFields('X-Forwarded-Proto', 'https', 'Forwarded', 'proto=http'), peer: TRUSTED },
      'bad-forwarding',
    ],
    [
      'an invalid forwarded host',
      { ...withFields('X-Forwarded-Host', 'a b'), peer: TRUSTED },
      'bad-forwarding',
    ],
    ['two lengths', withFields('Content-Length', '1', 'content-length', '1'), 'bad-framing'],
    ['a signed length', withFields('Content-Length', '+1'), 'bad-framing'],
    ['a length of 16 digits', withFields('Content-Length', '1000000000000000'), 'bad-framing'],
    [
      'a length beside chunks',
      withFields('Content-Length', '1', 'Transfer-Encoding', 'chunked'),
      'bad-framing',
    ],
    ['chunks in HTTP/1.0', { ...withFields('Transfer-Encoding', 'chunked'), version: '1.0' }, 'bad-framing'],
    [
      'a coding that does not end in chunked',
      withFields('Transfer-Encoding', 'chunked, gzip'),
      'bad-framing',
    ],
    ['another coding below chunked', withFields('Transfer-Encoding', 'gzip, chunked'), 'unknown-coding'],
    ['an unknown expectation', withFields('Expect', '200-ok'), 'unknown-expectation'],
    [
      'two expectations',
      withFields('Expect', '100-continue', 'Expect', '100-continue'),
      'unknown-expectation',
    ],
  ])('%s', (_what, row, failure) => {
    expect(parse(row)).toBe(failure)
  })
})

describe('what is known of a request that is not refused', () => {
  it.each<readonly [what: string, row: Row, known: Partial<DownstreamRequest>]>([
    ['a plain GET', {}, { method: 'GET', version: '1.1', authority: 'www.example.com', scheme: undefined }],
    ['256 field lines', { fields: [...HOST, ...lines(255)] }, { authority: 'www.example.com' }],
    ['no body', {}, { body: undefined, expectation: 'none' }],
    ['an empty body', withFields('Content-Length', '0'), { body: undefined }],
    ['a length', withFields('Content-Length', '12'), { body: 12 }],
    ['chunks, whatever the case', withFields('transfer-encoding', 'Chunked'), { body: 'chunked' }],
    [
      '100-continue, whatever the case',
      withFields('Expect', '100-Continue'),
      { expectation: '100-continue' },
    ],
    [
      '100-continue of HTTP/1.0',
      { ...withFields('Expect', '100-continue'), version: '1.0' },
      { expectation: 'none' },
    ],
    [
      'a Host in upper case, with its port',
      { fields: ['HOST', 'WWW.Example.com:80'] },
      { authority: 'www.example.com:80' },
    ],
    ['a method of the client’s own', { method: 'PURGE' }, { method: 'PURGE' }],
    ['OPTIONS *', { method: 'OPTIONS', target: '*' }, { method: 'OPTIONS' }],
    ['a listener with TLS', { listener: 'https' }, { scheme: 'https' }],
    ['a target’s own scheme says nothing', { target: 'https://www.example.com/' }, { scheme: undefined }],
    [
      'a target with the default port',
      { target: 'http://www.example.com:80/' },
      { authority: 'www.example.com' },
    ],
  ])('%s', (_what, row, known) => {
    expect(parse(row)).toMatchObject(known)
  })
})

describe('the octets that arrived are those that are matched and forwarded', () => {
  it.each([
    ['/a?b', '/a', '/a?b'],
    ['/a%2Fb//c;d?e=%00&f=\\', '/a%2Fb//c;d', '/a%2Fb//c;d?e=%00&f=\\'],
    ['/%7Euser/%61', '/%7Euser/%61', '/%7Euser/%61'],
    ['/%252e%252e/?', '/%252e%252e/', '/%252e%252e/?'],
    ['HTTP://WWW.example.com/A?b', '/A', '/A?b'],
    ['http://www.example.com?b', '/', '/?b'],
  ])('%s', (target, path, pathAndQuery) => {
    expect(parse({ target })).toMatchObject({ target: { path, pathAndQuery } })
  })

  it('and so are the field lines: order, case and repetition', () => {
    const { fields } = withFields('x-B', '1', 'X-a', '', 'X-B', '2')
    expect(parse({ fields })).toMatchObject({ fields })
  })
})

describe('forwarding fields', () => {
  const PROTO = withFields('X-Forwarded-Proto', 'http, https')
  const OTHER_HOST = withFields('X-Forwarded-Host', 'other.example, Shop.example:8080')

  it.each<readonly [what: string, row: Row, known: Partial<DownstreamRequest>]>([
    ['the last scheme of a trusted proxy', { ...PROTO, peer: TRUSTED }, { scheme: 'https' }],
    [
      'it wins over the listener',
      { ...withFields('X-Forwarded-Proto', 'http'), peer: TRUSTED, listener: 'https' },
      { scheme: 'http' },
    ],
    [
      'the scheme in Forwarded',
      { ...withFields('Forwarded', 'for=192.0.2.9;proto=https'), peer: TRUSTED },
      { scheme: 'https' },
    ],
    [
      'the last host of a trusted proxy',
      { ...OTHER_HOST, peer: TRUSTED },
      { authority: 'shop.example:8080' },
    ],
    [
      'a host in Forwarded is only compared',
      { ...withFields('Forwarded', 'host=other.example'), peer: TRUSTED },
      { authority: 'www.example.com' },
    ],
    ['a stranger’s scheme', PROTO, { scheme: undefined }],
    ['a stranger’s host', OTHER_HOST, { authority: 'www.example.com' }],
    [
      'a stranger’s contradiction',
      withFields('X-Forwarded-Proto', 'https', 'Forwarded', 'proto=http'),
      { scheme: undefined },
    ],
  ])('%s', (_what, row, known) => {
    expect(parse(row)).toMatchObject(known)
  })
})
