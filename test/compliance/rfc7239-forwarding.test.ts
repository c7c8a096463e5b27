import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forwarded, openStage, type Stage } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

describe.each([
  ['append', 'a trusted peer', ['loopback']],
  ['append', 'a peer of a trusted block', ['192.0.2.1', '127.0.0.0/8']],
  ['append', 'a peer that is not trusted', ['192.0.2.0/24', '::1/128']],
  ['append', 'a peer when no address is trusted', []],
  ['omit', 'a trusted peer', ['loopback']],
  ['omit', 'a peer that is not trusted', []],
] as const)('X-Forwarded-For, %s, from %s', (clientAddress, _peer, trustedProxies) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ forward: { clientAddress }, listen: { trustedProxies } })
  })
  afterAll(() => stage.close())

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
    expect(await stage.play(`${HEAD}${lines}\r\n`)).toEqual({
      status: 200,
      forwarded: [forwarded(stage, { forwardedFor: clientAddress === 'omit' ? undefined : address })],
      connection: 'open',
    })
  })
})

it('with the client address omitted, it is not sent under any other name', async () => {
  const stage = await openStage({ forward: { clientAddress: 'omit' } })
  const names = ['X-Real-IP', 'true-client-ip', 'CF-Connecting-IPv6', 'X_Real_IP', 'x.envoy-external_address']
  const lines = names.map((name) => `${name}: 192.0.2.60\r\n`).join('')
  expect(await stage.play(`${HEAD}${lines}\r\n`)).toEqual({
    status: 200,
    forwarded: [forwarded(stage, { forwardedFor: undefined })],
    connection: 'open',
  })
  await stage.close()
})

describe('Via (RFC 9110 section 7.6.3)', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage.close())

  it.each([
    'Via: 1.1 front.example\r\n',
    'via: HTTP/1.1 front.example:8080 (Apache), 1.0 fred\r\n',
    'Via: 1.1 a\r\nVia: 1.1 b\r\n',
    'Via: 1.1 not-continuation-point\r\n',
    'Via: 1.1 front.example (1.1 continuation-point)\r\n',
    'Via: continuation-point\r\n',
    'Via: \r\n',
  ])('%j stays, and ours comes last', async (lines) => {
    expect(await stage.play(`${HEAD}${lines}\r\n`)).toEqual({
      status: 200,
      forwarded: [forwarded(stage, { lines })],
      connection: 'open',
    })
  })

  it.each([
    'Via: 1.1 continuation-point\r\n',
    'VIA: HTTP/1.1\tContinuation-Point (x)\r\n',
    'Via: 1.0 fred, 1.1 continuation-point, 1.1 cache.example\r\n',
    'Via: 1.1 a\r\nVia: 1.1 continuation-point\r\n',
    'Via: 1.1 a (x, y), 2 continuation-point\r\n',
    'Connection: via\r\nVia: 1.1 continuation-point\r\n',
  ])('%j has passed here before', async (lines) => {
    expect(await stage.play(`${HEAD}${lines}\r\n`)).toEqual({
      status: 508,
      code: 'loop',
      forwarded: [],
      connection: 'open',
    })
  })

  it('names HTTP/1.0 for a request that came in it', async () => {
    const octets = 'GET /service_cookie_transfer/ HTTP/1.0\r\nHost: www.example.com\r\n\r\n'
    expect(await stage.play(octets)).toEqual({
      status: 200,
      forwarded: [forwarded(stage, { via: '1.0 continuation-point' })],
      connection: 'closed',
    })
  })
})
