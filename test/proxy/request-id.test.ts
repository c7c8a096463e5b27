import { expect, it } from 'vitest'
import { chooseRequestId, parseTraceId } from '../../src/proxy/request-id.ts'

const peer = (isTrusted: boolean) => ({ address: '192.0.2.1', isTrusted })
const GIVEN = 'front-end_@0123456789'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it.each<[string, boolean, string[], 'kept' | 'new']>([
  ['of a trusted peer', true, ['X-Request-Id', GIVEN], 'kept'],
  ['of a trusted peer, in another case', true, ['x-request-ID', GIVEN], 'kept'],
  ['of an untrusted peer', false, ['X-Request-Id', GIVEN], 'new'],
  ['given twice', true, ['X-Request-Id', GIVEN, 'X-Request-Id', GIVEN], 'new'],
  ['too short', true, ['X-Request-Id', '1234567'], 'new'],
  ['too long', true, ['X-Request-Id', 'a'.repeat(65)], 'new'],
  ['with other characters', true, ['X-Request-Id', 'sid=secret; a"b'], 'new'],
  ['not given', true, [], 'new'],
])('the id %s', (_what, isTrusted, fields, expected) => {
  const id = chooseRequestId(fields, peer(isTrusted))()
  if (expected === 'kept') expect(id).toBe(GIVEN)
  else expect(id).toMatch(UUID)
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

it.each<[string, string[], string | undefined]>([
  ['of this version', [`00-${TRACE}-${SPAN}-01`], TRACE],
  ['of a later version, which may say more', [`01-${TRACE}-${SPAN}-01-more`], TRACE],
  ['of this version, with more', [`00-${TRACE}-${SPAN}-01-more`], undefined],
  ['of the forbidden version', [`ff-${TRACE}-${SPAN}-01`], undefined],
  ['in upper case', [`00-${TRACE.toUpperCase()}-${SPAN}-01`], undefined],
  ['of zeros', [`00-${'0'.repeat(32)}-${SPAN}-01`], undefined],
  ['of a span of zeros', [`00-${TRACE}-${'0'.repeat(16)}-01`], undefined],
  ['cut short', [`00-${TRACE}`], undefined],
  ['that comes twice', [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`], undefined],
  ['that is not there', [], undefined],
])('the trace id of a traceparent %s', (_what, values, expected) => {
  expect(parseTraceId(values.flatMap((value) => ['Traceparent', value]))).toBe(expected)
})
