import { describe, expect, it } from 'vitest'
import { setUpStage, statusOf } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

describe('hop-by-hop fields (RFC 9110 section 7.6.1)', () => {
  const stage = setUpStage()

  const expectForwarded = async (lines: string, kept = '') => {
    await stage.expectForwarded(
      `${HEAD}${lines}\r\n`,
      { lines: kept },
      /close|upgrade:/i.test(lines) ? 'closed' : 'open',
    )
  }

  it.each([
    'Connection: keep-alive\r\n',
    'Connection: close\r\n',
    'CONNECTION: Keep-Alive\r\nkeep-alive: timeout=5, max=1000\r\n',
    'Proxy-Connection: keep-alive\r\n',
    'Proxy-Authorization: Basic YTpi\r\n',
    'Proxy-Authenticate: Basic\r\n',
    'TE: trailers\r\n',
    'te: trailers, deflate;q=0.5\r\n',
    'Trailer: X-Widget-Key\r\n',
    'Upgrade: h2c\r\n',
    'Connection: TE\r\nTE: trailers\r\n',
    'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n',
    'Expect: 100-continue\r\n',
  ])('%j is not forwarded', (lines) => expectForwarded(lines))

  it.each([
    ['one name', 'Connection: x-hop\r\nX-Hop: 1\r\n', ''],
    ['a name in another case', 'connection: X-HOP\r\nx-hop: 1\r\n', ''],
    ['the named field first', 'X-Hop: 1\r\nConnection: x-hop\r\n', ''],
    ['several names', 'Connection: a,b ,\tc, , ,d\r\nA: 1\r\nB: 1\r\nC: 1\r\nD: 1\r\nE: 1\r\n', 'E: 1\r\n'],
    ['several lines', 'Connection: a\r\nConnection: b\r\nA: 1\r\nB: 1\r\nC: 1\r\n', 'C: 1\r\n'],
    ['beside keep-alive', 'Connection: keep-alive, x-hop\r\nX-Hop: 1\r\n', ''],
    ['beside close', 'Connection: close, x-hop\r\nX-Hop: 1\r\n', ''],
    ['every repetition', 'X-Hop: 1\r\nConnection: x-hop\r\nX-Hop: 2\r\nx-hop: 3\r\n', ''],
    ['a name that is not there', 'Connection: x-hop\r\nX-Hops: 1\r\n', 'X-Hops: 1\r\n'],
    ['a name that only begins alike', 'Connection: x-ho\r\nX-Hop: 1\r\n', 'X-Hop: 1\r\n'],
    ['nothing', 'Connection:\r\nX-Hop: 1\r\n', 'X-Hop: 1\r\n'],
    ['commas alone', 'Connection: ,,,\r\nX-Hop: 1\r\n', 'X-Hop: 1\r\n'],
    ['Cookie', 'Connection: cookie\r\nCookie: sid=1\r\n', ''],
    ['Authorization', 'Connection: Authorization\r\nAuthorization: Basic YTpi\r\n', ''],
    ['Origin', 'Connection: Origin\r\nOrigin: http://www.example.com\r\n', ''],
  ])('Connection names %s', (_name, lines, kept) => expectForwarded(lines, kept))

  it.each([
    'X-Widget-Key',
    'X-Continuation-Origin',
    'Host',
    'X-Forwarded-For',
    'Via',
    'Connection',
    'X-Widget-Key, X-Continuation-Origin, Host, Via, X-Forwarded-For, Content-Length, Transfer-Encoding',
    '"X-Widget-Key"',
    'x_widget_key',
    '*',
    '__proto__',
  ])('Connection: %s removes none of our fields', (options) => expectForwarded(`Connection: ${options}\r\n`))

  it.each([
    [
      'Content-Length',
      'Connection: content-length\r\nContent-Length: 5\r\n\r\nhello',
      'content-length: 5\r\n\r\nhello',
    ],
    [
      'Transfer-Encoding',
      'Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ],
  ])('Connection names %s, and the body is still framed', async (_name, rest, forwardedRest) => {
    const octets = `POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n${rest}`
    await stage.expectForwarded(octets, { method: 'POST', rest: forwardedRest })
  })
})

describe('Upgrade is ignored (RFC 9110 section 7.8)', () => {
  const stage = setUpStage()

  it.each([
    [
      'websocket',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\nSec-WebSocket-Version: 13\r\n',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\nSec-WebSocket-Version: 13\r\n',
    ],
    ['h2c', 'Connection: Upgrade\r\nUpgrade: h2c\r\n', ''],
    ['TLS', 'Connection: upgrade\r\nUpgrade: TLS/1.2, HTTP/1.1\r\n', ''],
    ['an Upgrade that Connection does not name', 'Upgrade: websocket\r\n', ''],
    ['a Connection without Upgrade', 'Connection: upgrade\r\n', ''],
  ])('%s', (_name, lines, kept) =>
    stage.expectForwarded(
      `${HEAD}${lines}\r\n`,
      { lines: kept },
      lines.includes('Upgrade:') ? 'closed' : 'open',
    ),
  )

  it.each([
    ['a length', 'Content-Length: 5\r\n\r\nhello', 'content-length: 5\r\n\r\nhello'],
    [
      'chunks',
      'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
      'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ],
  ])('a body of %s behind it arrives', async (_name, rest, forwardedRest) => {
    const octets = `POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${rest}`
    await stage.expectForwarded(octets, { method: 'POST', rest: forwardedRest }, 'closed')
  })

  it('and ends the connection, so that what follows is not forwarded', async () => {
    const after = HEAD.replace(' HTTP', 'after HTTP')
    const client = await stage.ask(`${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n${after}\r\n`)
    expect(statusOf(await client.response())).toBe(200)
    expect(await client.ended()).toBe('end')
    expect(stage.upstream.octets.join('')).not.toContain('/after')
  })
})
