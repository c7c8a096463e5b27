import { afterAll, describe, expect, it, vi } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { answerWith, startUpstream } from '../support/recording-upstream.ts'
import { valuesOf } from '../support/wire.ts'
import { renderConfig } from './support/rendered.ts'

const ROOT = 'https://www.example.com/service_cookie_transfer/'
const ODD = "https://www.example.com/it's`$x/service_cookie_transfer/"
const KEYS = { WIDGET_KEY: 'the-key' }

/** What no point may pass on: octets that servers disagree about. */
const BAD_PATHS = ['a%00', 'a%0d%0a', 'a%0A', '..%2fa', 'a%5c%2e%2E', 'a/.%2e%2fb']

function moduleOf(name: string, url: string): Promise<Record<string, never>> {
  const config = {
    service: { url },
    widgetKey: 'env:WIDGET_KEY',
    points: [ROOT, ODD],
    limits: { bodyBytes: 10 },
  }
  return import(`data:text/javascript,${encodeURIComponent(renderConfig(name, 'forward', config))}`)
}

describe('the Worker', async () => {
  interface Worker {
    fetch(request: Request, env: Record<string, string>): Promise<Response>
  }
  const upstream = await startUpstream(
    answerWith(
      'HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n' +
        'Strict-Transport-Security: max-age=9\r\nContent-Length: 0\r\n\r\n',
    ),
  )
  const worker = (await moduleOf('cloudflare-worker', upstream.origin)).default as unknown as Worker
  afterAll(() => upstream.close())

  it('forwards with our fields, and leaves the response as it is', async () => {
    const request = new Request(`${ODD}a%2Fb?q=%20`, {
      headers: {
        'X-Widget-Key': 'forged',
        x_widget_key: 'forged',
        Forwarded: 'host=evil.example',
        Cookie: 'a=1',
        'X-Request-Id': 'forged',
      },
    })
    const log = vi.spyOn(console, 'log').mockReturnValue()
    const answer = await worker.fetch(request, KEYS)
    const [seen = { startLine: '', fields: [], octets: '' }] = upstream.requests
    expect(log.mock.calls).toEqual([[...valuesOf(seen, 'x-request-id'), 'GET', 302]])
    log.mockRestore()
    expect(seen.startLine).toBe('GET /service_cookie_transfer/a%2Fb?q=%20 HTTP/1.1')
    const names = ['x-widget-key', 'x-continuation-origin', 'cookie']
    expect(names.map((name) => valuesOf(seen, name))).toEqual([
      ['the-key'],
      ['https://www.example.com'],
      ['a=1'],
    ])
    expect(seen.octets).not.toMatch(/forged|evil/)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('https://elsewhere.example/')
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(answer.headers.get('strict-transport-security')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  it('answers 502 if the service closes the connection instead of responding', async () => {
    const broken = await openForTest(startUpstream((_request, socket) => void socket.destroy()))
    const { default: fetching } = await moduleOf('cloudflare-worker', broken.origin)
    const answer = await (fetching as unknown as Worker).fetch(new Request(ROOT), KEYS)
    expect(answer.status).toBe(502)
  })

  // A Request in Node can't have these methods; one in a Worker can.
  const withMethod = (method: string) => ({ method, url: ROOT, headers: new Headers(), body: null })
  const large = { method: 'POST', headers: { 'Content-Length': '11' }, body: 'x'.repeat(11) }

  it.each<[what: string, request: object, env: Record<string, string>, status: number]>([
    ['no key', new Request(ROOT), {}, 503],
    ['no point', new Request('https://www.example.com/other'), KEYS, 404],
    ['another origin', new Request('http://www.example.com/service_cookie_transfer/'), KEYS, 404],
    ['TRACE', withMethod('TRACE'), KEYS, 405],
    ['CONNECT', withMethod('CONNECT'), KEYS, 405],
    ...BAD_PATHS.map((path): [string, object, typeof KEYS, number] => [
      path,
      new Request(`${ROOT}${path}`),
      KEYS,
      400,
    ]),
    ['a body over the limit with Content-Length', new Request(ROOT, large), KEYS, 413],
  ])('refuses %s', async (_what, request, env, status) => {
    const before = upstream.requests.length
    expect((await worker.fetch(request as Request, env)).status).toBe(status)
    expect(upstream.requests).toHaveLength(before)
  })

  it('forwards what looks like that in the query', async () => {
    const before = upstream.requests.length
    await worker.fetch(new Request(`${ROOT}?a=%00&b=..%2f`), KEYS)
    expect(upstream.requests[before]?.startLine).toContain('?a=%00&b=..%2f ')
  })
})

describe('the Lambda@Edge function', async () => {
  type Handler = (event: unknown) => Promise<Record<string, unknown>>
  const handler = (await moduleOf('cloudfront', 'https://service.example')).handler as unknown as Handler

  const event = (eventType: string, more: object) => ({
    Records: [{ cf: { config: { eventType, requestId: 'the-id' }, ...more } }],
  })
  const host = [{ key: 'Host', value: 'WWW.example.com' }]

  it('turns the viewer’s request into the service’s', async () => {
    const uri = "/it's%60$x/service_cookie_transfer/deep"
    const forged = [{ key: 'X-Widget-Key', value: 'forged' }]
    const viewer = await handler(
      event('viewer-request', {
        request: {
          uri,
          headers: {
            host,
            'x-widget-key': forged,
            x_continuation_origin: forged,
            'x-request-id': forged,
            cookie: [],
          },
        },
      }),
    )
    expect(viewer).toEqual({
      uri,
      headers: {
        host,
        cookie: [],
        'x-continuation-origin': [{ key: 'X-Continuation-Origin', value: 'https://www.example.com' }],
        'x-request-id': [{ key: 'X-Request-Id', value: 'the-id' }],
      },
    })
    const origin = { custom: { domainName: 'service.example', customHeaders: { 'x-widget-key': [] } } }
    expect(await handler(event('origin-request', { request: { ...viewer, origin } }))).toMatchObject({
      uri: '/service_cookie_transfer/deep',
      headers: { host: [{ key: 'Host', value: 'service.example' }] },
    })
  })

  const root = { uri: '/service_cookie_transfer/', headers: { host } }
  it.each<[what: string, type: string, request: object, status: string]>([
    ['an unknown host', 'viewer-request', { ...root, headers: { host: [{ value: 'evil.example' }] } }, '404'],
    ['another path', 'viewer-request', { ...root, uri: '/' }, '404'],
    ['a request past viewer-request', 'origin-request', root, '404'],
    ...[...BAD_PATHS, '%2e%2e/a', '..', 'a\\..'].map((path): [string, string, object, string] => [
      path,
      'viewer-request',
      { ...root, uri: `${root.uri}${path}` },
      '400',
    ]),
  ])('refuses %s', async (_what, type, request, status) => {
    expect(await handler(event(type, { request }))).toEqual({ status })
  })

  it('refuses a body over the limit with Content-Length', async () => {
    const request = (value: string) => ({
      ...root,
      headers: { host, 'content-length': [{ key: 'Content-Length', value }] },
    })
    expect(await handler(event('viewer-request', { request: request('11') }))).toEqual({ status: '413' })
    expect(await handler(event('viewer-request', { request: request('10') }))).toMatchObject({ headers: {} })
  })

  it('removes what would take effect on the whole origin', async () => {
    const response = { headers: { 'strict-transport-security': [], 'set-cookie': [{ value: 'a=1' }] } }
    expect(await handler(event('origin-response', { response }))).toEqual({
      headers: {
        'set-cookie': [{ value: 'a=1' }],
        'cache-control': [{ key: 'Cache-Control', value: 'private, no-store' }],
      },
    })
  })
})
