import { beforeEach, describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import type { RawClient } from '../support/raw-client.ts'
import { holdSome, type RecordingUpstream, type Script } from '../support/recording-upstream.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { type RunningProxy, WIDGET_KEY } from '../support/start-proxy.ts'
import { turns } from '../support/until.ts'
import { onlyValue } from '../support/wire.ts'

const HOST = 'Host: www.example.com\r\n'
const get = (path: string) => `GET /service_cookie_transfer/${path} HTTP/1.1\r\n${HOST}\r\n`
const post = (path: string, lines: string, body: string) =>
  `POST /service_cookie_transfer/${path} HTTP/1.1\r\n${HOST}${lines}\r\n${body}`

const toResponse = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('pipelined requests wait for the response before them (RFC 9112 section 9.3.2)', () => {
  let stage: Stage
  let upstream: RecordingUpstream
  let proxy: RunningProxy
  let client: RawClient
  beforeEach(async () => {
    const answerEarly: Script = ({ startLine }, socket) =>
      void (startLine.includes('/early') && socket.write(toResponse('early')))
    stage = await openForTest(openStage({}, answerEarly, { answerAt: 'head' }))
    ;({ upstream, proxy } = stage)
    client = await stage.ask('')
  })

  /** The service's answer to the request that it still holds. */
  const release = (path: string, octets: string) => {
    const held = upstream.octets.findIndex((seen) => seen.includes(path))
    upstream.sockets[held]?.write(octets)
  }

  const releaseFirst = async () => {
    release('/held', toResponse('the first'))
    expect((await client.response()).body).toBe('the first')
  }

  it('a slow POST, a POST and a GET reach the service one after another', async () => {
    const first = post('held', 'Content-Length: 5\r\n', 'fi')
    client.write(first)
    await upstream.saw(0, (octets) => octets.endsWith('\r\n\r\nfi'))
    client.write(`rst${post('parts', 'Content-Length: 6\r\n', 'second')}${get('late')}`)
    await upstream.saw(0, (octets) => octets.endsWith('first'))
    await turns()
    expect(upstream.sockets).toHaveLength(1)
    release('/held', toResponse('the first'))
    await upstream.arrived(2)
    await turns()
    expect(upstream.octets.join('')).not.toContain('/late')
    release('/parts', toResponse('the second'))
    await upstream.arrived(3)
    release('/late', toResponse('the third'))
    const bodies = [await client.response(), await client.response(), await client.response()]
    expect(bodies.map(({ body }) => body)).toEqual(['the first', 'the second', 'the third'])
    expect(upstream.requests.map(({ body }) => body)).toEqual(['first', 'second', ''])
  })

  it('sixty refused ones in a packet do not hold up another client', async () => {
    const refused = `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`
    client.write(refused.repeat(60))
    const other = await stage.ask(refused.replace('nowhere', 'other'))
    expect((await other.response()).startLine).toBe('HTTP/1.1 404 Not Found')
    expect(proxy.records.length).toBeLessThan(30)
    for (let count = 0; count < 60; count += 1)
      expect((await client.response()).startLine).toBe('HTTP/1.1 404 Not Found')
  })

  it('100 Continue is not sent within another response', async () => {
    client.write(get('held') + post('parts', 'Expect: 100-continue\r\nContent-Length: 3\r\n', 'abc'))
    await upstream.arrived(1)
    release('/held', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe ')
    await client.received('the ')
    release('/held', 'first')
    await upstream.arrived(2)
    release('/parts', toResponse('the second'))
    expect((await client.response()).body).toBe('the first')
    await client.received('the second')
    expect(client.pending()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  })

  it('100 Continue is sent after the responses before it', async () => {
    client.write(get('held') + post('late', 'Expect: 100-continue\r\nContent-Length: 3\r\n', ''))
    await upstream.saw(0, (octets) => octets.includes('/held'))
    await turns()
    expect(client.pending()).toBe('')
    await releaseFirst()
    await client.received('HTTP/1.1 100 Continue\r\n\r\n')
  })

  it.each([
    ['before the response began', ''],
    ['in the middle of the response', 'the '],
  ])('CONNECT %s', async (_what, begun) => {
    client.write(get('held'))
    await upstream.arrived(1)
    release('/held', begun === '' ? '' : `HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n${begun}`)
    if (begun !== '') await client.received(begun)
    client.write(`CONNECT www.example.com:80 HTTP/1.1\r\n${HOST}\r\n`)
    await turns()
    release('/held', begun === '' ? toResponse('the first') : 'first')
    expect((await client.response()).body).toBe('the first')
    expect((await client.response()).startLine).toBe('HTTP/1.1 405 Method Not Allowed')
    expect(await client.ended()).toBe('end')
  })

  it('malformed octets are refused once, however many pieces they arrive in', async () => {
    client.socket.setNoDelay()
    client.write(get('held'))
    await upstream.arrived(1)
    for (let piece = 0; piece < 40; piece += 1) {
      client.write('@')
      await turns()
    }
    await releaseFirst()
    expect((await client.response()).startLine).toBe('HTTP/1.1 400 Bad Request')
    expect(await client.ended()).toBe('end')
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['ok', 'bad-message'])
  })

  it('an upload that is answered early waits for the response before it', async () => {
    client.write(get('held') + post('early', 'Content-Length: 5\r\n', 'ab'))
    await upstream.arrived(1)
    await turns()
    expect(upstream.octets.join('')).not.toContain('/early')
    await releaseFirst()
    expect((await client.response()).body).toBe('early')
  })

  it('a malformed body is refused after the response before it, and never sent', async () => {
    client.write(get('held') + post('broken', 'Transfer-Encoding: chunked\r\n', 'no chunk'))
    await upstream.arrived(1)
    await turns()
    await releaseFirst()
    expect((await client.response()).startLine).toBe('HTTP/1.1 400 Bad Request')
    expect(await client.ended()).toBe('end')
    expect(upstream.octets.join('')).not.toContain('/broken')
  })

  it('a waiting request is not sent if the connection ends with the response before it', async () => {
    client.write(get('held').replace('Host', 'Connection: close\r\nHost') + get('late'))
    await upstream.arrived(1)
    await releaseFirst()
    expect(await client.ended()).toBe('end')
    expect(upstream.requests).toHaveLength(1)
  })

  it('a request that waits during a reload is handled by the new config', async () => {
    const late = get('late').replace(HOST, `${HOST}X-Forwarded-For: 192.0.2.7\r\n`)
    client.write(get('held') + late)
    await upstream.arrived(1)
    await turns()
    await proxy.reload({ widgetKey: 'another-key', listen: { trustedProxies: [] } })
    release('/held', toResponse('the first'))
    await upstream.arrived(2)
    release('/late', toResponse('the other'))
    const bodies = [await client.response(), await client.response()]
    expect(bodies.map(({ body }) => body)).toEqual(['the first', 'the other'])
    expect(upstream.requests.map(({ fields }) => onlyValue(fields, 'x-widget-key'))).toEqual([
      WIDGET_KEY,
      'another-key',
    ])
    expect(onlyValue(upstream.requests[1]?.fields ?? [], 'x-forwarded-for')).toBe('127.0.0.1')
  })

  it('a waiting request is dropped when its client leaves', async () => {
    client.write(get('held') + get('late') + get('later'))
    await upstream.arrived(1)
    await turns()
    client.socket.resetAndDestroy()
    release('/held', toResponse('x'.repeat(8_000_000)))
    await proxy.recorded(1)
    await turns()
    expect(proxy.proxy.traffic.inFlight).toBe(0)
    expect(upstream.requests).toHaveLength(1)
    expect(proxy.records.map(({ outcome }) => outcome)).toEqual(['client-abort'])
  })

  it('a client that leaves while none waits is noticed', async () => {
    client.write(get('held'))
    await upstream.arrived(1)
    client.close()
    await proxy.recorded(1)
    expect(proxy.proxy.traffic.inFlight).toBe(0)
  })

  it('the socket is not read while one waits', async () => {
    const request = get('held').replace('\r\n\r\n', `\r\nX-Long: ${'x'.repeat(8_000)}\r\n\r\n`)
    const count = 6_000
    for (let sent = 0; sent < count; sent += 1) client.write(request)
    await upstream.arrived(1)
    expect(await takenWhenStill(client)).toBeLessThan(0.5 * count * request.length)
    release('/held', toResponse(''))
    await upstream.arrived(2)
  })

  it('a connection that pipelines endlessly is closed', async () => {
    const octets = get('held').repeat(102)
    client.write(octets)
    expect(await client.ended()).toBe('end')
    await proxy.recorded(2)
    expect(proxy.records.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['bad-message', 'PIPELINE_DEPTH'],
      ['client-abort', 'SERVICE_AWAITED'],
    ])
    expect(proxy.proxy.traffic.inFlight).toBe(0)
  })
})

describe('one connection counts as one request in flight', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await openForTest(openStage({ limits: { concurrentRequests: 2 } }, holdSome))
  })

  it('however many requests it pipelines', async () => {
    const { upstream } = stage
    const greedy = await stage.ask(get('hold') + get('x').repeat(100))
    await upstream.arrived(1)
    const other = await stage.ask(get('y'))
    expect((await other.response()).startLine).toBe('HTTP/1.1 200 OK')
    upstream.sockets[0]?.write(toResponse(''))
    for (let count = 0; count < 101; count += 1)
      expect((await greedy.response()).startLine).toBe('HTTP/1.1 200 OK')
    greedy.write(get('x'))
    expect((await greedy.response()).startLine).toBe('HTTP/1.1 200 OK')
  })

  it('a request is admitted or refused when its turn comes', async () => {
    const { upstream } = stage
    await stage.ask(get('hold'))
    await upstream.arrived(1)
    const waiting = await stage.ask(get('hold') + get('x'))
    await upstream.arrived(2)
    const other = await stage.ask(get('x'))
    expect((await other.response()).startLine).toBe('HTTP/1.1 503 Service Unavailable')
    for (const socket of upstream.sockets) socket.write(toResponse(''))
    expect((await waiting.response()).startLine).toBe('HTTP/1.1 200 OK')
    expect((await waiting.response()).startLine).toBe('HTTP/1.1 200 OK')
  })
})

/** How many octets the other end has read, once it has read none for a while. */
async function takenWhenStill({ socket }: RawClient): Promise<number> {
  let taken = -1
  for (let still = 0; still < 200; ) {
    await turns()
    const now = socket.bytesWritten - socket.writableLength
    still = now === taken ? still + 1 : 0
    taken = now
  }
  return taken
}
