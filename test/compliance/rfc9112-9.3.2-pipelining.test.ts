import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openClient, type RawClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'

const HOST = 'Host: www.example.com\r\n'
const get = (path: string) => `GET /service_cookie_transfer/${path} HTTP/1.1\r\n${HOST}\r\n`
const post = (path: string, lines: string, body: string) =>
  `POST /service_cookie_transfer/${path} HTTP/1.1\r\n${HOST}${lines}\r\n${body}`

describe('what stands behind a request waits for its answer (RFC 9112 section 9.3.2)', () => {
  let upstream: RecordingUpstream
  let proxy: RunningProxy
  let client: RawClient

  beforeEach(async () => {
    upstream = await startUpstream(
      (request, socket) => {
        if (request.startLine.includes('/early'))
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly')
      },
      { answerAt: 'head' },
    )
    proxy = await startProxy(upstream.origin)
    client = await openClient(proxy.port)
  })
  afterEach(async () => {
    vi.useRealTimers()
    client.close()
    await proxy.close()
    await upstream.close()
  })

  /** The service's answer to the request that it still holds. */
  const release = (path: string, octets: string) => {
    const held = upstream.octets.findIndex((seen) => seen.includes(path))
    upstream.sockets[held]?.write(octets)
  }

  it('100 Continue does not come within an answer', async () => {
    client.write(get('held') + post('parts', 'Expect: 100-continue\r\nContent-Length: 3\r\n', 'abc'))
    await upstream.saw(1, (octets) => octets.endsWith('abc'))
    release('/parts', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')
    await turns()
    release('/parts', 'the second')
    await turns()
    release('/held', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe first')
    expect((await client.response()).body).toBe('the first')
    expect((await client.response()).body).toBe('the second')
    expect(client.pending()).toBe('')
  })

  it('100 Continue comes when the answers before are out', async () => {
    client.write(get('held') + post('late', 'Expect: 100-continue\r\nContent-Length: 3\r\n', ''))
    await upstream.saw(0, (octets) => octets.includes('/held'))
    await turns()
    expect(client.pending()).toBe('')
    release('/held', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe first')
    expect((await client.response()).body).toBe('the first')
    await client.received('HTTP/1.1 100 Continue\r\n\r\n')
  })

  it.each([
    ['before the answer began', ''],
    ['in the middle of the answer', 'the '],
  ])('CONNECT %s', async (_what, begun) => {
    client.write(get('held'))
    await upstream.arrived(1)
    release('/held', begun === '' ? '' : `HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n${begun}`)
    if (begun !== '') await client.received(begun)
    client.write(`CONNECT www.example.com:80 HTTP/1.1\r\n${HOST}\r\n`)
    await turns()
    release('/held', begun === '' ? 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe first' : 'first')
    expect((await client.response()).body).toBe('the first')
    expect((await client.response()).startLine).toBe('HTTP/1.1 405 Method Not Allowed')
    expect(await client.ended()).toBe('end')
  })

  it('octets that make no sense are refused once, in however many pieces they come', async () => {
    client.socket.setNoDelay()
    client.write(get('held'))
    await upstream.arrived(1)
    for (let piece = 0; piece < 40; piece += 1) {
      client.write('@')
      await turns()
    }
    release('/held', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe first')
    expect((await client.response()).body).toBe('the first')
    expect((await client.response()).startLine).toBe('HTTP/1.1 400 Bad Request')
    expect(await client.ended()).toBe('end')
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['ok', 'bad-message'])
  })

  it('an upload that is answered early does not cut the answer before it short', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    client.write(get('held') + post('early', 'Content-Length: 5\r\n', 'ab'))
    await upstream.saw(1, (octets) => octets.endsWith('ab'))
    await turns()
    vi.advanceTimersByTime(60_000)
    release('/held', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe first')
    expect((await client.response()).body).toBe('the first')
    expect((await client.response()).body).toBe('early')
  })
})

/** Some turns of the loop, in which the other end reads what was written. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
