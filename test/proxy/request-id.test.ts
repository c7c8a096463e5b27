import { expect, it } from 'vitest'
import { chooseRequestId } from '../../src/proxy/request-id.ts'

const peer = (isTrusted: boolean) => ({ address: '192.0.2.1', isTrusted })
const GIVEN = 'front-end_0123456789'
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
