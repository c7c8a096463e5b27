import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminListener } from '../../src/serve/admin.ts'
import { type Listener, startAdminListener } from '../../src/serve/listener.ts'
import { openClient } from '../support/raw-client.ts'
import { onlyValue } from '../support/wire.ts'

describe('the admin listener', () => {
  let listener: Listener
  let state: 'ready' | 'draining'
  beforeAll(async () => {
    state = 'ready'
    const source = { isReady: () => state === 'ready', metrics: async () => '# no metrics\n' }
    listener = await startAdminListener('127.0.0.1', 0, adminListener(source), () => {})
  })
  afterAll(async () => {
    const drained = listener.drain()
    listener.destroy()
    await drained
  })

  const TEXT = 'text/plain; charset=utf-8'
  const METRICS = 'text/plain; version=0.0.4; charset=utf-8'
  const NOWHERE = 'look at /livez, /readyz or /metrics\n'

  it.each([
    ['GET', '/livez', 200, TEXT, 'ok\n'],
    ['HEAD', '/livez', 200, TEXT, 'ok\n'],
    ['GET', '/readyz?probe', 200, TEXT, 'ok\n'],
    ['GET', '/metrics', 200, METRICS, '# no metrics\n'],
    ['HEAD', '/metrics', 200, METRICS, '# no metrics\n'],
    ['GET', '/', 404, TEXT, NOWHERE],
    ['HEAD', '/service_cookie_transfer/', 404, TEXT, NOWHERE],
    ['GET', '/livez/', 404, TEXT, NOWHERE],
    ['POST', '/livez', 405, TEXT, 'method not allowed\n'],
    ['OPTIONS', '/other', 405, TEXT, 'method not allowed\n'],
    ['PROPFIND', '/metrics', 405, TEXT, 'method not allowed\n'],
  ])('%s %s', async (method, target, status, type, text) => {
    const answer = await ask(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:9090\r\n\r\n`, method)
    expect(answer.startLine).toMatch(`HTTP/1.1 ${status} `)
    expect(answer.body).toBe(method === 'HEAD' ? '' : text)
    expect(onlyValue(answer.fields, 'content-type')).toBe(type)
    expect(onlyValue(answer.fields, 'content-length')).toBe(`${text.length}`)
    expect(onlyValue(answer.fields, 'cache-control')).toBe('no-store')
  })

  it.each([
    ['HTTP/1.0 without Host', 'GET /livez HTTP/1.0\r\n\r\n'],
    ['an IPv6 Host', 'GET /livez HTTP/1.1\r\nHost: [::1]:9090\r\n\r\n'],
    ['a name as Host', 'GET /livez HTTP/1.1\r\nHost: admin_1.internal\r\n\r\n'],
  ])('is answered with %s', async (_what, octets) => {
    expect((await ask(octets)).body).toBe('ok\n')
  })

  it('is not ready while it drains, but live', async () => {
    state = 'draining'
    const get = (path: string) => ask(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const [ready, live] = [await get('/readyz'), await get('/livez')]
    state = 'ready'
    expect([ready.startLine, ready.body]).toEqual(['HTTP/1.1 503 Service Unavailable', 'not ready\n'])
    expect(live.body).toBe('ok\n')
  })

  async function ask(octets: string, method?: string) {
    const client = await openClient(listener.port)
    client.write(octets)
    const answer = await client.response(method)
    client.close()
    return answer
  }
})
