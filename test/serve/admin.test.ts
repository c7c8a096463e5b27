import { afterAll, describe, expect, it } from 'vitest'
import { adminListener } from '../../src/serve/admin.ts'
import { MOST_ADMIN_CONNECTIONS } from '../../src/serve/capacity.ts'
import { startAdminListener } from '../../src/serve/listener.ts'
import { openForTest } from '../support/open-for-test.ts'
import { askOnce, openClient, type RawClient } from '../support/raw-client.ts'
import { until } from '../support/until.ts'
import { onlyValue } from '../support/wire.ts'

describe('the admin listener', async () => {
  let state: 'ready' | 'draining' = 'ready'
  const source = { isReady: () => state === 'ready', metrics: () => '# no\n# metrics\n' }
  const { port, close } = await startListener(source, () => {})
  afterAll(close)

  const TEXT = 'text/plain; charset=utf-8'
  const METRICS = 'text/plain; version=0.0.4; charset=utf-8'
  const NOWHERE = 'look at /livez, /readyz or /metrics\n'

  it.each([
    ['GET', '/livez', 200, TEXT, 'ok\n'],
    ['HEAD', '/livez', 200, TEXT, 'ok\n'],
    ['GET', '/readyz?probe', 200, TEXT, 'ok\n'],
    ['GET', '/metrics', 200, METRICS, '# no\n# metrics\n'],
    ['HEAD', '/metrics', 200, METRICS, ''],
    ['GET', '/', 404, TEXT, NOWHERE],
    ['HEAD', '/service_cookie_transfer/', 404, TEXT, NOWHERE],
    ['GET', '/livez/', 404, TEXT, NOWHERE],
    ['POST', '/livez', 405, TEXT, 'method not allowed\n'],
    ['OPTIONS', '/other', 405, TEXT, 'method not allowed\n'],
    ['PROPFIND', '/metrics', 405, TEXT, 'method not allowed\n'],
  ])('%s %s', async (method, target, status, type, text) => {
    const answer = await ask(`${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:9090\r\n\r\n`)
    expect(answer.startLine).toMatch(`HTTP/1.1 ${status} `)
    expect(answer.body).toBe(method === 'HEAD' ? '' : text)
    expect(onlyValue(answer.fields, 'content-type')).toBe(type)
    if (method === 'GET') expect(onlyValue(answer.fields, 'content-length')).toBe(`${text.length}`)
    expect(onlyValue(answer.fields, 'cache-control')).toBe('no-store')
  })

  it.each([
    ['HTTP/1.0 without Host', 'GET /livez HTTP/1.0\r\n\r\n'],
    ['an IPv6 Host', 'GET /livez HTTP/1.1\r\nHost: [::1]:9090\r\n\r\n'],
    ['a known expectation', 'GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n'],
    ['another expectation', 'GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n'],
    ['a name as Host', 'GET /livez HTTP/1.1\r\nHost: admin_1.internal\r\n\r\n'],
  ])('is answered with %s', async (_what, octets) => {
    expect((await ask(octets)).body).toBe('ok\n')
  })

  it('is not ready while it drains, but live', async () => {
    state = 'draining'
    const [ready, live] = [await ask(get('/readyz')), await ask(get('/livez'))]
    state = 'ready'
    expect([ready.startLine, ready.body]).toEqual(['HTTP/1.1 503 Service Unavailable', 'not ready\n'])
    expect(live.body).toBe('ok\n')
  })

  const ask = (octets: string) => askOnce(port, octets)
})

it('a page of metrics that is not read holds up no probe, and is given up', { timeout: 40_000 }, async () => {
  const { ask, drain } = await startLarge()
  const client = await ask('/metrics')
  await client.received('a line')
  client.socket.pause()
  expect((await (await ask('/livez')).response()).body).toBe('ok\n')
  await drain()
})

it('an admin connection has one request, also if more are pipelined', async () => {
  const { client, ask, asked } = await startLarge()
  expect(await ask('/livez').then((probe) => probe.response())).toMatchObject({ body: 'ok\n' })
  const many = await client()
  many.write(get('/metrics').repeat(1_000))
  await many.received('a line')
  many.close()
  expect(asked()).toBe(1)
})

it('however many admin connections are idle, the next probe is answered, and a scrape goes on', async () => {
  const { client, ask, warnings } = await startLarge()
  const reading = await ask('/metrics')
  await reading.received('a line')
  const idle: RawClient[] = []
  for (let i = 0; i < 5 * MOST_ADMIN_CONNECTIONS; i += 1) idle.push(await client())
  expect((await (await ask('/livez')).response()).body).toBe('ok\n')
  const isOpen = () => idle.filter(({ socket }) => !socket.readableEnded && !socket.destroyed)
  await until(() => isOpen().length < MOST_ADMIN_CONNECTIONS)
  // The newest are left.
  expect(isOpen()).toEqual(idle.slice(-isOpen().length))
  expect(isOpen().length).toBeGreaterThan(MOST_ADMIN_CONNECTIONS / 2)
  expect(reading.socket.readableEnded).toBe(false)
  expect(warnings()).toBe(1)
})

it('however many scrapes are not read, the next probe is answered, and the oldest ends', async () => {
  const { ask } = await startLarge()
  const scrapes: RawClient[] = []
  for (let i = 0; i < MOST_ADMIN_CONNECTIONS; i += 1) {
    const reading = await ask('/metrics')
    await reading.received('a line')
    reading.socket.pause()
    scrapes.push(reading)
  }
  expect((await (await ask('/livez')).response()).body).toBe('ok\n')
  scrapes[0]?.socket.resume()
  await scrapes[0]?.ended()
  expect(scrapes[0]?.pending().length).toBeLessThan(PAGE.length)
})

/** An admin listener whose page of metrics is more than the kernel holds for a connection, which is up to 6 MiB. */
async function startLarge() {
  let asked = 0
  let warnings = 0
  const metrics = () => {
    asked += 1
    return PAGE
  }
  const onTooMany = () => {
    warnings += 1
  }
  const source = { isReady: () => true, metrics }
  const { port, drain } = await openForTest(startListener(source, onTooMany))
  const client = () => openForTest(openClient(port))
  const ask = async (path: string) => {
    const opened = await client()
    opened.write(get(path))
    return opened
  }
  return { client, ask, drain, asked: () => asked, warnings: () => warnings }
}

async function startListener(source: Parameters<typeof adminListener>[0], onTooMany: () => void) {
  const listener = await startAdminListener('127.0.0.1', 0, adminListener(source), onTooMany)
  return {
    port: listener.port,
    drain: () => listener.drain(0),
    close: async () => {
      const drained = listener.drain()
      listener.destroy()
      await drained
    },
  }
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}

const PAGE = 'a line\n'.repeat(2_000_000)
