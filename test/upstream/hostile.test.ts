import { describe, expect, it } from 'vitest'
import { answerOk, answerWith } from '../support/recording-upstream.ts'
import { itExpects } from './fault.ts'
import { expectHealthy, get, openScene, receive } from './scene.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab'

describe('a response that HTTP forbids becomes a 502', () => {
  itExpects({ status: 502, code: 'upstream-malformed' }, [
    ['garbage', 'garbage\r\n\r\n'],
    ['garbage without an end', '\x00\x01\x02'],
    ['a body alone', '<!doctype html><p>hello'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/2.0', 'HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/0.9', 'HTTP/0.9 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['ICY', 'ICY 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['lower case', 'http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status 20', 'HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status 2000', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status 000', 'HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status 099', 'HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status 99', 'HTTP/1.1 99 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status 600', 'HTTP/1.1 600 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status 999', 'HTTP/1.1 999 OK\r\nContent-Length: 0\r\n\r\n'],
    ['status -1', 'HTTP/1.1 -1 OK\r\nContent-Length: 0\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n'],
    ['two blanks before the status', 'HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a bare LF after the status line', 'HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n'],
    ['NUL in the reason', 'HTTP/1.1 200 O\x00K\r\nContent-Length: 0\r\n\r\n'],
    ['CR in the reason', 'HTTP/1.1 200 O\rK\r\nContent-Length: 0\r\n\r\n'],
    ['ESC in the reason', 'HTTP/1.1 200 \x1b[31mOK\r\nContent-Length: 0\r\n\r\n'],
    ['DEL in the reason', 'HTTP/1.1 200 \x7f\r\nContent-Length: 0\r\n\r\n'],
    ['NUL in a value', 'HTTP/1.1 200 OK\r\nX-A: a\x00b\r\nContent-Length: 0\r\n\r\n'],
    ['ESC in a value', 'HTTP/1.1 200 OK\r\nX-A: a\x1bb\r\nContent-Length: 0\r\n\r\n'],
    ['DEL in a value', 'HTTP/1.1 200 OK\r\nX-A: a\x7fb\r\nContent-Length: 0\r\n\r\n'],
    ['CR in a value', 'HTTP/1.1 200 OK\r\nX-A: a\rb\r\nContent-Length: 0\r\n\r\n'],
    ['LF in a value', 'HTTP/1.1 200 OK\r\nX-A: a\nb\r\nContent-Length: 0\r\n\r\n'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
    ['NUL in a name', 'HTTP/1.1 200 OK\r\nX\x00A: a\r\nContent-Length: 0\r\n\r\n'],
    ['a blank in a name', 'HTTP/1.1 200 OK\r\nX A: a\r\nContent-Length: 0\r\n\r\n'],
    ['a blank before the colon', 'HTTP/1.1 200 OK\r\nX-A : a\r\nContent-Length: 0\r\n\r\n'],
    ['an octet above 0x7F in a name', 'HTTP/1.1 200 OK\r\nX-\xe9: a\r\nContent-Length: 0\r\n\r\n'],
    ['an empty name', 'HTTP/1.1 200 OK\r\n: a\r\nContent-Length: 0\r\n\r\n'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nX-A\r\nContent-Length: 0\r\n\r\n'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc'],
    ['the same length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab'],
    ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nab'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['a signed length', 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nab'],
    ['a hexadecimal length', 'HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nab'],
    ['an empty length', 'HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n'],
    ['a length beyond 64 bits', `HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\nab`],
    [
      'length, then chunked',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunked, then length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n',
    ],
    ['a coding that is not chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab'],
    ['a coding under chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    [
      'a coding on its own line',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['chunked twice', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n'],
    ['chunked with a parameter', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n'],
    ['an empty coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: \r\n\r\nab'],
  ])

  itExpects({ status: 502, code: 'upstream-head-too-large' }, [
    ['one value over 64 KiB', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(66_000)}\r\nContent-Length: 0\r\n\r\n`],
    [
      '10,000 Set-Cookie lines',
      `HTTP/1.1 200 OK\r\n${'Set-Cookie: a=1\r\n'.repeat(10_000)}Content-Length: 0\r\n\r\n`,
    ],
    ['a head that never ends', `HTTP/1.1 200 OK\r\n${'X-A: a\r\n'.repeat(20_000)}`],
    ['a reason that never ends', `HTTP/1.1 200 ${'a'.repeat(70_000)}`],
  ])

  it('carries a head of almost 64 KiB', async () => {
    const value = 'a'.repeat(65_000)
    const scene = await openScene(answerWith(`HTTP/1.1 200 OK\r\nX-A: ${value}\r\nContent-Length: 0\r\n\r\n`))
    const { octets } = await (await scene.ask(get())).response()
    expect(octets).toContain(`X-A: ${value}\r\n`)
  })
})

describe('a body that contradicts its framing breaks the client’s connection', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n'
  itExpects({ status: 200, end: 'broken', outcome: 'upstream-malformed' }, [
    ['no chunk size', `${chunked}\r\nab\r\n0\r\n\r\n`],
    ['a chunk size that is not a number', `${chunked}zz\r\nab\r\n0\r\n\r\n`],
    ['a negative chunk size', `${chunked}-2\r\nab\r\n0\r\n\r\n`],
    ['a chunk size with 0x', `${chunked}0x2\r\nab\r\n0\r\n\r\n`],
    ['a chunk size beyond 64 bits', `${chunked}${'f'.repeat(17)}\r\nab\r\n0\r\n\r\n`],
    ['a chunk longer than its size', `${chunked}2\r\nabc\r\n0\r\n\r\n`],
    ['a chunk shorter than its size', `${chunked}3\r\nab\r\n0\r\n\r\n`],
    ['a chunk size line that ends in LF', `${chunked}2\nab\r\n0\r\n\r\n`],
    ['a bare CR in a chunk extension', `${chunked}2;a\rb\r\nab\r\n0\r\n\r\n`],
    ['a bad trailer', `${chunked}0\r\nbad trailer\r\n\r\n`],
  ])
})

describe('octets after a response never reach the next visitor', () => {
  const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\nSet-Cookie: poison=1\r\n\r\npoison'
  const rows: readonly (readonly [string, string, string])[] = [
    ['a complete second response', OK, poison],
    ['two more responses', OK, poison + poison],
    ['a body longer than its length', OK, 'poison'],
    ['one octet', OK, 'H'],
    ['half a response', OK, poison.slice(0, 30)],
    ['an informational head', OK, 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a body after 204', 'HTTP/1.1 204 No Content\r\n\r\n', 'poison'],
    ['a body after 304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 6\r\n\r\n', 'poison'],
    [
      'octets behind the last chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
      poison,
    ],
  ]

  it.each(rows)('%s, together with the response', async (_name, octets, surplus) => {
    const scene = await openScene(answerWith(octets + surplus))
    const client = await scene.ask(get())
    const { octets: relayed } = await client.response()
    expect(relayed).not.toContain('poison')
    await expectHealthy(scene, client)
    expect(scene.upstream.sockets[0]?.destroyed).toBe(true)
  })

  it.each(rows)('%s, on the idle connection', async (_name, octets, surplus) => {
    const scene = await openScene(answerWith(octets))
    const client = await scene.ask(get())
    await client.response()
    const [socket] = scene.upstream.sockets
    if (socket?.destroyed === false) socket.write(surplus)
    await scene.upstream.closed(0)
    await expectHealthy(scene, client)
  })

  it('a body after the head of a response to HEAD', async () => {
    const scene = await openScene(answerWith(OK + poison))
    const client = await scene.ask(get({ method: 'HEAD' }))
    const { answer } = await receive(client, 'HEAD')
    expect(answer?.octets).not.toContain('poison')
    await expectHealthy(scene, client)
  })

  it('an unrequested response', async () => {
    const scene = await openScene(answerOk, {
      upstream: { onConnection: (socket, index) => void (index === 0 && socket.write(poison)) },
    })
    const client = await scene.ask(get())
    await receive(client)
    await expectHealthy(scene)
  })
})
