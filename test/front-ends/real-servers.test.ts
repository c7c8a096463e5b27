import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CACHE_OVERRIDES, FRONT_END_ORDERS, ORIGIN_WIDE } from '../../src/forward/field-rules.ts'
import { openClient } from '../support/raw-client.ts'
import { type RecordedRequest, type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { type RunningProxy, startProxy } from '../support/start-proxy.ts'
import { onlyValue, valuesOf, type WireMessage } from '../support/wire.ts'
import { freePort, type RunningServer, servers, skips } from './support/real-server.ts'
import { renderParts } from './support/rendered.ts'
import { startSmallestSite } from './support/smallest-site.ts'
import { AUTHORITY } from './support/started-site.ts'

const KEYS = { WIDGET_KEY: 'the-key', SHOP_KEY: 'the-shop-key' }
const modes = ['route', 'forward'] as const

/** Gaps, which observed-gaps.test.ts shows. */
const takenForPoint: Readonly<Record<string, readonly string[]>> = {
  'apache, route': ['a dot segment into a point', 'an encoded letter of the prefix'],
  'apache, forward': ['an encoded letter of the prefix'],
  'caddy, forward': ['another case', 'an encoded letter of the prefix'],
}

const rows = servers.flatMap((server) => modes.map((mode) => ({ server, mode, name: server.name })))

describe.each(rows)('$name, $mode', ({ server, mode }) => {
  describe.skipIf(skips(server))('on the wire', () => {
    let upstream: RecordingUpstream
    let proxy: RunningProxy | undefined
    let frontEnd: RunningServer
    let port = 0
    let securePort = 0
    let authority = ''

    beforeAll(async () => {
      upstream = await startUpstream(answer)
      port = await freePort()
      securePort = await freePort()
      authority = `www.example.com:${port}`
      const points = [
        `http://${authority}/service_cookie_transfer/`,
        { url: `http://${authority}/shop/service_cookie_transfer/`, widgetKey: 'env:SHOP_KEY' },
        `http://${authority}/caf%C3%A9%20%5B$x'(1)%7B;/service_cookie_transfer/`,
        `http://[2001:db8::1]:${port}/service_cookie_transfer/`,
        `https://localhost:${securePort}/service_cookie_transfer/`,
      ]
      const config = { service: { url: upstream.origin }, widgetKey: 'env:WIDGET_KEY', points }
      if (mode === 'route') {
        proxy = await startProxy(upstream.origin, {
          widgetKey: KEYS.WIDGET_KEY,
          points: points.map((point) =>
            typeof point === 'string' ? point : { ...point, widgetKey: KEYS.SHOP_KEY },
          ),
        })
      }
      const parts = renderParts(server.name, mode, config, `127.0.0.1:${proxy?.port ?? 1}`)
      const urls = points.map((point) => (typeof point === 'string' ? point : point.url))
      frontEnd = await startSmallestSite(server, parts, urls, { keys: KEYS })
    }, 60_000)

    afterAll(async () => {
      await frontEnd?.close()
      await proxy?.close()
      await upstream?.close()
    })

    /** Sends octets on a new connection; returns the response and what the service saw. */
    async function ask(octets: string): Promise<{ answer: WireMessage; seen: readonly RecordedRequest[] }> {
      const before = upstream.requests.length
      const client = await openClient(port)
      client.write(octets)
      const answered = await client.response(octets.slice(0, octets.indexOf(' ')))
      client.close()
      return { answer: answered, seen: upstream.requests.slice(before) }
    }

    const get = (target: string, lines = '', method = 'GET') =>
      ask(`${method} ${target} HTTP/1.1\r\nHost: ${authority}\r\n${lines}\r\n`)

    it.each([
      ['/service_cookie_transfer/', '/service_cookie_transfer/', KEYS.WIDGET_KEY],
      ['/shop/service_cookie_transfer/', '/service_cookie_transfer/', KEYS.SHOP_KEY],
      [
        "/caf%C3%A9%20%5B$x'(1)%7B;/service_cookie_transfer/deep",
        '/service_cookie_transfer/deep',
        KEYS.WIDGET_KEY,
      ],
    ])('%s arrives with our fields and without the cookie path', async (target, path, key) => {
      const { answer, seen } = await get(target)
      expect(statusOf(answer)).toBe(200)
      expect(seen.map(({ startLine }) => startLine)).toEqual([`GET ${path} HTTP/1.1`])
      const [request] = seen
      expect(ownFields(request)).toEqual({
        host: [upstream.authority],
        'x-widget-key': [key],
        'x-continuation-origin': [`http://${authority}`],
        'x-forwarded-for': ['127.0.0.1'],
      })
    })

    it('recognises an origin by its Host', async () => {
      const { seen } = await ask(
        `GET /service_cookie_transfer/ HTTP/1.1\r\nHost: [2001:DB8::1]:${port}\r\n\r\n`,
      )
      expect(ownFields(seen[0])['x-continuation-origin']).toEqual([`http://[2001:db8::1]:${port}`])
    })

    it('recognises an origin on https', async () => {
      const client = await openClient(securePort, { ca: AUTHORITY, servername: 'localhost' })
      client.write(`GET /service_cookie_transfer/ HTTP/1.1\r\nHost: LOCALHOST:${securePort}\r\n\r\n`)
      expect(statusOf(await client.response())).toBe(200)
      client.close()
      expect(ownFields(upstream.requests.at(-1))['x-continuation-origin']).toEqual([
        `https://localhost:${securePort}`,
      ])
    })

    it('keeps the raw path and query', async () => {
      const rest = 'a%2Fb%41//c%7e;v=1,2/%252e?q=%2e%2E/..&empty=&a+b=c%20d|e'
      const { seen } = await get(`/service_cookie_transfer/${rest}`)
      expect(seen[0]?.startLine).toBe(`GET /service_cookie_transfer/${rest} HTTP/1.1`)
      const shop = await get(`/shop/service_cookie_transfer/${rest}`)
      expect(shop.seen[0]?.startLine).toBe(`GET /service_cookie_transfer/${rest} HTTP/1.1`)
    })

    it.skipIf(server.name === 'apache')('reads the path of an absolute target', async () => {
      const { seen } = await get(`http://${authority}/shop/service_cookie_transfer/a%2Fb?c`)
      expect(seen[0]?.startLine).toBe('GET /service_cookie_transfer/a%2Fb?c HTTP/1.1')
    })

    it('replaces the list of a peer whose fields name the owned ones in Connection', async () => {
      const { seen } = await get(
        '/service_cookie_transfer/',
        'Cookie: a=1\r\nConnection: Cookie, X-Forwarded-For, X-Forwarded-Proto\r\n',
      )
      expect(ownFields(seen[0])['x-forwarded-for']).toEqual(['127.0.0.1'])
    })

    it('lets no client forge one of our fields', async () => {
      const { answer, seen } = await get(
        '/service_cookie_transfer/',
        'X-Widget-Key: forged\r\nx-widget-KEY: forged\r\nX_Widget_Key: forged\r\nX-Widget_Key: forged\r\n' +
          'X-Continuation-Origin: http://evil.example\r\nX_Continuation_Origin: http://evil.example\r\n' +
          'Forwarded: host=evil.example;proto=https\r\nX-Forwarded-Host: evil.example\r\n' +
          'X-Forwarded-Port: 1\r\nX-Forwarded-Server: evil.example\r\n' +
          'Connection: X-Widget-Key, X-Continuation-Origin, close\r\n',
      )
      expect(statusOf(answer)).toBe(200)
      expect(seen).toHaveLength(1)
      expect(seen[0]?.octets).not.toMatch(/forged|evil/)
      expect(ownFields(seen[0])).toMatchObject({
        'x-widget-key': [KEYS.WIDGET_KEY],
        'x-continuation-origin': [`http://${authority}`],
      })
    })

    it('sends the address of the peer, and what it says about the client only if it is trusted', async () => {
      const { seen } = await get('/service_cookie_transfer/', 'X-Forwarded-For: 192.0.2.7\r\n')
      const listed = valuesOf(seen[0] ?? { fields: [] }, 'x-forwarded-for').join(', ')
      const alone = server.name === 'haproxy' ? '192.0.2.7, 127.0.0.1' : '127.0.0.1'
      // In front of serve the front end is a hop of its own, and loopback too.
      expect(listed).toBe(mode === 'route' ? '127.0.0.1, 127.0.0.1' : alone)
    })

    it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])(
      '%s arrives with its body',
      async (method) => {
        const { answer, seen } = await ask(
          `${method} /service_cookie_transfer/ HTTP/1.1\r\nHost: ${authority}\r\nContent-Length: 5\r\n\r\n\x00\xffabc`,
        )
        expect(statusOf(answer)).toBe(200)
        expect(seen.map(({ startLine, body }) => [startLine, body])).toEqual([
          [`${method} /service_cookie_transfer/ HTTP/1.1`, '\x00\xffabc'],
        ])
      },
    )

    it('forwards a chunked body', async () => {
      const { seen } = await ask(
        `POST /service_cookie_transfer/ HTTP/1.1\r\nHost: ${authority}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
      )
      expect(seen.map(({ body }) => body)).toEqual(['abcde'])
    })

    it('carries 16 KiB of cookies', async () => {
      const cookie = `big=${'x'.repeat(16_384)}`
      const { answer, seen } = await get('/service_cookie_transfer/', `Cookie: ${cookie}\r\n`)
      expect(statusOf(answer)).toBe(200)
      expect(valuesOf(seen[0] ?? { fields: [] }, 'cookie')).toEqual([cookie])
    })

    it('leaves a redirect and its cookies as they are', async () => {
      const { answer } = await get('/service_cookie_transfer/redirect')
      expect(statusOf(answer)).toBe(302)
      expect(onlyValue(answer.fields, 'location')).toBe(
        `http://${upstream.authority}/service_cookie_transfer/x`,
      )
      expect(valuesOf(answer, 'set-cookie')).toEqual([
        'a=1; Path=/; HttpOnly',
        'b=2; Domain=.example.com; Secure',
      ])
    })

    it('removes what would take effect on the whole origin, and keeps the rest', async () => {
      const { answer } = await get('/service_cookie_transfer/policies')
      const names = answer.fields.map(([name]) => name.toLowerCase())
      for (const name of [...ORIGIN_WIDE, ...FRONT_END_ORDERS, ...CACHE_OVERRIDES])
        expect(names).not.toContain(name.toLowerCase())
      expect(onlyValue(answer.fields, 'etag')).toBe('"e"')
      expect(onlyValue(answer.fields, 'content-encoding')).toBe('gzip')
      expect(onlyValue(answer.fields, 'cache-control')).toBe('private, no-store')
      expect(answer.body).toBe('not really gzip')
    })

    it('keeps the Cache-Control of the service', async () => {
      const { answer } = await get('/service_cookie_transfer/cacheable')
      expect(valuesOf(answer, 'cache-control')).toEqual(['max-age=60'])
    })

    it('asks the service every time', async () => {
      await get('/service_cookie_transfer/cacheable')
      const { seen } = await get('/service_cookie_transfer/cacheable')
      expect(seen).toHaveLength(1)
    })

    it('answers HEAD as HEAD', async () => {
      const { answer, seen } = await get('/service_cookie_transfer/', '', 'HEAD')
      expect(statusOf(answer)).toBe(200)
      expect(onlyValue(answer.fields, 'content-length')).toBe('2')
      expect(seen[0]?.startLine).toBe('HEAD /service_cookie_transfer/ HTTP/1.1')
    })

    it.each(['500', '404', '401'])('passes %s with its body', async (status) => {
      const { answer } = await get(`/service_cookie_transfer/status-${status}`)
      expect(statusOf(answer)).toBe(Number(status))
      expect(answer.body).toBe('own body')
    })

    it.each(
      [
        ['another path', '/'],
        ['a path that only begins alike', '/service_cookie_transferred/'],
        ['another case', '/Service_Cookie_Transfer/'],
        ['a dot segment', '/service_cookie_transfer/../admin'],
        ['an encoded dot segment', '/service_cookie_transfer/%2e%2e/admin'],
        ['a dot segment into a point', '/x/../service_cookie_transfer/'],
        ['an encoded slash after dots', '/service_cookie_transfer/..%2fadmin'],
        ['an encoded letter of the prefix', '/service_cookie_%74ransfer/'],
      ].filter(([what = '']) => !takenForPoint[`${server.name}, ${mode}`]?.includes(what)),
    )('does not forward %s', async (_what, target) => {
      const { answer, seen } = await get(target ?? '')
      expect(seen).toEqual([])
      expect([400, 403, 404]).toContain(statusOf(answer))
    })

    it('does not forward another host', async () => {
      const { seen } = await ask(`GET /service_cookie_transfer/ HTTP/1.1\r\nHost: evil.example\r\n\r\n`)
      expect(seen).toEqual([])
    })

    it('does not echo with TRACE', async () => {
      const { answer, seen } = await get('/service_cookie_transfer/', 'Cookie: a=1\r\n', 'TRACE')
      expect(seen).toEqual([])
      expect(statusOf(answer)).toBe(405)
    })
  })
})

function ownFields(request: RecordedRequest | undefined) {
  const message = request ?? { fields: [] }
  return {
    host: valuesOf(message, 'host'),
    'x-widget-key': valuesOf(message, 'x-widget-key'),
    'x-continuation-origin': valuesOf(message, 'x-continuation-origin'),
    // In front of serve the front end is a trusted hop, and both are loopback.
    'x-forwarded-for': [...new Set(valuesOf(message, 'x-forwarded-for').join(', ').split(', '))],
  }
}

const answer = (request: RecordedRequest, socket: { write(octets: Buffer): unknown }) => {
  const path = request.startLine.split(' ')[1] ?? ''
  const isHead = request.startLine.startsWith('HEAD ')
  const host = onlyValue(request.fields, 'host')
  const [status, lines, body] = toAnswer(path, host ?? '')
  const head = `HTTP/1.1 ${status}\r\n${lines}Content-Length: ${body.length}\r\n\r\n`
  socket.write(Buffer.from(isHead ? head : head + body, 'latin1'))
}

function toAnswer(path: string, host: string): [status: string, lines: string, body: string] {
  const [, status] = /status-(\d+)$/.exec(path) ?? []
  if (status !== undefined) return [`${status} X`, '', 'own body']
  if (path.endsWith('/redirect')) {
    return [
      '302 Found',
      `Location: http://${host}/service_cookie_transfer/x\r\nSet-Cookie: a=1; Path=/; HttpOnly\r\n` +
        'Set-Cookie: b=2; Domain=.example.com; Secure\r\n',
      '',
    ]
  }
  if (path.endsWith('/policies')) {
    return [
      '200 OK',
      [...ORIGIN_WIDE, ...FRONT_END_ORDERS, ...CACHE_OVERRIDES].map((name) => `${name}: x\r\n`).join('') +
        'ETag: "e"\r\nContent-Encoding: gzip\r\n',
      'not really gzip',
    ]
  }
  if (path.endsWith('/cacheable')) return ['200 OK', 'Cache-Control: max-age=60\r\n', 'ok']
  return ['200 OK', 'Content-Type: text/plain\r\n', 'ok']
}
