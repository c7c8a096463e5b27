import { createServer, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ContinuationApp, createApp, type ExchangeRecord } from '../src/index.ts'
import { listenForTest } from './support/listen.ts'
import { openMounted } from './support/mounted.ts'
import { openForTest } from './support/open-for-test.ts'
import { openClient } from './support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from './support/recording-upstream.ts'

const POINT = 'http://www.example.com/service_cookie_transfer/'
const ask = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: www.example.com\r\n\r\n`

describe('the library', () => {
  let upstream: RecordingUpstream
  let continuation: ContinuationApp
  let records: ExchangeRecord[]

  beforeEach(async () => {
    upstream = await openForTest(startUpstream())
    ;({ mounted: continuation, records } = await openMounted(createApp, upstream.origin))
  })

  it('is a Hono app for @hono/node-server', async () => {
    const server = createAdaptorServer(continuation.app) as Server
    const client = await openClient(await listenForTest(server))
    for (const method of ['GET', 'HEAD']) {
      client.write(ask('/service_cookie_transfer/init', method))
      const response = await client.response(method)
      expect(response.startLine).toBe('HTTP/1.1 200 OK')
      expect(response.fields).toContainEqual(['Content-Length', '2'])
    }
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([
      'GET /service_cookie_transfer/init HTTP/1.1',
      'HEAD /service_cookie_transfer/init HTTP/1.1',
    ])
    expect(upstream.requests[0]?.fields).toContainEqual(['X-Widget-Key', 'a-key'])
    expect(records.map(({ outcome }) => outcome)).toEqual(['ok', 'ok'])
    client.close()
  })

  it('is a listener that leaves everything else to the site', async () => {
    const server = createServer((incoming, outgoing) =>
      continuation.listener(incoming, outgoing, () => outgoing.end('the site')),
    )
    const client = await openClient(await listenForTest(server))
    const bodies: string[] = []
    for (const path of [
      '/',
      '/service_cookie_transfer/x',
      '/service_cookie_transfer_other/',
      '/..%2fservice_cookie_transfer/',
    ]) {
      client.write(ask(path))
      bodies.push((await client.response()).body)
    }
    expect(bodies).toEqual(['the site', 'ok', 'the site', 'the site'])
    client.close()
  })

  it('names the adapter that its app needs', async () => {
    const app = continuation.app.onError(({ message }, context) => context.text(message))
    expect(await (await app.request('/service_cookie_transfer/')).text()).toContain('@hono/node-server')
  })

  it.each<[string, Parameters<typeof createApp>, RegExp]>([
    ['a misspelt key', [{ point: [] } as Parameters<typeof createApp>[0]], /unknown key "point"/],
    [
      'a missing secret',
      [{ service: { url: 'https://s.example' }, widgetKey: 'env:NONE', points: [POINT] }],
      /NONE/,
    ],
    [
      'a limit that is not a number',
      [{ limits: { bodyBytes: Number(undefined) } }],
      /limits\.bodyBytes|limits\/bodyBytes/,
    ],
    ['no config at all', [undefined as unknown as Parameters<typeof createApp>[0]], /config:1:1/],
    ['nothing to serve', [{}], /service\.url is missing[\s\S]*no continuation point/],
  ])('refuses %s with every problem in the message', async (_what, args, message) => {
    await expect(createApp(...args)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(message),
    })
  })
})
