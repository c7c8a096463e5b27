import { describe, expect, it } from 'vitest'
import { answerOk } from '../support/recording-upstream.ts'
import { codeOf, setUpStage, statusOf } from '../support/stage.ts'
import { onlyValue } from '../support/wire.ts'

const GET = 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n'
const POST = 'POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n'

describe('413 Content Too Large (RFC 9110 section 15.5.14), limits.bodyBytes', () => {
  const stage = setUpStage({ limits: { bodyBytes: 10 } })

  it.each([
    ['announced, at the limit', 'Content-Length: 10\r\n\r\n0123456789', 200],
    ['announced, over it', 'Content-Length: 11\r\n\r\n0123456789a', 413],
    ['chunked, at the limit', 'Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n', 200],
    ['chunked, over it', 'Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n56789a\r\n0\r\n\r\n', 413],
  ])('%s', async (_name, rest, status) => {
    const played = await stage.play(POST + rest)
    expect([played.status, played.code]).toEqual([status, status === 200 ? undefined : 'body-too-large'])
    expect(played.forwarded.length).toBe(status === 200 ? 1 : 0)
  })

  it('an upload that is refused is answered before it ends', async () => {
    const client = await stage.ask(`${POST}Content-Length: 1000000\r\n\r\nabc`)
    expect(codeOf(await client.response())).toBe('body-too-large')
  })
})

describe('503 Service Unavailable (RFC 9110 section 15.6.4), limits.concurrentRequests', () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const stage = setUpStage({ limits: { concurrentRequests: 2 } }, (request, socket) => {
    void held.then(() => answerOk(request, socket))
  })

  it('refuses requests beyond the limit, with Retry-After, and serves again afterwards', async () => {
    const clients = await Promise.all([stage.ask(GET), stage.ask(GET)])
    await stage.upstream.arrived(2)
    const third = await stage.ask(GET)
    const refused = await third.response()
    expect([statusOf(refused), codeOf(refused), onlyValue(refused.fields, 'retry-after')]).toEqual([
      503,
      'overloaded',
      '1',
    ])
    // What needs no service is still answered.
    third.write('GET /other HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
    expect(codeOf(await third.response())).toBe('unknown-path')
    release()
    for (const client of clients) expect(statusOf(await client.response())).toBe(200)
    third.write(GET)
    expect(statusOf(await third.response())).toBe(200)
    expect(stage.upstream.requests.length).toBe(3)
  })
})

describe('408 Request Timeout (RFC 9110 section 15.5.9), timeouts.idle', () => {
  const stage = setUpStage({ timeouts: { idle: '300ms' } })

  it.each([
    ['a request line', 'GET /service_coo'],
    ['a head without its last line', GET.slice(0, -2)],
    ['a body of a length', `${POST}Content-Length: 10\r\n\r\nabc`],
    ['a body before its first octet', `${POST}Content-Length: 10\r\n\r\n`],
    ['a body before its first chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n`],
    ['the last chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n`],
    ['a body in chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ['a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n8\r\nabc`],
  ])('%s that stalls', async (_name, octets) => {
    const before = stage.upstream.requests.length
    const client = await stage.ask(octets)
    const answer = await client.response()
    expect([statusOf(answer), codeOf(answer)]).toEqual([408, 'request-timeout'])
    expect(onlyValue(answer.fields, 'connection')).toBe('close')
    expect(await client.ended()).toBe('end')
    expect(stage.upstream.requests.length).toBe(before)
  })

  it('the second head on a connection that stalls', async () => {
    const client = await stage.ask(GET + GET.slice(0, -2))
    expect(statusOf(await client.response())).toBe(200)
    const answer = await client.response()
    expect([statusOf(answer), codeOf(answer)]).toEqual([408, 'request-timeout'])
  })

  it('the time limit is for the whole head, not for each octet', async () => {
    const client = await stage.ask('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nX-A: ')
    const drip = setInterval(() => client.write('x'), 20)
    const answer = await client.response()
    clearInterval(drip)
    expect([statusOf(answer), codeOf(answer)]).toEqual([408, 'request-timeout'])
  })
})

describe('308 Permanent Redirect (RFC 9110 section 15.4.9)', () => {
  const stage = setUpStage()

  it.each([
    ['GET', '/service_cookie_transfer', '/service_cookie_transfer/'],
    ['HEAD', '/service_cookie_transfer', '/service_cookie_transfer/'],
    ['GET', '/service_cookie_transfer?a=%2e&b', '/service_cookie_transfer/?a=%2e&b'],
    ['GET', '/service_cookie_transfer?', '/service_cookie_transfer/?'],
    ['GET', '/shop/service_cookie_transfer?x', '/shop/service_cookie_transfer/?x'],
    ['GET', 'http://www.example.com/service_cookie_transfer?x', '/service_cookie_transfer/?x'],
  ])('%s %s leads to the slash', async (method, target, location) => {
    const client = await stage.ask(`${method} ${target} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)
    const answer = await client.response(method)
    expect(statusOf(answer)).toBe(308)
    expect(onlyValue(answer.fields, 'location')).toBe(`http://www.example.com${location}`)
    expect(answer.body).toBe('')
  })

  it.each(['POST', 'PUT', 'OPTIONS', 'DELETE'])('%s gets 404', (method) =>
    stage.expectRefused(
      `${method} /service_cookie_transfer HTTP/1.1\r\nHost: www.example.com\r\n\r\n`,
      404,
      'unknown-path',
    ),
  )
})
