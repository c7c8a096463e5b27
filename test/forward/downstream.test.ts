import { expect, it } from 'vitest'
import { type DownstreamRequest, parseDownstreamRequest } from '../../src/forward/downstream.ts'
import type { FailureKind } from '../../src/forward/failure.ts'

/*
 * What test/compliance can't show on the wire: which fault of several is named, the octet at which a head is too large, and
 * framing that Node's parser refuses by itself.
 */

const HOST = ['Host', 'www.example.com']

/** What differs from a plain GET of an untrusted client on a listener without TLS. */
interface Row {
  readonly version?: string
  readonly target?: string
  readonly fields?: readonly string[]
  readonly headLimitBytes?: number
}

function parse({
  version = '1.1',
  target = '/',
  fields = HOST,
  headLimitBytes = 65_536,
}: Row): DownstreamRequest | FailureKind {
  const peer = { address: '192.0.2.2', isTrusted: false }
  const raw = { method: 'GET', url: target, httpVersion: version, rawHeaders: fields }
  return parseDownstreamRequest(raw, peer, undefined, headLimitBytes)
}

const withFields = (...fields: string[]) => ({ fields: [...HOST, ...fields] })
const OCTETS = 'GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n'.length

it.each<readonly [what: string, row: Row, failure: FailureKind]>([
  ['HTTP/0.9 without Host', { version: '0.9', fields: [] }, 'bad-message'],
  ['HTTP/2.0 without Host', { version: '2.0', fields: [] }, 'bad-version'],
  ['257 field lines, no Host among them', { fields: Array(257).fill(['X', '1']).flat() }, 'too-many-fields'],
  ['one octet more than allowed', { headLimitBytes: OCTETS - 1 }, 'head-too-large'],
  ['a bad Host beside a bad target', { fields: ['Host', '/'], target: '/../' }, 'bad-host'],
  ['no target', { target: '' }, 'bad-target'],
  ['two lengths', withFields('Content-Length', '1', 'content-length', '1'), 'bad-framing'],
  ['a signed length', withFields('Content-Length', '+1'), 'bad-framing'],
  ['a length of 16 digits', withFields('Content-Length', '1000000000000000'), 'bad-framing'],
  ['a length and chunks', withFields('Content-Length', '1', 'Transfer-Encoding', 'chunked'), 'bad-framing'],
  ['chunked not last', withFields('Transfer-Encoding', 'chunked, gzip'), 'bad-framing'],
])('a request is refused, and the first fault in this order names the reason: %s', (_what, row, failure) => {
  expect(parse(row)).toBe(failure)
})

it('a head of exactly as many octets as allowed is accepted', () => {
  expect(parse({ headLimitBytes: OCTETS })).toMatchObject({ authority: 'www.example.com', body: undefined })
})

it('256 field lines are accepted, and kept in their order, case and repetition', () => {
  const { fields } = withFields(...Array(127).fill(['x-B', '1', 'X-b', '']).flat(), 'X-a', '1')
  expect(parse({ fields })).toMatchObject({ fields })
})
