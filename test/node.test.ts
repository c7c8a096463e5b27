import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, createServer as createSecondServer } from 'node:http2'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { ConfigError, type ExchangeRecord, type NodePoints, openPoints } from '../src/node.ts'
import { listenForTest } from './support/listen.ts'
import { openMounted } from './support/mounted.ts'
import { openForTest } from './support/open-for-test.ts'
import { askOnce, openClient } from './support/raw-client.ts'
import { answerOk, holdSome, type RecordingUpstream, startUpstream } from './support/recording-upstream.ts'

describe('the listener for node:http', () => {
  let upstream: RecordingUpstream
  let points: NodePoints
  let records: ExchangeRecord[]

  beforeEach(async () => {
    upstream = await openForTest(startUpstream(holdSome))
    ;({ mounted: points, records } = await openMounted(openPoints, upstream.origin))
  })

  const taking: Readonly<Record<string, (incoming: IncomingMessage) => unknown>> = {
    'was read to its end': (incoming) => incoming.toArray(),
    'was read in part': (incoming) => new Promise((resolve) => incoming.once('data', resolve)),
    'is being thrown away': (incoming) => void incoming.resume(),
    'was set to be read as text': (incoming) => void incoming.setEncoding('utf8'),
    'has another reader': (incoming) => void incoming.on('readable', () => {}),
  }
  it.each(Object.entries(taking))('reports a body that %s before', async (_what, take) => {
    const port = await listen((incoming, outgoing) => {
      void Promise.resolve(take(incoming)).then(() =>
        points.listener(incoming, outgoing, () => outgoing.end('the site')),
      )
    })
    const answer = await askOnce(port, `${post('/service_cookie_transfer/x')}Content-Length: 4\r\n\r\nbody`)
    expect(answer.startLine).toBe('HTTP/1.1 500 Internal Server Error')
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'body-taken', title: 'Body already read' })
    expect(upstream.requests).toEqual([])
    expect(records.map(({ outcome, status }) => ({ outcome, status }))).toEqual([
      { outcome: 'body-taken', status: 500 },
    ])
  })

  const meddling: Readonly<Record<string, (incoming: IncomingMessage, next: () => void) => void>> = {
    'throws it away': (incoming, next) => {
      next()
      incoming.resume()
    },
    'counts it': (incoming, next) => {
      next()
      incoming.on('data', () => {})
    },
    'pipes it elsewhere': (incoming, next) => {
      next()
      incoming.pipe(new PassThrough()).resume()
    },
    'had paused it for a while': (incoming, next) => {
      incoming.pause()
      setImmediate(next)
    },
  }
  describe.each(Object.entries(meddling))('other code that %s after the call', (_what, middleware) => {
    it.each([
      ['of a known length', 'Content-Length: 5\r\n\r\nhello'],
      ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ])('takes nothing from a body %s', async (_framing, rest) => {
      const port = await listen((incoming, outgoing) =>
        middleware(incoming, () => points.listener(incoming, outgoing)),
      )
      const answer = await askOnce(port, `${post('/service_cookie_transfer/x')}${rest}`)
      expect(answer.startLine).toBe('HTTP/1.1 200 OK')
      expect(upstream.requests.map(({ body }) => body)).toEqual(['hello'])
      expect(records.map(({ outcome }) => outcome)).toEqual(['ok'])
    })
  })

  it('forwards a request without a body although other code tried to read one', async () => {
    const port = await listen((incoming, outgoing) => {
      void incoming.toArray().then(() => points.listener(incoming, outgoing))
    })
    const answer = await askOnce(
      port,
      'GET /service_cookie_transfer/x HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
    )
    expect(answer.startLine).toBe('HTTP/1.1 200 OK')
  })

  it.each([
    ['the mount path is cut off', '/x?q'],
    ['a rewrite took place', '/index.html'],
  ])('reads the target as it arrived where %s', async (_what, url) => {
    const seen: (string | undefined)[] = []
    const port = await listen((incoming, outgoing) => {
      Object.assign(incoming, { originalUrl: incoming.url, url })
      points.listener(incoming, outgoing, () => {
        seen.push(incoming.url)
        outgoing.end('the site')
      })
    })
    expect((await askOnce(port, `${post('/service_cookie_transfer/x?q')}\r\n`)).body).toBe('ok')
    expect((await askOnce(port, `${post('/other')}\r\n`)).body).toBe('the site')
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
      'POST /service_cookie_transfer/x?q HTTP/1.1',
    ])
    expect(seen).toEqual([url])
  })

  it('sends no field of the framework and every field of the service, even one that was removed before', async () => {
    const port = await listen((incoming, outgoing) => {
      outgoing.setHeader('Content-Length', '999')
      outgoing.setHeader('X-Powered-By', 'a framework')
      outgoing.removeHeader('X-Powered-By')
      points.listener(incoming, outgoing)
    })
    const answer = await askOnce(port, `${post('/service_cookie_transfer/x')}\r\n`)
    expect(answer.body).toBe('ok')
    expect(answer.fields.map(([name]) => name)).not.toContain('X-Powered-By')
    expect(answer.fields).toContainEqual(['Content-Length', '2'])
  })

  it.each([
    ['without a site behind it', undefined, 505, ''],
    ['with a site behind it', 'the site', 200, 'the site'],
  ])('forwards nothing that arrived over HTTP/2, %s', async (_what, site, status, body) => {
    const secondServer = createSecondServer((incoming, outgoing) => {
      // A program in JavaScript may pass on what its HTTP/2 server gives it.
      const [request, response] = [incoming, outgoing] as unknown as Parameters<NodePoints['listener']>
      points.listener(request, response, site === undefined ? undefined : () => outgoing.end(site))
    })
    const session = connect(`http://127.0.0.1:${await listenForTest(secondServer)}`)
    const stream = session.request({ ':path': '/service_cookie_transfer/x', ':authority': 'www.example.com' })
    const [fields] = await once(stream, 'response')
    expect([fields[':status'], await text(stream)]).toEqual([status, body])
    expect(upstream.requests).toEqual([])
    expect(records.map(({ outcome }) => outcome)).toEqual(site === undefined ? ['bad-version'] : [])
    session.close()
  })

  it('forwards a request once that it gets twice', async () => {
    const port = await listen((incoming, outgoing) => {
      points.listener(incoming, outgoing)
      points.listener(incoming, outgoing)
    })
    expect((await askOnce(port, `${post('/service_cookie_transfer/x')}\r\n`)).body).toBe('ok')
    expect(upstream.requests).toHaveLength(1)
    expect(records.map(({ outcome }) => outcome)).toEqual(['ok'])
  })

  it('aborts a response that the site has begun, and forwards nothing', async () => {
    const port = await listen((incoming, outgoing) => {
      outgoing.writeHead(200)
      outgoing.write('site')
      points.listener(incoming, outgoing, () => {})
    })
    const client = await openClient(port)
    client.write(`${post('/service_cookie_transfer/x')}\r\n`)
    await client.ended()
    expect(client.pending()).not.toContain('\r\n0\r\n\r\n')
    client.close()
    expect(upstream.requests).toEqual([])
    expect(records.map(({ outcome }) => outcome)).toEqual(['internal'])
  })

  it('closes when its exchanges have ended, however often it is called', async () => {
    const port = await listen((incoming, outgoing) => points.listener(incoming, outgoing))
    const client = await openClient(port)
    client.write('GET /service_cookie_transfer/hold HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
    await upstream.arrived(1)
    const closing = points.close()
    const [request] = upstream.requests
    const [socket] = upstream.sockets
    if (request !== undefined && socket !== undefined) answerOk(request, socket)
    expect((await client.response()).body).toBe('ok')
    client.close()
    await closing
    await points.close()
  })

  it('refuses a config that can’t be served, with every problem', async () => {
    const opened = openPoints({ points: ['https://www.example.com/'] })
    await expect(opened).rejects.toBeInstanceOf(ConfigError)
    await expect(opened).rejects.toThrow(/service_cookie_transfer[\s\S]*widgetKey|widgetKey/)
  })
})

const listen = (listener: RequestListener) => listenForTest(createServer(listener))

const post = (target: string) => `POST ${target} HTTP/1.1\r\nHost: www.example.com\r\n`
