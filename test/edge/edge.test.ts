import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigError } from '../../src/edge.ts'
import { onlyValue } from '../support/wire.ts'
import { openRecordedApp, POINT } from './support/recorded-app.ts'

const PREFIX = '/service_cookie_transfer/'
const points = [POINT, `https://www.example.com/shop${PREFIX}`]

async function ask(url: string, init: RequestInit = {}, overrides: Record<string, unknown> = {}) {
  const options = { clientAddress: () => '192.0.2.9' }
  const { app, service, records } = await openRecordedApp(undefined, { points, ...overrides }, options)
  const response = await app.request(url, init)
  return { response, body: await response.text(), service, seen: service.requests, records }
}

describe('an app over fetch', () => {
  it('forwards what a point owns, with the fields of the point', async () => {
    const { response, service, seen, records } = await ask(`${points[1]}a%2Fb?c=%20`, {
      headers: {
        Host: 'WWW.example.com:443',
        Cookie: 'sid=1',
        'X-Widget-Key': 'forged',
        X_Continuation_Origin: 'forged',
        'X-Forwarded-For': '1.1.1.1',
      },
    })
    expect(response.status).toBe(200)
    const [request] = seen
    expect(request?.startLine).toBe(`GET ${PREFIX}a%2Fb?c=%20 HTTP/1.1`)
    const fields = request?.fields ?? []
    expect(onlyValue(fields, 'host')).toBe(service.authority)
    expect(onlyValue(fields, 'x-widget-key')).toBe('edge-key')
    expect(onlyValue(fields, 'x-continuation-origin')).toBe('https://www.example.com')
    expect(onlyValue(fields, 'x-forwarded-for')).toBe('192.0.2.9')
    expect(onlyValue(fields, 'cookie')).toBe('sid=1')
    expect(fields.some(([name]) => name.toLowerCase() === 'x_continuation_origin')).toBe(false)
    expect(records).toEqual([expect.objectContaining({ method: 'GET', status: 200, outcome: 'ok' })])
  })

  it.each<[url: string, status: number, code: string, headers?: Record<string, string>]>([
    ['https://www.example.com/', 404, 'unknown-path'],
    ['https://other.example.com/', 421, 'unknown-authority'],
    [`https://www.example.com/a%5c..%5cb${PREFIX}`, 400, 'bad-target'],
    [`https://www.example.com${PREFIX}..%2fv2`, 400, 'bad-target'],
    [POINT, 400, 'bad-host', { Host: 'evil@www.example.com' }],
    [POINT, 400, 'bad-host', { Host: 'www.example.com, www.example.com' }],
    [POINT, 400, 'target-not-host', { Host: 'other.example.com' }],
    [POINT, 508, 'loop', { Via: '1.1 continuation-point' }],
  ])('%s is refused with %d %s', async (url, status, code, headers = {}) => {
    const { response, body, seen, records } = await ask(url, { headers })
    expect(response.status).toBe(status)
    expect(JSON.parse(body)).toMatchObject({ status, code, instance: records[0]?.id })
    expect(seen).toEqual([])
  })

  it('passes on no unlisted cookie behind a comma, at which Workers join lines', async () => {
    const forward = { cookies: 'scoped', alsoCookies: ['sid', 'lb'] }
    const { seen } = await ask(POINT, { headers: { Cookie: 'a=b; sid=d, e=f, lb=1,2' } }, { forward })
    expect(onlyValue(seen[0]?.fields ?? [], 'cookie')).toBe('sid=d; lb=1,2')
  })

  it('sends a bare path to the point, its query kept', async () => {
    const { response } = await ask('https://www.example.com/shop/service_cookie_transfer?a=1')
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe(`${points[1]}?a=1`)
  })

  it('answers for a service that is down, with a page for a browser', async () => {
    const { response, body } = await ask(
      POINT,
      { headers: { Accept: 'text/html' } },
      { service: { url: 'http://127.0.0.1:1' } },
    )
    expect(response.status).toBe(502)
    expect(body).toContain('data-check="forwarded" data-outcome="fail"')
  })

  it.each([
    ['a file', { widgetKey: 'file:/run/key' }, 'no files at the edge'],
    ['an authority of its own', { service: { url: 'https://a.example', ca: 'env:CA' } }, 'no effect'],
    ['no service', { service: {} }, 'service.url is missing'],
    ['a name below localhost', { service: { url: 'http://a.localhost' } }, 'looked up in DNS'],
    ['a bad point', { points: ['https://www.example.com/'] }, 'url/prefix'],
  ])('does not start with %s', async (_what, overrides, message) => {
    const started = ask(POINT, {}, overrides)
    await expect(started).rejects.toThrow(ConfigError)
    await expect(started).rejects.toThrow(message)
  })

  it.each([
    ['https', 'NODE_TLS_REJECT_UNAUTHORIZED', '0'],
    ['http', 'HTTP_PROXY', 'http://127.0.0.1:1'],
  ])('neither starts nor asks over %s where Node has %s', async (scheme, name, value) => {
    const service = { url: `${scheme}://127.0.0.1:1` }
    const { app, records } = await openRecordedApp(undefined, { service })
    vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await app.request(POINT)).status).toBe(500)
    expect(records).toEqual([expect.objectContaining({ outcome: 'internal', code: 'EXPOSED' })])
    await expect(openRecordedApp(undefined, { service })).rejects.toThrow(name)
  })
})
