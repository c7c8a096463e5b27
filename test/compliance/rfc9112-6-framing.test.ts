import { describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { answerWith } from '../support/recording-upstream.ts'
import { expectAnswer, forwarded, openStage, setUpStage, statusOf } from '../support/stage.ts'
import { onlyValue } from '../support/wire.ts'

const HEAD = 'POST /service_cookie_transfer/create HTTP/1.1\r\nHost: www.example.com\r\n'
const PATH = '/service_cookie_transfer/create'
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n'

describe('message body (RFC 9112 sections 6 and 7)', () => {
  const stage = setUpStage()

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello'],
    ['two lengths in two cases', 'Content-Length: 5\r\ncontent-length: 5\r\n\r\nhello'],
    ['a list of lengths', 'Content-Length: 5, 5\r\n\r\nhello'],
    ['a negative length', 'Content-Length: -1\r\n\r\n'],
    ['a length with a sign', 'Content-Length: +5\r\n\r\nhello'],
    ['a hexadecimal length', 'Content-Length: 0x5\r\n\r\nhello'],
    ['a length with a fraction', 'Content-Length: 5.0\r\n\r\nhello'],
    ['a length of letters', 'Content-Length: five\r\n\r\nhello'],
    ['an empty length', 'Content-Length:\r\n\r\nhello'],
    ['a length with a space within', 'Content-Length: 1 5\r\n\r\nhello'],
    ['a length past 64 bits', 'Content-Length: 18446744073709551617\r\n\r\nx'],
    ['a length and a coding', `Content-Length: 5\r\n${CHUNKED}0\r\n\r\n`],
    ['a coding and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['a coding and the length 0', `Content-Length: 0\r\n${CHUNKED}0\r\n\r\n`],
    ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
    ['chunked on two lines', `Transfer-Encoding: chunked\r\n${CHUNKED}0\r\n\r\n`],
    ['chunked not last', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    [
      'chunked on the first of two lines',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n',
    ],
    ['a vertical tab before chunked', 'Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon of the coding', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
  ])('%s: refused, and nothing is forwarded', (_name, rest) =>
    stage.expectRefused(HEAD + rest, 400, 'bad-message', 'closed'),
  )

  it.each([
    ['identity alone', 'Transfer-Encoding: identity\r\n\r\n'],
    ['gzip alone', 'Transfer-Encoding: gzip\r\n\r\nhello'],
    ['a coding that is nearly chunked', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['chunked in quotes', 'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n'],
    ['chunked with a semicolon', 'Transfer-Encoding: chunked;\r\n\r\n0\r\n\r\n'],
  ])('%s: refused, since it is unknown where the body ends', (_name, rest) =>
    stage.expectRefused(HEAD + rest, 400, 'bad-framing', 'closed'),
  )

  it('an empty coding and a length: refused by us or by a stricter parser', async () => {
    const played = await stage.play(`${HEAD}Transfer-Encoding:\r\nContent-Length: 5\r\n\r\nhello`)
    expect(played).toMatchObject({ status: 400, forwarded: [], connection: 'closed' })
  })

  it.each([
    ['gzip under chunked', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['gzip under chunked on two lines', `Transfer-Encoding: gzip\r\n${CHUNKED}0\r\n\r\n`],
    ['identity under chunked', 'Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown coding', 'Transfer-Encoding: x, chunked\r\n\r\n0\r\n\r\n'],
  ])('%s: refused as a coding that is not supported', (_name, rest) =>
    stage.expectRefused(HEAD + rest, 501, 'unknown-coding', 'closed'),
  )

  it.each([
    ['a length', 'Content-Length: 5\r\n\r\nhello', 'content-length: 5\r\n\r\nhello'],
    ['a length with leading zeros', 'Content-Length: 0005\r\n\r\nhello', 'content-length: 5\r\n\r\nhello'],
    ['white space around a length', 'Content-Length: \t5 \r\n\r\nhello', 'content-length: 5\r\n\r\nhello'],
    ['the length 0', 'Content-Length: 0\r\n\r\n', 'content-length: 0\r\n\r\n'],
    ['the length 0 in two digits', 'Content-Length: 00\r\n\r\n', 'content-length: 0\r\n\r\n'],
    ['no octet in chunks', `${CHUNKED}0\r\n\r\n`, 'content-length: 0\r\n\r\n'],
    ['no framing', '\r\n', 'content-length: 0\r\n\r\n'],
    [
      'octets of every value',
      `Content-Length: 256\r\n\r\n${allOctets()}`,
      `content-length: 256\r\n\r\n${allOctets()}`,
    ],
  ])('%s: kept', (_name, rest, forwardedRest) =>
    stage.expectForwarded(HEAD + rest, { method: 'POST', path: PATH, rest: forwardedRest }),
  )

  it.each([
    ['one chunk', '5\r\nhello\r\n0\r\n\r\n'],
    ['octets of every value', `100\r\n${allOctets()}\r\n0\r\n\r\n`],
    ['chunks in upper and lower case sizes', 'a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n'],
    ['a size with leading zeros', '0005\r\nhello\r\n000\r\n\r\n'],
    ['an extension', '5;x\r\nhello\r\n0\r\n\r\n'],
    ['an extension with a value', '5;x=y;z="a;b"\r\nhello\r\n0;last\r\n\r\n'],
    ['trailers', '5\r\nhello\r\n0\r\nX-Widget-Key: forged\r\nX-Trailer: 1\r\n\r\n'],
    ['a body that looks like a request', '20\r\nGET /smuggled HTTP/1.1\r\nA: b\r\n\r\n\r\n0\r\n\r\n'],
  ])('chunked, %s: the body arrives in chunks of our own', async (_name, chunks) => {
    const played = await stage.play(`${HEAD}Transfer-Encoding: \t Chunked\r\n\r\n${chunks}`)
    expect(played).toMatchObject({ status: 200, connection: 'open' })
    const [octets = ''] = played.forwarded
    const head = forwarded(stage, { method: 'POST', path: PATH, rest: 'transfer-encoding: chunked\r\n\r\n' })
    expect(octets.slice(0, head.length)).toBe(head)
    expect(octets).not.toContain('forged')
    expect(stage.upstream.requests.findLast((request) => request.octets === octets)?.body).toBe(
      bodyOf(chunks),
    )
  })

  it.each([
    ['letters for a size', 'xyz\r\nhello\r\n0\r\n\r\n', 400],
    ['a size with a prefix', '0x5\r\nhello\r\n0\r\n\r\n', 400],
    ['a negative size', '-5\r\nhello\r\n0\r\n\r\n', 400],
    ['a size past 64 bits', '10000000000000005\r\nhello\r\n0\r\n\r\n', 400],
    ['a space before the size', ' 5\r\nhello\r\n0\r\n\r\n', 400],
    ['a space after the size', '5 \r\nhello\r\n0\r\n\r\n', 400],
    ['an empty size', '\r\nhello\r\n0\r\n\r\n', 400],
    ['a bare LF after the size', '5\nhello\r\n0\r\n\r\n', 400],
    ['a bare CR after the size', '5\rhello\r\n0\r\n\r\n', 400],
    ['a chunk longer than its size', '5\r\nhello!\r\n0\r\n\r\n', 400],
    ['a chunk without its CRLF', '5\r\nhello0\r\n\r\n', 400],
    ['a bare LF after the chunk', '5\r\nhello\n0\r\n\r\n', 400],
    ['a control octet in an extension', '5;\x00\r\nhello\r\n0\r\n\r\n', 400],
    ['a bare LF in an extension', '5;a\nb\r\nhello\r\n0\r\n\r\n', 400],
    ['endless extensions', `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, 413],
    ['a bad trailer', '5\r\nhello\r\n0\r\nX A: 1\r\n\r\n', 400],
  ])('chunked, %s: refused, and the service gets no complete request', async (_name, chunks, status) => {
    const played = await stage.play(HEAD + CHUNKED + chunks)
    expect(played).toMatchObject({ status, forwarded: [], connection: 'closed' })
    expect(played.code).toBe(status === 413 ? 'body-too-large' : 'bad-message')
  })

  it.each(['GET', 'HEAD', 'OPTIONS', 'DELETE'])(
    '%s may have a body that looks like a request',
    async (method) => {
      const body = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
      for (const rest of [
        `content-length: ${body.length}\r\n\r\n${body}`,
        `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ]) {
        const octets = `${method} ${PATH} HTTP/1.1\r\nHost: www.example.com\r\n${rest}`
        await stage.expectForwarded(octets, { method, path: PATH, rest })
      }
    },
  )

  it.each(['application/json;;', 'multipart/form-data; boundary="a\\"b"', ''])(
    'the Content-Type %j changes no body',
    (type) => {
      const lines = `Content-Type: ${type}\r\n`
      const rest = 'content-length: 18\r\n\r\n{"a":1,\x00 "a" : 2 }'
      return stage.expectForwarded(HEAD + lines + rest, { method: 'POST', path: PATH, lines, rest })
    },
  )

  it('HTTP/1.0 gets no chunks, whatever its TE says', async () => {
    const chunked = answerWith('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n')
    const { ask } = await openForTest(openStage({}, chunked))
    const client = await ask(`GET ${PATH} HTTP/1.0\r\nHost: www.example.com\r\nTE: chunked\r\n\r\n`)
    const answer = await client.response()
    expect(onlyValue(answer.fields, 'transfer-encoding')).toBe(undefined)
    expect([answer.body, await client.ended()]).toEqual(['ok', 'end'])
  })

  it('HTTP/1.0 has no chunks', async () => {
    const octets = `POST ${PATH} HTTP/1.0\r\nHost: www.example.com\r\n${CHUNKED}0\r\n\r\n`
    const client = await stage.ask(octets)
    await expectAnswer(client, 400, 'bad-framing')
  })

  it('HTTP/1.0 without a length has no body', async () => {
    const octets = `POST ${PATH} HTTP/1.0\r\nHost: www.example.com\r\n\r\nbody`
    const parts = {
      method: 'POST',
      path: PATH,
      via: '1.0 continuation-point',
      rest: 'content-length: 0\r\n\r\n',
    }
    await stage.expectForwarded(octets, parts, 'closed')
  })
})

it('streams: the service has the first octets before the last are sent', async () => {
  const stage = await openForTest(openStage())
  const client = await stage.ask(`${HEAD}Content-Length: 6\r\n\r\nabc`)
  await stage.upstream.saw(0, (octets) => octets.endsWith('\r\n\r\nabc'))
  client.write('def')
  expect(statusOf(await client.response())).toBe(200)
  expect(stage.upstream.octets[0]).toMatch(/\r\n\r\nabcdef$/)
})

function allOctets(): string {
  return String.fromCharCode(...Array(256).keys())
}

/** The data of well-formed chunks. */
function bodyOf(chunks: string): string {
  let body = ''
  let rest = chunks
  for (;;) {
    const lineEnd = rest.indexOf('\r\n')
    const size = Number.parseInt(rest, 16)
    if (size === 0) return body
    body += rest.slice(lineEnd + 2, lineEnd + 2 + size)
    rest = rest.slice(lineEnd + 4 + size)
  }
}
