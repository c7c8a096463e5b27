import { describe, expect, it } from 'vitest'
import { answerWith } from '../support/recording-upstream.ts'
import { expectHealthy, get, openScene, receive } from './scene.ts'

const DEFAULT = 'Cache-Control: private, no-store'

describe('the head of a response', () => {
  it.each([
    ['200 OK'],
    ['200 '],
    ['201 created  with   blanks '],
    ['203 caf\xe9 \xff'],
    ['299 Unknown to us'],
    ['302 Found elsewhere'],
    ['404 \ttabs'],
    ['418 I am a teapot'],
    ['500 Broken'],
    ['503 Later'],
    ['599 The last'],
  ])('keeps status and reason: %s', async (statusAndReason) => {
    const scene = await openScene(answerWith(`HTTP/1.1 ${statusAndReason}\r\nContent-Length: 2\r\n\r\nab`))
    const client = await scene.ask(get())
    const answer = await client.response()
    expect(answer.octets.split('\r\n')[0]).toBe(`HTTP/1.1 ${statusAndReason}`)
    expect(answer.body).toBe('ab')
    await expectHealthy(scene, client)
    expect(scene.proxy.records[0]).toMatchObject({
      outcome: 'ok',
      status: Number(statusAndReason.slice(0, 3)),
    })
  })

  const expectRelayed = async (lines: readonly string[], relayed: readonly string[]) => {
    const octets = `HTTP/1.1 200 OK\r\n${[...lines, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`
    const scene = await openScene(answerWith(octets))
    const client = await scene.ask(get())
    const head = (await client.response()).octets.split('\r\n').slice(1, -2)
    expect(
      head.filter((line) => !/^(?:Date|Connection: keep-alive|Keep-Alive: timeout=75)/.test(line)),
    ).toEqual([...relayed, 'Content-Length: 0', DEFAULT])
    await expectHealthy(scene, client)
  }

  it('keeps fields of the service, with their order, case, repetition and octets', () => {
    const lines = [
      'Set-Cookie: a=1; Path=/; HttpOnly',
      'SET-COOKIE: b="x, y"; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
      'set-cookie: a=1; Path=/; HttpOnly',
      'Set-Cookie: ',
      'Location: https://elsewhere.example.net/x?y=%20#z',
      'Location: //other.example.net/',
      'Content-Encoding: gzip',
      'ETag: W/"a\\"b"',
      'X-Octets: \x80\xa0\xe9\xff',
      'Content-Disposition: attachment; filename="caf\xc3\xa9"',
      'Set-Cookie: a=2',
      'X-Empty: ',
      "X!#$%&'*+-.^_`|~9: 1",
      'x-hono-already-sent: true',
      'WWW-Authenticate: Basic',
      'Access-Control-Allow-Origin: *',
      "Content-Security-Policy: default-src 'none'",
      'Server: x',
      'Via: 1.1 other',
      'Age: 5',
    ]
    return expectRelayed(lines, lines)
  })

  it('drops what concerns the connection, the whole origin or front ends', () => {
    const dropped = [
      'Connection: keep-alive, X-Hop',
      'Connection: x-other',
      'X-Hop: 1',
      'X-OTHER: 1',
      'Keep-Alive: timeout=5',
      'Proxy-Connection: keep-alive',
      'Proxy-Authenticate: Basic',
      'Proxy-Authorization: x',
      'TE: trailers',
      'Trailer: X-T',
      'Upgrade: h2c',
      'Alt-Svc: h3=":443"',
      'expect-ct: max-age=1',
      'X-Accel-Redirect: /internal/secret',
      'Cloudflare-CDN-Cache-Control: max-age=3600',
    ]
    return expectRelayed([...dropped, 'X-Kept: 1'], ['X-Kept: 1'])
  })

  it.each([
    [['Cache-Control: public, max-age=60'], ['Cache-Control: public, max-age=60']],
    [['cache-control: '], ['cache-control: ']],
    [
      ['Cache-Control: no-cache', 'CACHE-CONTROL: max-age=0'],
      ['Cache-Control: no-cache', 'CACHE-CONTROL: max-age=0'],
    ],
    [['Expires: 0', 'Pragma: no-cache'], [DEFAULT]],
    [['Connection: cache-control', 'Cache-Control: public'], [DEFAULT]],
    [[], [DEFAULT]],
  ])('gets Cache-Control only if it has none: %j', async (lines, expected) => {
    const scene = await openScene(
      answerWith(`HTTP/1.1 200 OK\r\n${[...lines, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`),
    )
    const { octets } = await (await scene.ask(get())).response()
    expect(octets.split('\r\n').filter((line) => /^cache-control:/i.test(line))).toEqual(expected)
  })

  it('can have 255 Set-Cookie lines', async () => {
    const lines = Array.from({ length: 255 }, (_, i) => `Set-Cookie: ${i}=`).join('\r\n')
    const scene = await openScene(answerWith(`HTTP/1.1 200 OK\r\n${lines}\r\nContent-Length: 0\r\n\r\n`))
    const { octets } = await (await scene.ask(get())).response()
    expect(octets).toContain(lines)
  })

  it('arrives before the service has written any of the body', async () => {
    const scene = await openScene(
      answerWith('HTTP/1.1 200 OK\r\nX-Octets: \xe9\r\nTransfer-Encoding: chunked\r\n\r\n'),
    )
    const client = await scene.ask(get())
    await client.received('\r\n\r\n')
    expect(client.pending()).toContain('X-Octets: \xe9\r\n')
    scene.upstream.sockets[0]?.write('1\r\na\r\n')
    await client.received('1\r\na\r\n')
    scene.upstream.sockets[0]?.write('0\r\n\r\n')
    expect((await client.response()).body).toBe('a')
    await expectHealthy(scene, client)
  })

  it.each([
    ['HEAD', 'HTTP/1.1 200 caf\xe9\r\nX-Octets: \xe9\r\nContent-Length: 5\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 caf\xe9\r\nX-Octets: \xe9\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 caf\xe9\r\nX-Octets: \xe9\r\n\r\n'],
    ['GET', 'HTTP/1.1 200 caf\xe9\r\nX-Octets: \xe9\r\nContent-Length: 0\r\n\r\n'],
    ['GET', 'HTTP/1.1 200 caf\xe9\r\nX-Octets: \xe9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ])('keeps octets above 0x7F where no body follows: %s %s', async (method, octets) => {
    const scene = await openScene(answerWith(octets))
    const client = await scene.ask(get({ method }))
    const { answer } = await receive(client, method)
    expect(answer?.octets).toMatch(/^HTTP\/1\.1 [0-9]{3} caf\xe9\r\nX-Octets: \xe9\r\n/)
    await expectHealthy(scene, client)
  })
})

describe('the body of a response', () => {
  const every = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i)).join('')

  it.each([
    ['every octet', every],
    ['what looks like another response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['100,000 octets', every.repeat(400)],
  ])('keeps %s', async (_name, body) => {
    const scene = await openScene(
      answerWith(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    )
    const client = await scene.ask(get())
    expect((await client.response()).body).toBe(body)
    await scene.proxy.recorded(1)
    expect(scene.proxy.records[0]?.responseOctets).toBe(body.length)
    await expectHealthy(scene, client)
  })
})
