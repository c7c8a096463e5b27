import type { Server } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ExchangeRecord, type HonoPoints, openPoints } from '../src/hono.ts'
import { listenForTest } from './support/listen.ts'
import { openMounted } from './support/mounted.ts'
import { openForTest } from './support/open-for-test.ts'
import { openClient, type RawClient } from './support/raw-client.ts'
import { answerWith, type RecordingUpstream, startUpstream } from './support/recording-upstream.ts'

describe('the points in a Hono app', () => {
  let upstream: RecordingUpstream
  let points: HonoPoints
  let records: ExchangeRecord[]
  let client: RawClient

  beforeEach(async () => {
    upstream = await openForTest(
      startUpstream(
        answerWith('HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n'),
      ),
    )
    ;({ mounted: points, records } = await openMounted(openPoints, upstream.origin))
  })

  it.each(['GET', 'HEAD', 'OPTIONS', 'DELETE'])(
    'answers %s as the service does, whatever middleware adds',
    async (method) => {
      const site = new Hono().use(secureHeaders()).route('/', points.app)
      client = await open(site)
      client.write(ask(method, '/service_cookie_transfer/%2F/x'))
      const answer = await client.response(method)
      expect(answer.fields.map(([name]) => name)).not.toContain('X-Frame-Options')
      expect(answer.fields.slice(0, 2)).toEqual([
        ['set-cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ])
      expect(upstream.requests.at(-1)?.startLine).toBe(`${method} /service_cookie_transfer/%2F/x HTTP/1.1`)
    },
  )

  it('leaves what no point owns to the routes behind it, and then to the site’s own 404', async () => {
    const site = new Hono().route('/', points.app).get('/shop', (context) => context.text('the shop'))
    client = await open(site)
    client.write(ask('GET', '/shop') + ask('GET', '/none'))
    expect((await client.response()).body).toBe('the shop')
    expect((await client.response()).startLine).toBe('HTTP/1.1 404 Not Found')
    expect(upstream.requests).toEqual([])
  })

  it('says so when middleware has read the body', async () => {
    const site = new Hono<{ Bindings: HttpBindings }>()
      .use(async (context, next) => {
        await context.req.text()
        await next()
      })
      .route('/', points.app)
    client = await open(site)
    client.write(ask('POST', '/service_cookie_transfer/', 'Content-Length: 4\r\n', 'body'))
    expect(JSON.parse((await client.response()).body)).toMatchObject({ status: 500, code: 'body-taken' })
    expect(records.map(({ outcome }) => outcome)).toEqual(['body-taken'])
  })

  async function open({ fetch }: Parameters<typeof createAdaptorServer>[0]): Promise<RawClient> {
    return openForTest(openClient(await listenForTest(createAdaptorServer({ fetch }) as Server)))
  }
})

function ask(method: string, target: string, lines = '', body = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: www.example.com\r\n${lines}\r\n${body}`
}
