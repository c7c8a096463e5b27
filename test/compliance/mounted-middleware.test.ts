import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ExchangeRecord, type NodePoints, openPoints } from '../../src/node.ts'
import { listenForTest } from '../support/listen.ts'
import { openMounted } from '../support/mounted.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient } from '../support/raw-client.ts'

type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void
interface Site {
  use(middleware: Middleware): Site
}

const load = createRequire(import.meta.url)
const express = load('express') as () => Site & RequestListener
const connect = load('connect') as () => Site & RequestListener
const compression = load('compression') as (options?: object) => Middleware
const onHeaders = load('on-headers') as (outgoing: ServerResponse, listener: () => void) => void
const Koa = load('koa') as new () => {
  use(middleware: (context: KoaContext, next: () => Promise<void>) => unknown): void
  callback(): RequestListener
  silent: boolean
}
const fastify = load('fastify') as () => {
  all(path: string, handler: (request: { raw: IncomingMessage }, reply: FastifyReply) => void): void
  addContentTypeParser(
    type: string,
    parser: (request: unknown, body: unknown, done: () => void) => void,
  ): void
  ready(): Promise<void>
  routing: RequestListener
}
interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  respond: boolean
}
interface FastifyReply {
  readonly raw: ServerResponse
  hijack(): void
}

/** Makes every public way of writing to the response, or listening to it, unavailable. */
const wrapEverything: Middleware = (_incoming, outgoing, next) => {
  for (const name of ['on', 'once', 'addListener', 'write', 'end', 'writeHead', 'flushHeaders', 'destroy'])
    Object.assign(outgoing, { [name]: () => outgoing })
  for (const name of ['writableFinished', 'writableNeedDrain', 'headersSent'])
    Object.defineProperty(outgoing, name, { get: () => false })
  next()
}

const MOUNTS: Readonly<Record<string, (points: NodePoints) => RequestListener | Promise<RequestListener>>> = {
  'Express behind compression': ({ listener }) =>
    express()
      .use(compression({ threshold: 0 }))
      .use(listener) as Site & RequestListener,
  'Connect behind on-headers': ({ listener }) =>
    connect()
      .use((_incoming, outgoing, next) => {
        onHeaders(outgoing, () => outgoing.setHeader('X-Site', 'yes'))
        next()
      })
      .use(listener) as Site & RequestListener,
  'node:http behind one that wraps everything': ({ listener }) => {
    return (incoming, outgoing) => wrapEverything(incoming, outgoing, () => listener(incoming, outgoing))
  },
  Koa: ({ listener }) => {
    const site = new Koa()
    site.silent = true
    site.use((context) => {
      context.respond = false
      listener(context.req, context.res)
    })
    return site.callback()
  },
  Fastify: async ({ listener }) => {
    const site = fastify()
    site.addContentTypeParser('*', (_request, _body, done) => done())
    site.all('/*', ({ raw }, reply) => {
      reply.hijack()
      listener(raw, reply.raw)
    })
    await site.ready()
    return site.routing
  },
}

const BODY = Buffer.alloc(16 * 1_048_576, 'a continuation point carries octets as they are\n')
const digest = (octets: Buffer) => createHash('sha256').update(octets).digest('hex')
const POINT = '/service_cookie_transfer/'

describe.each(Object.entries(MOUNTS))('%s', (_name, mount) => {
  let service: Server
  let port: number
  let records: ExchangeRecord[]
  let recorded: (count: number) => Promise<void>
  let arrived: string[]

  beforeEach(async () => {
    arrived = []
    service = createServer(async (incoming, outgoing) => {
      if (incoming.url === `${POINT}held`) return
      arrived.push(digest(Buffer.concat(await incoming.toArray())))
      outgoing.setHeader('Content-Type', 'text/plain')
      outgoing.setHeader('Set-Cookie', ['a=1', 'b=2'])
      outgoing.end(BODY)
    })
    const serviceUrl = `http://127.0.0.1:${await listenForTest(service)}`
    const opened = await openMounted(openPoints, serviceUrl, { concurrentRequests: 2 })
    ;({ records, recorded } = opened)
    port = await listenForTest(createServer(await mount(opened.mounted)))
  })

  it('a large body goes up and another comes down, octet for octet', async () => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `${POINT}x`,
      headers: { Host: 'www.example.com', 'Accept-Encoding': 'gzip', 'Content-Type': 'application/x-y' },
    })
    asked.end(BODY)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    // The reader is slow, so that the connection is full more than once.
    const pieces: Buffer[] = []
    for await (const piece of answer) {
      pieces.push(piece)
      if (pieces.length % 64 === 1) await wait(1)
    }
    expect(digest(Buffer.concat(pieces))).toBe(digest(BODY))
    expect(arrived).toEqual([digest(BODY)])
    expect(answer.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'content-length': `${BODY.length}` })
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect(answer.headers).not.toHaveProperty('vary')
    expect(answer.headers).not.toHaveProperty('x-site')
    await recorded(1)
    expect(records).toMatchObject([
      { outcome: 'ok', status: 200, requestOctets: BODY.length, responseOctets: BODY.length },
    ])
  })

  it('a client that leaves frees its place', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const client = await openForTest(openClient(port))
      const asked = once(service, 'request')
      client.write(`GET ${POINT}held HTTP/1.1\r\nHost: www.example.com\r\n\r\n`)
      await asked
      client.socket.resetAndDestroy()
      await recorded(round)
    }
    expect(records.map(({ outcome }) => outcome)).toEqual(Array(3).fill('client-abort'))
  })
})
