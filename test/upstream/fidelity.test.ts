import { describe, expect, it } from 'vitest'
import { answerWith } from '../support/recording-upstream.ts'
import { expectHealthy, get, openScene, receive } from './scene.ts'

/** Field lines as they arrive, and as they leave; by default the same. */
interface Row {
  readonly name: string
  readonly lines: readonly string[]
  readonly relayed?: readonly string[]
}

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

  it.each<Row>([
    {
      name: 'Set-Cookie lines in order, case and repetition',
      lines: [
        'Set-Cookie: a=1; Path=/; HttpOnly',
        'SET-COOKIE: b="x, y"; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
        'set-cookie: a=1; Path=/; HttpOnly',
        'Set-Cookie: ',
        'Set-Cookie: a=2',
      ],
    },
    { name: 'an absolute Location', lines: ['Location: https://elsewhere.example.net/x?y=%20#z'] },
    {
      name: 'two Location lines',
      lines: ['Location: /service_cookie_transfer/a', 'Location: //other.example.net/'],
    },
    { name: 'Content-Encoding', lines: ['Content-Encoding: gzip', 'Vary: Accept-Encoding'] },
    {
      name: 'ETag and validators',
      lines: ['ETag: W/"a\\"b"', 'Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT'],
    },
    {
      name: 'octets above 0x7F',
      lines: ['X-Octets: \x80\xa0\xe9\xff', 'Content-Disposition: attachment; filename="caf\xc3\xa9"'],
    },
    { name: 'an empty value', lines: ['X-Empty: '] },
    { name: 'odd names', lines: ["X!#$%&'*+-.^_`|~9: 1"] },
    { name: 'a marker of the server library', lines: ['x-hono-already-sent: true'] },
    {
      name: 'authentication and cross-origin fields',
      lines: ['WWW-Authenticate: Basic', 'Access-Control-Allow-Origin: *'],
    },
    {
      name: 'security fields that concern only the response',
      lines: ["Content-Security-Policy: default-src 'none'", 'X-Frame-Options: DENY'],
    },
    { name: 'Server, Via and Age', lines: ['Server: x', 'Via: 1.1 other', 'Age: 5'] },
    {
      name: 'Connection-named fields go',
      lines: ['Connection: keep-alive, X-Hop', 'Connection: x-other', 'X-Hop: 1', 'X-OTHER: 1', 'X-Kept: 1'],
      relayed: ['X-Kept: 1'],
    },
    {
      name: 'hop-by-hop fields go',
      lines: [
        'Keep-Alive: timeout=5',
        'Proxy-Connection: keep-alive',
        'Proxy-Authenticate: Basic',
        'Proxy-Authorization: x',
        'TE: trailers',
        'Trailer: X-T',
        'Upgrade: h2c',
        'X-Kept: 1',
      ],
      relayed: ['X-Kept: 1'],
    },
    {
      name: 'fields that would bind the whole origin go',
      lines: [
        'Alt-Svc: h3=":443"',
        'Strict-Transport-Security: max-age=1',
        'Public-Key-Pins: x',
        'Public-Key-Pins-Report-Only: x',
        'Clear-Site-Data: "*"',
        'NEL: {}',
        'Report-To: {}',
        'Reporting-Endpoints: a="/x"',
        'expect-ct: max-age=1',
        'X-Kept: 1',
      ],
      relayed: ['X-Kept: 1'],
    },
    {
      name: 'fields that front ends and CDNs obey go',
      lines: [
        'X-Accel-Redirect: /internal/secret',
        'x-accel-expires: 3600',
        'X-Sendfile: /etc/passwd',
        'X-LiteSpeed-Purge: *',
        'X-Reproxy-URL: http://127.0.0.1/',
        'Edge-Control: !no-store, max-age=3600',
        'Cloudflare-CDN-Cache-Control: max-age=3600',
        'X-Kept: 1',
      ],
      relayed: ['X-Kept: 1'],
    },
  ])('keeps or drops fields: $name', async ({ lines, relayed }) => {
    const scene = await openScene(
      answerWith(`HTTP/1.1 200 OK\r\n${[...lines, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`),
    )
    const client = await scene.ask(get())
    const { octets } = await client.response()
    const head = octets.split('\r\n').slice(1, -2)
    expect(
      head.filter((line) => !/^(?:Date|Connection: keep-alive|Keep-Alive: timeout=75)/.test(line)),
    ).toEqual([...(relayed ?? lines), 'Content-Length: 0', DEFAULT])
    await expectHealthy(scene, client)
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
