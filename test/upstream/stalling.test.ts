import { describe, expect, it } from 'vitest'
import { POINT_HOST } from '../support/start-proxy.ts'
import { itExpects } from './fault.ts'
import { expectHealthy, get, openScene, PATH } from './scene.ts'

const SHORT = { timeouts: { connect: '5s', headers: '300ms', idle: '300ms' } }
const LONG_HEADERS = { timeouts: { connect: '5s', headers: '10s', idle: '300ms' } }
const POST = `POST ${PATH} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n`
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('a service that stalls before its head is a 504', () => {
  describe.each([get(), `${POST}Content-Length: 3\r\n\r\nabc`])('%j', (request) =>
    itExpects({ request, config: SHORT, status: 504, code: 'upstream-head-timeout' }, [
      ['says nothing', ''],
      ['stops in the status line', 'HTTP/1.1 20'],
      ['stops in a field line', 'HTTP/1.1 200 OK\r\nContent-'],
      ['stops before the empty line', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n'],
      ['stops after 100', 'HTTP/1.1 100 Continue\r\n\r\n'],
      ['stops in 103', 'HTTP/1.1 103 Early Hints\r\nLink'],
    ]),
  )

  it('reads nothing of an upload', async () => {
    const scene = await openScene(undefined, {
      config: { timeouts: { idle: '1s' } },
      upstream: { onConnection: (socket, index) => void (index === 0 && socket.pause()) },
    })
    const client = await scene.ask(`${POST}Content-Length: 33554432\r\n\r\n`)
    client.write(Buffer.alloc(33_554_432))
    await client.received('\r\n\r\n')
    expect(client.pending()).toMatch(/^HTTP\/1\.1 504 .*"code":"upstream-stall"/s)
    // A socket that does not read does not notice either that the other end closed the connection.
    scene.upstream.sockets[0]?.resume()
    await scene.upstream.closed(0)
    await expectHealthy(scene)
    await scene.proxy.recorded(2)
    expect(scene.proxy.records.map(({ outcome }) => outcome)).toContain('upstream-stall')
  })
})

describe('a service that stalls after its head has its response cut off', () => {
  describe.each(['1.1', '1.0'] as const)('HTTP/%s', (version) =>
    itExpects(
      { request: get({ version }), config: SHORT, status: 200, end: 'broken', outcome: 'upstream-stall' },
      [
        ['Content-Length: the head', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'],
        ['Content-Length: some octets', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
        ['chunked: the head', CHUNKED],
        ['chunked: a chunk', `${CHUNKED}3\r\nabc\r\n`],
        ['chunked: all but the last octet', `${CHUNKED}3\r\nabc\r\n0\r\n\r`],
        ['close-delimited: some octets', 'HTTP/1.1 200 OK\r\n\r\nabc'],
      ],
    ),
  )
})

// A client that stalls while it sends is in test/compliance/rfc9110-15.5-limits.test.ts.
describe('a client that stalls', () => {
  it('its reading has its response cut off, and the request to the service aborted', async () => {
    const body = Buffer.alloc(33_554_432, 'x')
    const scene = await openScene(
      (_request, socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`)
        socket.write(body)
      },
      { config: LONG_HEADERS },
    )
    const client = await scene.ask('')
    client.socket.pause()
    client.write(get())
    await scene.upstream.arrived(1)
    await scene.upstream.closed(0)
    await scene.proxy.recorded(1)
    expect(scene.proxy.records[0]).toMatchObject({ outcome: 'request-timeout', status: 200 })
    client.socket.resume()
    await client.ended()
    expect(client.socket.bytesRead).toBeLessThan(body.length)
    await expectHealthy(scene)
  })
})
