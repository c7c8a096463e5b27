import { describe, expect, it } from 'vitest'
import { setUpStage } from '../support/stage.ts'

const REST = '\r\nHost: www.example.com\r\n\r\n'

describe('request line (RFC 9112 sections 2.2, 2.3 and 3)', () => {
  const stage = setUpStage()

  it.each([
    ['a space after the version', `GET /service_cookie_transfer/ HTTP/1.1 ${REST}`, 505, 'bad-version'],
    ['a tab for a space', `GET\t/service_cookie_transfer/ HTTP/1.1${REST}`, 400, 'bad-message'],
    ['a space within the target', `GET /service_cookie_transfer/a b HTTP/1.1${REST}`, 400, 'bad-message'],
    ['white space before the method', ` GET /service_cookie_transfer/ HTTP/1.1${REST}`, 400, 'bad-message'],
    ['no target', `GET HTTP/1.1${REST}`, 400, 'bad-message'],
    ['a method that is not a token', `GE:T /service_cookie_transfer/ HTTP/1.1${REST}`, 400, 'bad-message'],
    ['a lower-case method', `get /service_cookie_transfer/ HTTP/1.1${REST}`, 400, 'bad-message'],
    [
      'a method that is not registered',
      `FETCH /service_cookie_transfer/ HTTP/1.1${REST}`,
      400,
      'bad-message',
    ],
    ['a lower-case protocol', `GET /service_cookie_transfer/ http/1.1${REST}`, 400, 'bad-message'],
    ['another protocol', `GET /service_cookie_transfer/ ICE/1.0${REST}`, 400, 'bad-message'],
    ['a longer version', `GET /service_cookie_transfer/ HTTP/01.1${REST}`, 505, 'bad-version'],
    ['a version of letters', `GET /service_cookie_transfer/ HTTP/a.b${REST}`, 505, 'bad-version'],
    ['HTTP/1.2', `GET /service_cookie_transfer/ HTTP/1.2${REST}`, 505, 'bad-version'],
    ['HTTP/2.0 without its preface', `GET /service_cookie_transfer/ HTTP/2.0${REST}`, 505, 'bad-version'],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'bad-message'],
    ['HTTP/0.9', 'GET /service_cookie_transfer/\r\n\r\n', 400, 'bad-message'],
    ['HTTP/0.9 that names itself', 'GET /service_cookie_transfer/ HTTP/0.9\r\n\r\n', 400, 'bad-message'],
    ['no version, but fields', `GET /service_cookie_transfer/${REST}`, 400, 'bad-message'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'bad-message'],
    ['bare CR', 'GET /service_cookie_transfer/ HTTP/1.1\rHost: www.example.com\r\n\r\n', 400, 'bad-message'],
    ['bare LF', 'GET /service_cookie_transfer/ HTTP/1.1\nHost: www.example.com\n\n', 505, 'bad-version'],
    ['CONNECT', `CONNECT www.example.com:80 HTTP/1.1${REST}`, 405, 'method-not-allowed'],
    ['CONNECT with a path', `CONNECT /service_cookie_transfer/ HTTP/1.1${REST}`, 405, 'method-not-allowed'],
  ])('%s is refused and ends the connection', (_name, octets, status, code) =>
    stage.expectRefused(octets, status, code, 'closed'),
  )

  it.each([
    ['TRACE', `TRACE /service_cookie_transfer/ HTTP/1.1${REST}`],
    [
      'TRACE with Max-Forwards',
      `TRACE /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nMax-Forwards: 0\r\nCookie: sid=1\r\n\r\n`,
    ],
  ])('%s would echo httpOnly cookies and is refused', (_name, octets) =>
    stage.expectRefused(octets, 405, 'method-not-allowed'),
  )

  it.each(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'REPORT', 'LOCK', 'SUBSCRIBE', 'PURGE'])(
    '%s is forwarded',
    async (method) => {
      const played = await stage.play(`${method} /service_cookie_transfer/ HTTP/1.1${REST}`)
      expect(played.status).toBe(200)
      expect(played.connection).toBe('open')
      expect(played.forwarded[0]?.split('\r\n')[0]).toBe(`${method} /service_cookie_transfer/ HTTP/1.1`)
    },
  )

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'])('%s is forwarded with its body', async (method) => {
    const octets = `${method} /service_cookie_transfer/restore HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: 5\r\n\r\n\x00\xff\r\nz`
    await stage.expectForwarded(octets, {
      method,
      path: '/service_cookie_transfer/restore',
      rest: 'content-length: 5\r\n\r\n\x00\xff\r\nz',
    })
  })

  // Section 2.2 asks to ignore at least one empty line first, section 3 lets words be split on any white space.
  it.each([
    ['empty lines first', `\r\n\r\nGET /service_cookie_transfer/ HTTP/1.1${REST}`],
    ['two spaces after the method', `GET  /service_cookie_transfer/ HTTP/1.1${REST}`],
    ['two spaces before the version', `GET /service_cookie_transfer/  HTTP/1.1${REST}`],
  ])('%s: parsed, and rewritten', (_name, octets) => stage.expectForwarded(octets))
})
