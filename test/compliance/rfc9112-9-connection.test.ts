import { describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { codeOf, openStage, setUpStage, statusOf } from '../support/stage.ts'
import { onlyValue } from '../support/wire.ts'

const get = (path: string, lines = '', version = '1.1') =>
  `GET /service_cookie_transfer/${path} HTTP/${version}\r\nHost: www.example.com\r\n${lines}\r\n`
const post = (path: string, body: string) =>
  `POST /service_cookie_transfer/${path} HTTP/1.1\r\nHost: www.example.com\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('connections (RFC 9112 section 9)', () => {
  // Echoes the last part of the path, so that an answer tells which request it belongs to.
  const stage = setUpStage({}, (request, socket) => {
    const name = /([^/ ]*) HTTP/.exec(request.startLine)?.[1] ?? ''
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${request.startLine.startsWith('HEAD') ? '' : name}`,
    )
  })

  it.each([
    ['HTTP/1.1', get('a'), undefined],
    ['HTTP/1.1 with close', get('a', 'Connection: close\r\n'), 'close'],
    ['HTTP/1.1 with close in a list', get('a', 'Connection: x, Close\r\n'), 'close'],
    ['HTTP/1.0', get('a', '', '1.0'), 'close'],
    ['HTTP/1.0 with keep-alive', get('a', 'Connection: keep-alive\r\n', '1.0'), undefined],
    ['HTTP/1.0 with close', get('a', 'Connection: close\r\n', '1.0'), 'close'],
  ])('%s persists or not', async (_name, octets, connection) => {
    const client = await stage.ask(octets)
    const answer = await client.response()
    expect(answer.body).toBe('a')
    const said = onlyValue(answer.fields, 'connection')
    expect(said === 'close' ? 'close' : undefined).toBe(connection)
    if (connection === 'close') expect(await client.ended()).toBe('end')
    else {
      client.write(get('b'))
      expect((await client.response()).body).toBe('b')
    }
  })

  it('HTTP/1.0 without a Host has no authority', async () => {
    const client = await stage.ask('GET /service_cookie_transfer/ HTTP/1.0\r\n\r\n')
    const answer = await client.response()
    expect([statusOf(answer), codeOf(answer), await client.ended()]).toEqual([400, 'bad-host', 'end'])
  })

  it('answers one request after the other, whatever their kind', async () => {
    const client = await stage.ask('')
    const seen: unknown[] = []
    for (const octets of [
      get('one'),
      post('two', 'body'),
      get('../three'),
      'HEAD /service_cookie_transfer/four HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
      'TRACE /service_cookie_transfer/five HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
      'POST /service_cookie_transfer/six HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      get('seven', 'Connection: close\r\n'),
    ]) {
      client.write(octets)
      const answer = await client.response(octets.split(' ', 1)[0])
      seen.push(codeOf(answer) ?? `${statusOf(answer)} ${answer.body}`)
    }
    expect(seen).toEqual([
      '200 one',
      '200 two',
      'bad-target',
      '200 ',
      'method-not-allowed',
      '200 six',
      '200 seven',
    ])
    expect(await client.ended()).toBe('end')
  })

  it('answers the request before the malformed octets, then refuses those', async () => {
    const client = await stage.ask(`${get('one')}\x00garbage\r\n\r\n${get('two')}`)
    const first = await client.response()
    const second = await client.response()
    expect([first.body, codeOf(second)]).toEqual(['one', 'bad-message'])
    expect(onlyValue(second.fields, 'connection')).toBe('close')
    expect([await client.ended(), client.pending()]).toEqual(['end', ''])
  })

  it('does not answer a request after one that closes', async () => {
    const before = stage.upstream.requests.length
    const client = await stage.ask(get('one', 'Connection: close\r\n') + get('two'))
    expect((await client.response()).body).toBe('one')
    await client.ended()
    expect(client.pending()).not.toContain('two')
    expect(
      stage.upstream.requests.slice(before).filter(({ startLine }) => startLine.includes('two')),
    ).toEqual([])
  })

  it('reads a request that arrives octet by octet', async () => {
    const client = await stage.ask('')
    client.socket.setNoDelay(true)
    for (const octet of post('drip', 'xyz')) client.write(octet)
    expect((await client.response()).body).toBe('drip')
  })

  it.each([
    ['nothing', ''],
    ['empty lines', '\r\n\r\n'],
    ['half a request line', 'GET /service_coo'],
    ['half a head', 'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.exam'],
    ['half a body', `${post('half', 'xyz').slice(0, -1)}`],
  ])('a client that sends %s and leaves does not affect the others', async (_name, octets) => {
    const before = stage.upstream.requests.length
    const client = await stage.ask(octets)
    client.socket.end()
    await client.ended()
    const played = await stage.play(get('next'))
    expect(played.status).toBe(200)
    expect(
      stage.upstream.requests.slice(before).filter(({ startLine }) => startLine.includes('half')),
    ).toEqual([])
  })
})

// A closed tab looks the same on the wire, so nothing is done for a client that may not be there.
it('a client that closes its own side has left', async () => {
  const stage = await openForTest(openStage({}, () => {}))
  const client = await stage.ask(post('never', 'xyz'))
  await stage.upstream.arrived(1)
  client.socket.end()
  await Promise.all([client.ended(), stage.upstream.closed(0), stage.proxy.recorded(1)])
  expect(client.pending()).toBe('')
  expect(stage.proxy.records).toMatchObject([{ status: undefined, outcome: 'client-abort' }])
})
