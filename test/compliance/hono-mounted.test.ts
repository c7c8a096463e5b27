import type { Server } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { logger } from 'hono/logger'
import { secureHeaders } from 'hono/secure-headers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp, type ProxyApp } from '../../src/proxy/app.ts'
import { listen } from '../support/listen.ts'
import { openClient } from '../support/raw-client.ts'
import { setUpStage } from '../support/stage.ts'

class Site extends Hono<{ Bindings: HttpBindings }> {}

/**
 * The proxy's app inside a Hono program of the site, with @hono/node-server's defaults: there the global Response is
 * replaced, and its sentinel for "answered already" gets lost whenever a Response is made again. What a client gets must
 * be, octet for octet, what the proxy's own listener sends.
 */
const MOUNTS: Readonly<Record<string, (app: ProxyApp) => Pick<ProxyApp, 'fetch'>>> = {
  'by itself': (app) => app,
  'in a route': (app) => new Site().all('/*', (context) => app.fetch(context.req.raw, context.env)),
  'with mount': (app) => new Site().mount('/', app.fetch),
  'behind a logger': (app) =>
    behind(
      app,
      logger(() => {}),
    ),
  'behind CORS': (app) => behind(app, cors({ origin: 'http://www.example.com', credentials: true })),
  'behind secure headers': (app) => behind(app, secureHeaders()),
  'behind ETags': (app) => behind(app, etag()),
  'behind a field set before': (app) =>
    behind(app, async (context, next) => {
      context.header('X-Before', '1')
      await next()
    }),
  'behind a field set afterwards': (app) =>
    behind(app, async (context, next) => {
      await next()
      context.header('X-After', '1')
    }),
  'behind a response that is made again': (app) =>
    behind(app, async (context, next) => {
      await next()
      context.res = new Response('another body', { status: 418, headers: context.res.headers })
    }),
  'behind an error': (app) =>
    behind(app, async (_context, next) => {
      await next()
      throw new Error('a fault of the program around it')
    }).onError((_error, context) => context.text('failed', 500)),
}

function behind(app: ProxyApp, middleware: MiddlewareHandler): ProxyApp {
  const site = new Site()
  site.use('*', middleware)
  site.all('/*', (context) => app.fetch(context.req.raw, context.env))
  return site
}

/** What the service answers, by the last part of the path. */
const ANSWERS: Readonly<Record<string, string>> = {
  small:
    'HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nX-Octets: caf\xe9\r\n\r\nhello',
  chunked: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  none: 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n',
  unmodified: 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n',
  redirect: 'HTTP/1.1 302 Found\r\nLocation: http://other.example/\r\nContent-Length: 0\r\n\r\n',
  sentinel: 'HTTP/1.1 200 OK\r\nx-hono-already-sent: true\r\nContent-Length: 2\r\n\r\nok',
  garbage: 'garbage\r\n\r\n',
}

const line = (method: string, target: string) => `${method} ${target} HTTP/1.1\r\nHost: www.example.com\r\n`
const POINT = '/service_cookie_transfer/'

const REQUESTS: readonly (readonly [name: string, method: string, octets: string])[] = [
  ...Object.keys(ANSWERS).map((name) => [name, 'GET', `${line('GET', POINT + name)}\r\n`] as const),
  ['HEAD', 'HEAD', `${line('HEAD', `${POINT}small`)}\r\n`],
  ['HEAD of nothing', 'HEAD', `${line('HEAD', `${POINT}none`)}\r\n`],
  ['OPTIONS', 'OPTIONS', `${line('OPTIONS', `${POINT}small`)}Origin: http://www.example.com\r\n\r\n`],
  ['POST', 'POST', `${line('POST', `${POINT}small`)}Content-Length: 4\r\n\r\nbody`],
  [
    'POST in chunks',
    'POST',
    `${line('POST', `${POINT}chunked`)}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`,
  ],
  ['an encoded path', 'GET', `${line('GET', `${POINT}a%2fb/%7E/small`)}\r\n`],
  ['a path that is not ours', 'GET', `${line('GET', '/other')}\r\n`],
  ['HEAD of a path that is not ours', 'HEAD', `${line('HEAD', '/other')}\r\n`],
  ['the path without its slash', 'GET', `${line('GET', POINT.slice(0, -1))}\r\n`],
  ['a dot segment', 'GET', `${line('GET', `${POINT}..%2fx`)}\r\n`],
  ['TRACE', 'TRACE', `${line('TRACE', POINT)}\r\n`],
]

/** What never reaches the proxy: the middleware answers preflights, and `mount` can't make a Request of TRACE. */
const KEPT_FROM_US: Readonly<Record<string, string>> = { 'behind CORS': 'OPTIONS', 'with mount': 'TRACE' }

describe.each(Object.keys(MOUNTS))('mounted %s', (name) => {
  const stage = setUpStage({}, (request, socket) => {
    const answer = ANSWERS[/([a-z]+) HTTP/.exec(request.startLine)?.[1] ?? ''] ?? ANSWERS.small ?? ''
    const headOnly = request.startLine.startsWith('HEAD ')
    socket.write(Buffer.from(headOnly ? answer.replace(/\r\n\r\n.*$/s, '\r\n\r\n') : answer, 'latin1'))
  })
  let server: Awaited<ReturnType<typeof listen>>
  beforeAll(async () => {
    const mount = MOUNTS[name] ?? ((app) => app)
    const { fetch } = mount(createApp(stage.proxy.proxy.listener, RESPONSE_ALREADY_SENT))
    server = await listen(createAdaptorServer({ fetch }) as Server)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'info').mockImplementation(() => {})
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(REQUESTS.filter(([, method]) => method !== KEPT_FROM_US[name]))(
    '%s',
    async (_name, method, octets) => {
      const own = await receive(stage.proxy.port, method, octets)
      const mounted = await receive(server.port, method, octets)
      expect(mounted).toEqual(own)
      expect(console.error).not.toHaveBeenCalled()
      expect(console.info).not.toHaveBeenCalled()
    },
  )
})

/** The octets of the answer and of a second one on the same connection, less what differs from time to time. */
async function receive(port: number, method: string, octets: string): Promise<readonly string[]> {
  const client = await openClient(port)
  client.write(octets)
  const first = await client.response(method)
  client.write(`${line('GET', `${POINT}small`)}\r\n`)
  const second = await client.response()
  client.close()
  return [first, second].map((answer) =>
    answer.octets
      .replace(/^Date: .*$/m, 'Date: now')
      .replace(/^Keep-Alive: .*$/m, 'Keep-Alive: some time')
      .replace(/"instance":"[^"]*"/, '"instance":"id"')
      .replace(/^X-Request-Id: .*$/m, 'X-Request-Id: id'),
  )
}
