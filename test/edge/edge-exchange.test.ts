import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EdgeOptions } from '../../src/edge.ts'
import { answerWith } from '../support/recording-upstream.ts'
import { onlyValue } from '../support/wire.ts'
import { openRecordedApp, POINT } from './support/recorded-app.ts'

function inWorkers(): void {
  vi.stubGlobal('WebSocketPair', Object)
  onTestFinished(() => void vi.unstubAllGlobals())
}

it.each(['Fine, thanks', '\xe9t\xe9', 'o\x01k'])('a reason phrase is dropped: %j', async (reason) => {
  const { app, records } = await openRecordedApp(
    answerWith(`HTTP/1.1 200 ${reason}\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nok`),
  )
  const response = await app.request(POINT)
  expect([response.status, response.statusText, await response.text()]).toEqual([200, '', 'ok'])
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(records).toEqual([expect.objectContaining({ status: 200, outcome: 'ok' })])
})

it.each([
  [1_000_000, '1000000 octets'],
  [9_000_000, 'an error'],
])('a response of %d octets is read before its visitor reads it, who then gets %s', async (length, got) => {
  const head = `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`
  const { app, service } = await openRecordedApp(answerWith(`${head}${'x'.repeat(length)}`))
  const response = await app.request(POINT)
  await service.closed(0)
  const read = await response.arrayBuffer().catch(() => undefined)
  expect(read ? `${read.byteLength} octets` : 'an error').toBe(got)
})

it.each<readonly [coding: string, status?: string, runtime?: 'Node']>([
  ...['zstd', 'GZIP', 'x-gzip', 'gzip, x-unknown', 'gzip;q=1', 'gzip, gzip'].map(
    (coding) => [coding] as const,
  ),
  ['gzip', '206 Partial Content'],
  ['gzip', '200 OK', 'Node'],
])(
  'a response is refused whose body may be encoded still, or cut unseen: %s %s %s',
  async (coding, status = '200 OK', runtime) => {
    if (runtime === undefined) inWorkers()
    const { app, records, service } = await openRecordedApp(
      answerWith(`HTTP/1.1 ${status}\r\nContent-Encoding: ${coding}\r\nContent-Length: 9\r\n\r\nencoded `),
    )
    const response = await app.request(POINT)
    expect([response.status, response.headers.get('proxy-status')]).toEqual([
      502,
      'continuation-point; error=http_response_content_coding',
    ])
    expect(records).toEqual([expect.objectContaining({ outcome: 'upstream-coding', status: 502 })])
    await service.closed(0)
  },
)

it.each([
  ['', 'ok', '2', '"1"'],
  ['identity', 'ok', '2', '"1"'],
  ['gzip', gzipSync('ok').toString('latin1'), null, null],
])(
  'a response is passed on that has no coding, or that fetch has decoded: "%s"',
  async (coding, body, ...left) => {
    inWorkers()
    const { app } = await openRecordedApp(
      answerWith(
        `HTTP/1.1 200 OK\r\nETag: "1"\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    )
    const response = await app.request(POINT)
    const kept = ['content-length', 'etag'].map((name) => response.headers.get(name))
    expect([await response.text(), ...kept]).toEqual(['ok', ...left])
  },
)

it('a field name that no Headers has is the service’s fault, and its response is not read on', async () => {
  const { app, records, service } = await openRecordedApp(
    answerWith('HTTP/1.1 200 OK\r\nOdd name: 1\r\nContent-Length: 9\r\n\r\nhalf'),
  )
  const { status } = await app.request(POINT)
  expect(status).toBe(502)
  expect(records).toEqual([expect.objectContaining({ outcome: 'upstream-malformed', status })])
  await service.closed(0)
})

// Runtimes pass such lengths on, and Workers fail to decode nothing.
it.each([
  ['HEAD', { 'Content-Length': '5, 7' }, 502],
  ['HEAD', { 'Content-Length': '+5' }, 502],
  ['GET', { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, 502],
  ['GET', { 'Content-Length': '0', 'Content-Encoding': 'gzip' }, 200],
])('%s of a response with %j gets %i', async (method, headers, status) => {
  inWorkers()
  vi.stubGlobal('fetch', async () => ({
    status: 200,
    statusText: '',
    headers: new Headers(headers),
    body: new ReadableStream(),
  }))
  const { app } = await openRecordedApp()
  const response = await app.request(POINT, { method })
  expect([response.status, status === 200 ? response.body : null]).toEqual([status, null])
})

describe('a client that leaves', () => {
  const left = expect.objectContaining({ outcome: 'client-abort', status: undefined, code: undefined })

  it('before its request is read causes no request to the service', async () => {
    const { app, records, service } = await openRecordedApp()
    await app.request(POINT, { signal: AbortSignal.abort() })
    expect(records).toEqual([left])
    expect(service.octets).toEqual([])
  })

  it('before the service responds is not counted against the service', async () => {
    const { app, records, service } = await openRecordedApp(() => {})
    const leaving = new AbortController()
    const answered = app.request(POINT, { signal: leaving.signal })
    await service.arrived(1)
    leaving.abort()
    await answered
    expect(records).toEqual([left])
    await service.closed(0)
  })

  it('during the response aborts the request to the service', async () => {
    const { app, service } = await openRecordedApp(
      answerWith('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
    )
    const leaving = new AbortController()
    const { status } = await app.request(POINT, { signal: leaving.signal })
    expect(status).toBe(200)
    leaving.abort()
    await service.closed(0)
  })

  it('is distinguished from a service that does not respond in time', async () => {
    const { app, records } = await openRecordedApp(() => {}, { timeouts: { headers: '20ms' } })
    const { status } = await app.request(POINT, { signal: new AbortController().signal })
    expect(status).toBe(504)
    expect(records).toEqual([
      expect.objectContaining({ outcome: 'upstream-head-timeout', status: 504, code: 'HEAD_TIMEOUT' }),
    ])
  })
})

describe('a body', () => {
  const stream = () => new Blob(['abc']).stream()
  const read = (request: Request) => request.text()
  const lock = async (request: Request) => void request.body?.getReader()

  it.each<[string, string | ReadableStream, Record<string, string>, typeof read?]>([
    ['no fields that announce it', 'abc', {}],
    ['no length known', stream(), {}],
    ['its length', 'abc', { 'Content-Length': '3' }],
    ['nothing in it, read or not', '', { 'Content-Length': '0' }, read],
  ])('goes on with %s', async (_what, body, headers, take = async () => '') => {
    const { app, records, service } = await openRecordedApp()
    const request = new Request(POINT, { method: 'POST', headers, body, duplex: 'half' })
    await take(request)
    await app.fetch(request)
    expect(service.requests.map((each) => each.body)).toEqual([body && 'abc'])
    expect(records).toEqual([expect.objectContaining({ outcome: 'ok' })])
  })

  it.each([
    ['read, as a text', 'abc', {}, read],
    ['read, as a stream', stream(), {}, read],
    ['read, its length known', 'abc', { 'Content-Length': '3' }, read],
    ['about to be read', stream(), {}, lock],
  ])('that is %s is not counted against the service', async (_state, body, headers, take) => {
    const { app, records, service } = await openRecordedApp()
    const request = new Request(POINT, { method: 'POST', headers, body, duplex: 'half' })
    await take(request)
    const response = await app.fetch(request)
    expect([response.status, await response.json()]).toEqual([
      500,
      expect.objectContaining({ code: 'body-taken' }),
    ])
    expect(records).toEqual([expect.objectContaining({ outcome: 'body-taken', status: 500 })])
    expect(service.octets).toEqual([])
  })

  it('that is longer than the limit is refused', async () => {
    const { app, records } = await openRecordedApp(undefined, { limits: { bodyBytes: 2 } })
    await app.request(POINT, { method: 'POST', headers: { 'Content-Length': '3' }, body: 'abc' })
    expect(records).toEqual([expect.objectContaining({ outcome: 'body-too-large', status: 413 })])
  })
})

// What a service leaves unread could else become the next visitor's request.
it.each([
  ['GET', undefined, 'keep-alive'],
  ['POST', 'abc', 'close'],
  ['PROPFIND', 'abc', 'close'],
  ['QUERY', 'abc', 'close'],
])('the connection to the service of %s with the body %s: %s', async (method, body, connection) => {
  const { app, service } = await openRecordedApp()
  await app.request(POINT, { method, ...(body === undefined ? {} : { body }) })
  expect(onlyValue(service.requests[0]?.fields ?? [], 'connection')).toBe(connection)
})

describe('a response without a body', () => {
  // Node's fetch waits for the body that it announces, for ever, on a connection that is never used again.
  it.each([
    ['304', { headers: { 'If-None-Match': '"a"' } }, 'HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\n'],
    ['205', {}, 'HTTP/1.1 205 Reset Content\r\nContent-Length: 5\r\n\r\nhello'],
    ['HEAD', { method: 'HEAD' }, 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'],
    ['a malformed one', {}, 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ])('leaves no connection behind: %s', async (_what, init, octets) => {
    const { app, service } = await openRecordedApp(answerWith(octets))
    for (let index = 0; index < 3; index += 1) {
      const response = await app.request(POINT, init)
      expect(await response.text()).not.toContain('hello')
      if (response.status === 205) expect(response.headers.get('content-length')).toBe(null)
      await service.closed(index)
    }
  })

  it('lets a connection be used again on which nothing is left', async () => {
    const { app, service } = await openRecordedApp(
      answerWith('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'),
    )
    for (let asked = 0; asked < 5; asked += 1)
      expect((await app.request(POINT, { headers: { 'If-None-Match': '"a"' } })).status).toBe(304)
    expect(service.sockets.length).toBeLessThan(5)
  })
})

it('the wait for a head is over when the head has arrived, however long the body takes', async () => {
  const { app, service } = await openRecordedApp(
    answerWith('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf '),
    { timeouts: { headers: '1s' } },
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const response = await app.request(POINT)
  vi.advanceTimersByTime(1000)
  service.sockets[0]?.write('done')
  expect(await response.text()).toBe('half done')
})

it.each([
  ['are kept out', {}, 'no-cache'],
  ['obey the Cache-Control of the client', { 'Cache-Control': 'max-age=0' }, 'max-age=0'],
])('caches on the way to the service %s', async (_what, headers, cacheControl) => {
  const { app, service } = await openRecordedApp()
  await app.request(POINT, { headers })
  const fields = service.requests[0]?.fields ?? []
  expect(onlyValue(fields, 'cache-control')).toBe(cacheControl)
  expect(onlyValue(fields, 'pragma')).toBe('no-cache')
})

// @hono/node-server throws so for an absolute target with credentials, and Hono would print it.
it('a runtime that throws gets a response of the app, and no log has the URL', async () => {
  const print = vi.spyOn(console, 'error')
  const { app, records } = await openRecordedApp()
  const request = new Request(POINT)
  Object.defineProperty(request, 'body', {
    get: () => {
      throw new TypeError(`This URL includes credentials: http://user:secret@www.example.com/?secret`)
    },
  })
  const response = await app.fetch(request)
  expect([response.status, await response.json()]).toEqual([
    500,
    expect.objectContaining({ code: 'internal' }),
  ])
  expect(records).toEqual([expect.objectContaining({ outcome: 'internal', code: 'TypeError', status: 500 })])
  expect(print).not.toHaveBeenCalled()
})

it('a listener that throws does not affect a request, and is reported', async () => {
  // The runner's own would fail the run for an error that is uncaught on purpose.
  const ofRunner = process.listeners('uncaughtException')
  onTestFinished(() => {
    for (const listener of ofRunner) process.on('uncaughtException', listener)
  })
  process.removeAllListeners('uncaughtException')
  const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve))
  const onExchange: EdgeOptions['onExchange'] = ({ outcome }) => {
    throw new Error(outcome)
  }
  const { app } = await openRecordedApp(undefined, {}, { onExchange })
  expect((await app.request(POINT)).status).toBe(200)
  expect(await uncaught).toEqual(new Error('ok'))
})
