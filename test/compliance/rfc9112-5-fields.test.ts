import { describe, expect, it } from 'vitest'
import { forwarded, setUpStage } from '../support/stage.ts'

const HEAD = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

/** Newer lines of Node refuse more lines than `maxHeadersCount`; Node 20 leaves them out, and we count. */
const BY_WHOEVER_COUNTS = expect.stringMatching(/^(?:too-many-fields|head-too-large)$/)

describe('field lines (RFC 9112 section 5, RFC 9110 section 5)', () => {
  const stage = setUpStage()

  it.each([
    ['obs-fold', 'X-A: 1\r\n 2\r\n'],
    ['obs-fold with a tab', 'X-A: 1\r\n\t2\r\n'],
    ['a folded Cookie', 'Cookie: a=1;\r\n b=2\r\n'],
    ['white space before the first name', ' X-A: 1\r\n'],
    ['a space before the colon', 'X-A : 1\r\n'],
    ['a tab before the colon', 'X-A\t: 1\r\n'],
    ['a space before the colon of Content-Length', 'Content-Length : 5\r\n'],
    ['an empty name', ': 1\r\n'],
    ['a line without a colon', 'X-A\r\n'],
    ['a space within the name', 'X A: 1\r\n'],
    ['a quote in the name', 'X"A: 1\r\n'],
    ['a bracket in the name', 'X(A): 1\r\n'],
    ['a NUL in the name', 'X\x00A: 1\r\n'],
    ['an octet above 0x7F in the name', 'X\xe9: 1\r\n'],
    ['a NUL in the value', 'X-A: 1\x002\r\n'],
    ['a control octet in the value', 'X-A: 1\x01\r\n'],
    ['an escape octet in the value', 'X-A: \x1b[0m\r\n'],
    ['a DEL in the value', 'X-A: 1\x7f\r\n'],
    ['a bare CR in the value', 'X-A: 1\r2\r\n'],
    ['a bare CR before the line end', 'X-A: 1\r\r\n'],
    ['a bare LF for the line end', 'X-A: 1\nX-B: 2\r\n'],
    ['a smuggled request after a bare LF', 'X-A: 1\n\nGET /service_cookie_transfer/smuggled HTTP/1.1\r\n'],
  ])('%s is refused and ends the connection', (_name, lines) =>
    stage.expectRefused(`${HEAD}${lines}\r\n`, 400, 'bad-message', 'closed'),
  )

  it.each([
    ['order, case and repetition', 'x-B: 2\r\nX-a: 1\r\nX-b: 3\r\nx-B: 2\r\n'],
    ['octets above 0x7F', 'X-A: caf\xe9 \xff\xfe\r\n'],
    ['UTF-8', 'X-A: \xc3\xa9\xe2\x82\xac\r\n'],
    ['a tab within the value', 'X-A: 1\t2\r\n'],
    ['quotes, commas and semicolons', 'X-A: "a, b"; c,,d\r\n'],
    ['an empty value', 'X-A: \r\n'],
    ['every token character', "X-!#$%&'*+.^_`|~1: 1\r\n"],
    ['authorization', 'Authorization: Basic YTpi\r\n'],
    ['conditional and range fields', 'If-None-Match: "x"\r\nRange: bytes=0-1\r\nIf-Range: "x"\r\n'],
    ['Accept-Encoding', 'Accept-Encoding: gzip, br\r\n'],
    ['Origin and Referer', 'Origin: http://www.example.com\r\nReferer: http://www.example.com/x?y\r\n'],
    ['Sec-Fetch fields', 'Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\n'],
    ['Cache-Control and Pragma', 'Cache-Control: no-cache\r\nPragma: no-cache\r\n'],
    ['Content-Type without a body', 'Content-Type: text/plain\r\n'],
    ['User-Agent lines', 'User-Agent: a\r\nUser-Agent: b\r\n'],
    ['Max-Forwards', 'Max-Forwards: 0\r\n'],
    ['X-Real-IP and its like', 'X-Real-IP: 192.0.2.1\r\nX-Request-ID: 1\r\n'],
    ['__proto__ as a name', '__proto__: 1\r\nconstructor: 2\r\nhasOwnProperty: 3\r\n'],
  ])('%s: kept as sent', (_name, lines) => stage.expectForwarded(`${HEAD}${lines}\r\n`, { lines }))

  it('drops white space around a value, as section 5.1 says', async () => {
    const { forwarded: seen } = await stage.play(`${HEAD}X-A:\t 1 2 \t\r\nX-B:2\r\n\r\n`)
    expect(seen).toEqual([forwarded(stage, { lines: 'X-A: 1 2\r\nX-B: 2\r\n' })])
  })

  it.each([
    [256, 200, undefined],
    [257, 431, 'too-many-fields'],
    [1_001, 431, BY_WHOEVER_COUNTS],
    [3_000, 431, BY_WHOEVER_COUNTS],
  ])('%i field lines get %i', async (count, status, code) => {
    const lines = 'a:1\r\n'.repeat(count - 2)
    // The last line must not get lost: it names a field that has to go.
    const played = await stage.play(`${HEAD}${lines}Connection: x-gone\r\n\r\n`)
    expect([played.status, played.code, played.forwarded.length]).toEqual([
      status,
      code,
      status === 200 ? 1 : 0,
    ])
  })

  it('counts every Host line after the thousandth', async () => {
    const played = await stage.play(`${HEAD}${'a:1\r\n'.repeat(1_200)}Host: other.example\r\n\r\n`)
    expect(played).toMatchObject({ status: 431, code: BY_WHOEVER_COUNTS, forwarded: [] })
  })

  it.each([
    ['one line', `Cookie: sid=${'x'.repeat(60 * 1_024)}\r\n`],
    ['fifteen lines', `Cookie: c=${'y'.repeat(4_086)}\r\n`.repeat(15)],
  ])('60 KiB of cookies on %s arrive intact', (_name, lines) =>
    stage.expectForwarded(`${HEAD}${lines}\r\n`, { lines }),
  )

  it.each([
    ['a value', `${HEAD}Cookie: sid=${'x'.repeat(65_536)}\r\n\r\n`],
    ['many values', `${HEAD}${`Cookie: c=${'y'.repeat(4_086)}\r\n`.repeat(16)}\r\n`],
    ['a name', `${HEAD}${'x'.repeat(65_536)}: 1\r\n\r\n`],
    [
      'the target',
      `GET /service_cookie_transfer/${'x'.repeat(65_536)} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`,
    ],
  ])('a head over limits.headerBytes by %s gets 431', (_name, octets) =>
    stage.expectRefused(octets, 431, 'head-too-large', 'closed'),
  )
})
