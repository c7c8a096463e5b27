import { constants, createSecureServer } from 'node:http2'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { networkProbe } from '../../src/probe/network-probe.ts'
import { openClient } from '../conformance/suite/client.ts'
import { startOriginServer } from '../conformance/suite/origin-server.ts'
import { pemOf } from '../support/certificates/certificate.ts'
import { flood, startRawFrontEnd } from '../support/front-ends/raw-front-end.ts'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient as openRawClient } from '../support/raw-client.ts'

/** A front end whose answer never ends: `piece` again and again, as fast as it is read. */
function endless(start: string, piece: string) {
  const script = (socket: Socket) => {
    socket.write(start)
    flood(socket, piece.repeat(Math.ceil(65_536 / piece.length)))
  }
  return openForTest(startRawFrontEnd(script))
}

const SLOW_MS = 60_000
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
/** More framing than content. */
const TINY = '4\r\naaaa\r\n'

describe('check', () => {
  const ask = (port: number) =>
    networkProbe({ version: '1', overrides: [], trust: undefined, deadlineMs: 60_000 }).send(
      { scheme: 'http', host: 'www.shop.localhost', port },
      '127.0.0.1',
      { method: 'GET', target: '/', fields: [], body: undefined },
    )

  it.each([
    ['128 KiB of an endless response', `400\r\n${'a'.repeat(1_024)}\r\n`, 131_072],
    ['16,384 pieces if they are tiny', TINY, 65_536],
  ])(
    'reads %s',
    async (_what, piece, length) => {
      const { port } = await endless(CHUNKED, piece)
      const reply = await ask(port)
      expect(reply).toMatchObject({ kind: 'response', status: 200 })
      // A chunk that comes in two reads is two pieces.
      const read = reply.kind === 'response' ? reply.body.length : 0
      expect(Math.ceil(read / 1_024)).toBe(length / 1_024)
    },
    SLOW_MS,
  )

  it('reads 64 KiB of interim responses', async () => {
    const { port } = await endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n')
    expect(await ask(port)).toMatchObject({ kind: 'none', cause: 'head-too-large' })
  })

  // RFC 8336. Node 20 keeps every name, and ends the process once they fill its memory.
  it('reads 64 KiB of origins over HTTP/2', async () => {
    const server = createSecureServer({ cert: pemOf('service.cert'), key: pemOf('service.key') })
    let sent = 0
    server.on('session', (session) => {
      session.on('error', () => {})
      const sendMore = () => {
        if (session.destroyed || sent >= 64_000) return
        session.origin(
          ...Array.from({ length: 320 }, (_, index) => `https://a${sent + index}.shop.localhost`),
        )
        sent += 320
        setImmediate(sendMore)
      }
      sendMore()
    })
    expect(await askOverH2(await listenForTest(server))).toMatchObject({
      kind: 'none',
      cause: 'head-too-large',
    })
  })

  it.each([
    [400, false, { kind: 'response', status: 200 }],
    [600, false, { kind: 'none', cause: 'head-too-large' }],
    [1, true, { kind: 'none', cause: 'closed' }],
  ])('judges a response of %i fields over HTTP/2, refused: %s', async (count, isRefused, expected) => {
    const server = createSecureServer({ cert: pemOf('service.cert'), key: pemOf('service.key') })
    const fields = Array.from({ length: count }, (_, index) => [`x-${index}`, 'x'])
    server.on('stream', (stream) => {
      stream.on('error', () => {})
      if (isRefused) return stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
      stream.respond({ ':status': 200, ...Object.fromEntries(fields) })
      stream.end('ok')
    })
    expect(await askOverH2(await listenForTest(server))).toMatchObject(expected)
  })
})

function askOverH2(port: number) {
  const trust = { kind: 'only', certificates: [pemOf('authority.cert')] } as const
  const probe = networkProbe({ version: '1', overrides: [], trust })
  const request = { method: 'GET', target: '/', fields: [], body: undefined, protocol: 'h2' } as const
  return probe.send({ scheme: 'https', host: 'localhost', port }, '127.0.0.1', request)
}

describe('conformance', () => {
  it(
    'reads 2 MiB of an endless response, however tiny its chunks',
    async () => {
      const { port } = await endless(CHUNKED, TINY)
      const endpoint = { scheme: 'http', host: 'www.shop.localhost', port } as const
      const client = await openClient({ endpoint, address: '127.0.0.1', trust: undefined }, 60_000)
      const fields = ['Host', 'www.shop.localhost']
      const sent = client?.send({ method: 'GET', target: '/', fields, parts: [], framing: 'none' })
      const reply = await sent?.reply
      client?.close()
      expect(reply).toMatchObject({ kind: 'response', status: 200, end: 'cut' })
      expect(reply?.kind === 'response' && reply.body.length).toBe(2 * 1_048_576)
    },
    SLOW_MS,
  )

  it(
    'reads 2 MiB of an endless request from a point',
    async () => {
      const { script, client } = await openOrigin()
      client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
      const writing = setInterval(() => client.write(TINY.repeat(10_000)), 1)
      await client.ended()
      clearInterval(writing)
      expect(script.arrivals.map(({ end, body }) => [end, body.length])).toEqual([['cut', 2 * 1_048_576]])
    },
    SLOW_MS,
  )

  it('records 100 requests of a point that repeats one endlessly', async () => {
    const { script, client } = await openOrigin()
    for (let i = 0; i < 150; i += 1) {
      client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      await client.response()
    }
    expect(script.arrivals).toHaveLength(100)
  })
})

/** An origin server that answers each request alike, and a point that is connected to it. */
async function openOrigin() {
  const originServer = await openForTest(startOriginServer(0))
  const answer = { status: 200, reason: 'OK', fields: [], body: '', framing: 'length' } as const
  const script = originServer.script(answer, 'at-once')
  return { script, client: await openForTest(openRawClient(originServer.port)) }
}
