import { describe, expect, it } from 'vitest'
import { reasonAgainstConfig } from './support/rendered.ts'

const PREFIX = '/service_cookie_transfer/'
const believingNobody = { trustedProxies: [] }

/** Configs that are legal and yet not rendered, each beside one that is. */
const rows: readonly (readonly [
  frontEnd: string,
  what: string,
  points: readonly string[],
  listen: object,
  reason: RegExp | undefined,
])[] = [
  [
    'h2o',
    'a serve that believes its neighbours',
    [`https://a.example${PREFIX}`],
    {},
    /set listen.trustedProxies to \[\]/,
  ],
  [
    'h2o',
    'a host on http and https',
    [`https://a.example${PREFIX}`, `http://a.example${PREFIX}`],
    believingNobody,
    /on http and on https/,
  ],
  [
    'h2o',
    'a path with a control character',
    [`https://a.example/%00${PREFIX}`],
    believingNobody,
    /control characters/,
  ],
  [
    'h2o',
    'nothing else',
    [`https://a.example${PREFIX}`, `http://b.example${PREFIX}`],
    believingNobody,
    undefined,
  ],
  ['trafficserver', 'a path with a quote', [`https://a.example/a'b'${PREFIX}`], {}, /can’t contain a quote/],
  [
    'trafficserver',
    'a path with a semicolon',
    [`https://a.example/;${PREFIX}`],
    {},
    /a quote or a semicolon/,
  ],
  [
    'trafficserver',
    'nothing else',
    [`https://a.example${PREFIX}`, `http://a.example/%3B%27%00(b)${PREFIX}`],
    {},
    undefined,
  ],
]

describe('what is not rendered', () => {
  it.each(rows)('%s: %s', (frontEnd, _what, points, listen, expected) => {
    const reason = reasonAgainstConfig(frontEnd, { points, listen })
    if (expected === undefined) expect(reason).toBeUndefined()
    else expect(reason).toMatch(expected)
  })
})
