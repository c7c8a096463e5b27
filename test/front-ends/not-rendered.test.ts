import { expect, it } from 'vitest'
import { reasonAgainstConfig } from './support/rendered.ts'

const at = (origin: string, path = '') => `${origin}${path}/service_cookie_transfer/`
const [a, plainA] = ['https://a.example', 'http://a.example']
const believing = { trustedProxies: ['loopback'] }
const believingNobody = { trustedProxies: [] }

/** Configs that are legal and yet not rendered, each beside one that is. */
it.each([
  ['h2o', 'a serve that believes its neighbours', [at(a)], believing, /set listen.trustedProxies to \[\]/],
  ['h2o', 'a host on http and https', [at(a), at(plainA)], believingNobody, /on http and on https/],
  ['h2o', 'a path with a control character', [at(a, '/%00')], believingNobody, /control characters/],
  ['h2o', 'nothing else', [at(a), at('http://b.example')], believingNobody, undefined],
  ['trafficserver', 'a path with a quote', [at(a, "/a'b'")], believing, /can’t contain a quote/],
  ['trafficserver', 'a path with a semicolon', [at(a, '/;')], believing, /a quote or a semicolon/],
  ['trafficserver', 'nothing else', [at(a), at(plainA, '/%3B%27%00(b)')], believing, undefined],
] as const)('%s does not get %s', (frontEnd, _what, points, listen, expected) => {
  const reason = reasonAgainstConfig(frontEnd, { points, listen })
  if (expected === undefined) expect(reason).toBeUndefined()
  else expect(reason).toMatch(expected)
})
