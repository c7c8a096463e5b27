import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  CACHE_OVERRIDES,
  FRONT_END_ORDERS,
  HOP_BEFORE,
  lowerCased,
  ORIGIN_WIDE,
  OWNED,
} from '../../src/forward/field-rules.ts'
import { bundleWorker, skipsWorkerd, startModuleText } from '../edge/support/workerd.ts'
import { top } from '../project/source-tree.ts'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce } from '../support/raw-client.ts'
import { startUpstream } from '../support/recording-upstream.ts'
import { statusOf } from '../support/stage.ts'
import { valuesOf } from '../support/wire.ts'
import { freePort } from './support/real-server.ts'

const ROOT = '/service_cookie_transfer/'

describe.skipIf(skipsWorkerd)('the Worker, in workerd', () => {
  it('forwards the points with their fields, and nothing else', async () => {
    const upstream = await openForTest(startUpstream())
    const port = await freePort()
    const origin = `http://www.shop.localhost:${port}`
    // With our sources in place of the installed package.
    const alias = { 'continuation-point/edge': join(top, 'src/edge.ts') }
    const text = (await bundleWorker(join(top, 'deploy/recipes/cloudflare-worker/worker.mjs'), alias))
      .replaceAll('https://cobrowse.example.net', upstream.origin)
      .replaceAll('https://www.example.com', origin)
    await openForTest(startModuleText(text, { WIDGET_KEY: 'the-key' }, port))
    const ask = async (path: string) =>
      statusOf(await askOnce(port, `GET ${path} HTTP/1.1\r\nHost: www.shop.localhost:${port}\r\n\r\n`))
    expect([await ask(`/shop${ROOT}a%2Fb?q`), await ask('/other')]).toEqual([200, 404])
    expect(upstream.requests.map(({ startLine }) => startLine)).toEqual([`GET ${ROOT}a%2Fb?q HTTP/1.1`])
    const [seen = { fields: [] }] = upstream.requests
    expect(['x-widget-key', 'x-continuation-origin'].map((name) => valuesOf(seen, name))).toEqual([
      ['the-key'],
      [origin],
    ])
  })
})

it('the routes of the Worker are its points', () => {
  const read = (file: string) => readFileSync(join(top, 'deploy/recipes/cloudflare-worker', file), 'utf8')
  const urls = (text: string) => text.match(/https:\/\/www\.example\.com[^'"*]*/g)
  expect(urls(read('wrangler.jsonc'))).toEqual(urls(read('worker.mjs')))
})

describe('the Lambda@Edge function', () => {
  type Handler = (event: unknown) => Promise<Record<string, unknown>>
  let handler: Handler
  beforeAll(async () => {
    ;({ handler } = await import(join(top, 'deploy/recipes/cloudfront/function.mjs')))
  })

  const event = (eventType: string, more: object) => ({
    Records: [{ cf: { config: { eventType, requestId: 'the-id' }, ...more } }],
  })
  const host = [{ key: 'Host', value: 'WWW.example.com' }]
  const root = { uri: ROOT, headers: { host } }

  it('turns the viewer’s request into the service’s', async () => {
    const forged = [{ key: 'X-Widget-Key', value: 'forged' }]
    const names = [
      ...[...OWNED, ...HOP_BEFORE].flatMap((name) => [name, name.replaceAll('-', '_')]),
      ...['X-Request-Id', 'Content_Length'],
    ]
    const headers = Object.fromEntries(names.map((name) => [name.toLowerCase(), forged]))
    const request = { uri: `/shop${ROOT}a%2Fb`, headers: { ...headers, host, cookie: [] } }
    const viewer = await handler(event('viewer-request', { request }))
    expect(viewer).toEqual({
      uri: `/shop${ROOT}a%2Fb`,
      headers: {
        host,
        cookie: [],
        'x-continuation-origin': [{ key: 'X-Continuation-Origin', value: 'https://www.example.com' }],
        'x-request-id': [{ key: 'X-Request-Id', value: 'the-id' }],
      },
    })
    const origin = { custom: { domainName: 'service.example', customHeaders: { 'x-widget-key': [] } } }
    expect(await handler(event('origin-request', { request: { ...viewer, origin } }))).toMatchObject({
      uri: `${ROOT}a%2Fb`,
      headers: { host: [{ key: 'Host', value: 'service.example' }] },
    })
  })

  const custom = { domainName: 'service.example', customHeaders: {} }
  const marked = { ...root, headers: { host, 'x-continuation-origin': [] } }
  it.each<[what: string, type: string, request: object, status: string]>([
    ['an unknown host', 'viewer-request', { ...root, headers: { host: [{ value: 'evil.example' }] } }, '404'],
    ['another path', 'viewer-request', { ...root, uri: '/' }, '404'],
    ['a request past viewer-request', 'origin-request', { ...root, origin: { custom } }, '404'],
    ['a service without the key', 'origin-request', { ...marked, origin: { custom } }, '503'],
    ...['a%00', 'a%0d%0a', '..%2fa', 'a%5c%2e%2E', 'a/.%2e%2fb', '%2e%2e/a', '..', 'a\\..'].map(
      (path): [string, string, object, string] => [
        path,
        'viewer-request',
        { ...root, uri: `${ROOT}${path}` },
        '400',
      ],
    ),
  ])('refuses %s', async (_what, type, request, status) => {
    expect(await handler(event(type, { request }))).toEqual({ status })
  })

  it('removes what would take effect on the whole origin', async () => {
    const removed = lowerCased([...ORIGIN_WIDE, ...FRONT_END_ORDERS, ...CACHE_OVERRIDES])
    const fields = Object.fromEntries([...removed].map((name) => [name, []]))
    const response = { headers: { ...fields, 'set-cookie': [{ value: 'a=1' }] } }
    expect(await handler(event('origin-response', { response }))).toEqual({
      headers: {
        'set-cookie': [{ value: 'a=1' }],
        'cache-control': [{ key: 'Cache-Control', value: 'private, no-store' }],
      },
    })
  })
})
