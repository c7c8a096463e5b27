import { describe, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { openStage, setUpStage } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

describe.each([
  ['append', 'a trusted peer', ['loopback']],
  ['append', 'a peer of a trusted block', ['192.0.2.1', '127.0.0.0/8']],
  ['append', 'a peer that is not trusted', ['192.0.2.0/24', '::1/128']],
  ['append', 'a peer when no address is trusted', []],
  ['omit', 'a trusted peer', ['loopback']],
  ['omit', 'a peer that is not trusted', []],
] as const)('X-Forwarded-For, %s, from %s', (clientAddress, _peer, trustedProxies) => {
  const stage = setUpStage({ forward: { clientAddress }, listen: { trustedProxies } })

  const isTrusted = trustedProxies.some((block) => block === 'loopback' || block.startsWith('127.'))

  it.each([
    ['', '127.0.0.1'],
    ['X-Forwarded-For: 192.0.2.60\r\n', '192.0.2.60, 127.0.0.1'],
    [
      'x-forwarded-for: 192.0.2.60,  unknown, "[2001:db8::1]:4711"\r\n',
      '192.0.2.60,  unknown, "[2001:db8::1]:4711", 127.0.0.1',
    ],
    ['X-Forwarded-For: 192.0.2.60\r\nX-FORWARDED-FOR: 192.0.2.61\r\n', '192.0.2.60, 192.0.2.61, 127.0.0.1'],
    ['X-Forwarded-For:\r\n', '127.0.0.1'],
    ['Forwarded: for=192.0.2.60;by=203.0.113.43\r\n', '127.0.0.1'],
    ['X-Forwarded-Port: 443\r\nX-Forwarded-Server: inner\r\n', '127.0.0.1'],
    ['Connection: x-forwarded-for\r\nX-Forwarded-For: 192.0.2.60\r\n', '192.0.2.60, 127.0.0.1'],
  ])('%j', async (lines, believed) => {
    const address = isTrusted ? believed : '127.0.0.1'
    await stage.expectForwarded(`${HEAD}${lines}\r\n`, {
      forwardedFor: clientAddress === 'omit' ? undefined : address,
    })
  })
})

it('with the client address omitted, it is not sent under any other name', async () => {
  const stage = await openForTest(openStage({ forward: { clientAddress: 'omit' } }))
  const names = ['X-Real-IP', 'true-client-ip', 'CF-Connecting-IPv6', 'X_Real_IP', 'x.envoy-external_address']
  const lines = names.map((name) => `${name}: 192.0.2.60\r\n`).join('')
  await stage.expectForwarded(`${HEAD}${lines}\r\n`, { forwardedFor: undefined })
})

describe('Via (RFC 9110 section 7.6.3)', () => {
  const stage = setUpStage()

  it.each([
    'Via: 1.1 front.example\r\n',
    'via: HTTP/1.1 front.example:8080 (Apache), 1.0 fred\r\n',
    'Via: 1.1 a\r\nVia: 1.1 b\r\n',
    'Via: 1.1 not-continuation-point\r\n',
    'Via: 1.1 front.example (1.1 continuation-point)\r\n',
    'Via: continuation-point\r\n',
    'Via: \r\n',
  ])('%j stays, and ours comes last', (lines) => stage.expectForwarded(`${HEAD}${lines}\r\n`, { lines }))

  it.each([
    'Via: 1.1 continuation-point\r\n',
    'VIA: HTTP/1.1\tContinuation-Point (x)\r\n',
    'Via: 1.0 fred, 1.1 continuation-point, 1.1 cache.example\r\n',
    'Via: 1.1 a\r\nVia: 1.1 continuation-point\r\n',
    'Via: 1.1 a (x, y), 2 continuation-point\r\n',
    'Connection: via\r\nVia: 1.1 continuation-point\r\n',
  ])('%j has passed here before', (lines) => stage.expectRefused(`${HEAD}${lines}\r\n`, 508, 'loop'))

  it('names HTTP/1.0 for a request that came in it', async () => {
    const octets = 'GET /service_cookie_transfer/ HTTP/1.0\r\nHost: www.example.com\r\n\r\n'
    await stage.expectForwarded(octets, { via: '1.0 continuation-point' }, 'closed')
  })
})
