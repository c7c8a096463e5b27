import { describe, expect, it } from 'vitest'
import { findBlocked } from '../../../src/check/read/content-policy.ts'
import { readCookies, readLastAnswer } from '../../../src/check/read/page-visit.ts'

const PAGE = new URL('https://www.example.com/start')
const POINT = 'https://www.example.com/service_cookie_transfer/'

describe('a content security policy', () => {
  it.each([
    ['', POINT],
    ['script-src https://cdn.example', POINT],
    ["default-src 'self'", POINT],
    ["default-src 'none'; connect-src 'self'", POINT],
    ["connect-src 'SELF'; connect-src 'none'", POINT],
    ['CONNECT-SRC *', POINT],
    // Mixed content is blocked for another reason, which has a rule of its own.
    ['connect-src *', 'http://www.example.com/service_cookie_transfer/'],
    ['connect-src https:', POINT],
    ['connect-src http://www.example.com', POINT],
    ['connect-src www.example.com:443/service_cookie_transfer/', POINT],
    ['connect-src *.example.com', 'https://shop.example.com/service_cookie_transfer/'],
    ['connect-src https://www.example.com:*', 'https://www.example.com:8443/service_cookie_transfer/'],
  ])('%j lets %s through', (policy, url) => {
    expect(findBlocked(policy, PAGE, [new URL(url)]).blocked).toEqual([])
  })

  it.each([
    ["default-src 'none'", POINT, "default-src 'none'"],
    ['connect-src', POINT, 'connect-src'],
    ["default-src *; connect-src 'none'", POINT, "connect-src 'none'"],
    ["connect-src 'self'", 'https://shop.example.com/service_cookie_transfer/', "connect-src 'self'"],
    ["connect-src 'self'", 'https://www.example.com:8443/x/', "connect-src 'self'"],
    ['connect-src *.example.com', 'https://example.com/x/', 'connect-src *.example.com'],
    ['connect-src https://www.example.com/other', POINT, 'connect-src https://www.example.com/other'],
    ['connect-src https:', 'http://www.example.com/x/', 'connect-src https:'],
  ])('%j keeps %s out', (policy, url, directive) => {
    const found = findBlocked(policy, PAGE, [new URL(url)])
    expect(found).toEqual({ directive, blocked: [new URL(url)] })
  })
})

it('policies and cookies of a page are read, but not the values of cookies', () => {
  const fields = [
    ...['Content-Security-Policy', "default-src 'self', img-src *"],
    ...['Set-Cookie', 'sid=secret=1; Path=/; HttpOnly'],
    // RFC 6265bis section 5.6: without an equals sign it is all value.
    ...['Set-Cookie', 'secret; Path=/a; Domain=b'],
  ]
  const body =
    '<!-- <meta http-equiv="Content-Security-Policy" content="default-src x"> -->' +
    '<META content="connect-src &#39;self&#39;" HTTP-EQUIV=content-security-policy>' +
    '<meta name="x" content="connect-src y">'
  const reply = { kind: 'response', status: 200, fields, body } as const
  expect(readLastAnswer(PAGE.href, reply, false, { authorities: [], keys: [] })).toEqual({
    kind: 'response',
    url: PAGE.href,
    status: 200,
    widget: { kind: 'absent' },
    policies: ["default-src 'self'", 'img-src *', "connect-src 'self'"],
  })
  expect(readCookies(PAGE.href, reply).map(({ line }) => line)).toEqual([
    'sid=; Path=/; HttpOnly',
    '; Path=/a; Domain=b',
  ])
})
