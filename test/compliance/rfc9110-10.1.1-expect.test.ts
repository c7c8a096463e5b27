import { describe, expect, it } from 'vitest'
import { codeOf, forwarded, setUpStage, statusOf } from '../support/stage.ts'

const POST = 'POST /service_cookie_transfer/create HTTP/1.1\r\nHost: www.example.com\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

describe('Expect (RFC 9110 section 10.1.1)', () => {
  const stage = setUpStage({ limits: { bodyBytes: 100 } })

  it.each(['100-continue', '100-Continue', ' 100-CONTINUE '])(
    '%j is answered by us, and the body follows',
    async (expectation) => {
      const seenBefore = stage.upstream.requests.length
      const client = await stage.ask(`${POST}Expect: ${expectation}\r\nContent-Length: 5\r\n\r\n`)
      await client.received(CONTINUE)
      client.write('hello')
      const answer = await client.response()
      expect(statusOf(answer)).toBe(200)
      expect(stage.upstream.requests.slice(seenBefore).map(({ octets }) => octets)).toEqual([
        forwarded(stage, {
          method: 'POST',
          path: '/service_cookie_transfer/create',
          rest: 'content-length: 5\r\n\r\nhello',
        }),
      ])
    },
  )

  it.each([
    'x',
    '',
    '100-continue-x',
    'x100-continue',
    '100-continue, x',
    'x, 100-continue',
    '"100-continue"',
    '100-continue; q=1',
    '100',
    '100-continue\r\nExpect: 100-continue',
  ])('%j is an expectation that we can’t meet: 417, and no 100', async (expectation) => {
    const seenBefore = stage.upstream.requests.length
    const client = await stage.ask(`${POST}Expect: ${expectation}\r\nContent-Length: 5\r\n\r\n`)
    await client.received('\r\n\r\n')
    expect(client.pending()).toMatch(/^HTTP\/1\.1 417 /)
    expect(codeOf(await client.response())).toBe('unknown-expectation')
    expect(stage.upstream.requests.length).toBe(seenBefore)
  })

  it.each([
    [
      'a wrong path',
      'POST /other HTTP/1.1\r\nHost: www.example.com\r\n',
      'Content-Length: 5\r\n',
      'unknown-path',
    ],
    [
      'a wrong Host',
      'POST /service_cookie_transfer/ HTTP/1.1\r\nHost: x\r\n',
      'Content-Length: 5\r\n',
      'unknown-authority',
    ],
    ['a body over the limit', POST, 'Content-Length: 101\r\n', 'body-too-large'],
    ['a loop', POST, 'Content-Length: 5\r\nVia: 1.1 continuation-point\r\n', 'loop'],
    ['bad framing', POST, 'Transfer-Encoding: gzip\r\n', 'bad-framing'],
  ])('%s is refused before the body is asked for', async (_name, head, lines, code) => {
    const client = await stage.ask(`${head}Expect: 100-continue\r\n${lines}\r\n`)
    await client.received('\r\n\r\n')
    expect(client.pending()).not.toContain('100 Continue')
    expect(codeOf(await client.response())).toBe(code)
  })

  it('is ignored from HTTP/1.0', async () => {
    const octets = `POST /service_cookie_transfer/create HTTP/1.0\r\nHost: www.example.com\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello`
    const client = await stage.ask(octets)
    await client.ended()
    expect(client.pending()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('leaves the connection in order when the client sends the body without waiting', () =>
    stage.expectForwarded(`${POST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello`, {
      method: 'POST',
      path: '/service_cookie_transfer/create',
      rest: 'content-length: 5\r\n\r\nhello',
    }))
})
