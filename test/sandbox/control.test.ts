import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { openForTest } from '../support/open-for-test.ts'
import { ask } from './support/ask.ts'
import { callsOf } from './support/call.ts'
import { openStandIn } from './support/stand-in.ts'

const { sandbox, call } = await openStandIn({ nowMs: () => Date.UTC(2030, 0, 1) })
const agent = { username: 'Ada', agent_email: 'ada@example.com', password: 'agent-password' }

describe('reset', () => {
  it('goes back to the start: resources, clock, failures, log', async () => {
    await call('POST /agents/', { body: agent })
    await call('PATCH /company/options/', { body: { hidden: true } })
    await call('POST /_sandbox/clock', { body: { advanceMs: 5000, frozen: true } })
    await call('POST /_sandbox/failures', { body: { path: '*', status: 500 } })
    expect(await call('POST /_sandbox/reset')).toMatchObject({ status: 204, text: '' })
    expect((await call('GET /_sandbox/requests')).json).toEqual({ requests: [] })
    expect((await call('GET /_sandbox/failures')).json).toEqual({ failures: [] })
    expect((await call('GET /_sandbox/clock')).json).toEqual({
      now: '2030-01-01T00:00:00.000000Z',
      frozen: false,
    })
    expect((await call('GET /agents/')).json).toEqual([])
    expect((await call('GET /company/options/')).json.hidden).toBe(false)
  })

  it('keeps the account that was set from outside', async () => {
    const other = await openForTest(startSandbox())
    const { account } = other
    other.setAccount({ ...account, apiKey: 'other-api-key' })
    const calls = callsOf(other.url)
    for (const reset of [false, true]) {
      if (reset) await calls('POST /_sandbox/reset')
      expect((await calls('GET /agents/', { key: 'other-api-key' })).status).toBe(200)
      expect((await calls('GET /agents/')).status).toBe(401)
    }
  })
})

describe('the clock', () => {
  it.each([
    [{ now: '2031-06-01T12:00:00Z' }, '2031-06-01T12:00:00.000000Z', false],
    [{ now: '2029-06-01T12:00:00+02:00', advanceMs: 1 }, '2029-06-01T10:00:00.001000Z', false],
    [{ advanceMs: 90_000, frozen: true }, '2030-01-01T00:01:30.000000Z', true],
    [{}, '2030-01-01T00:00:00.000000Z', false],
  ])('set with %j shows %s, frozen: %s', async (body, now, frozen) => {
    expect(await call('POST /_sandbox/clock', { body })).toMatchObject({ status: 200, json: { now, frozen } })
    expect((await call('GET /_sandbox/clock')).json).toEqual({ now, frozen })
  })

  it('refuses what it does not know and goes on', async () => {
    const body = { now: 'soon', advanceMs: -1, frozen: 'yes', speed: 2 }
    const refused = await call('POST /_sandbox/clock', { body })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.json.errors).sort()).toEqual(Object.keys(body).sort())
    expect((await call('GET /_sandbox/clock')).json.now).toBe('2030-01-01T00:00:00.000000Z')
  })
})

describe('forced failures', () => {
  const statuses = async (...what: readonly string[]) => {
    const seen: number[] = []
    for (const each of what) seen.push((await call(each)).status)
    return seen
  }

  it.each([
    [
      { path: '/v2/agents/', status: 503 },
      ['GET /sessions/', 'GET /agents/', 'GET /agents/'],
      [200, 503, 200],
    ],
    [{ path: '/v2/agents/', status: 500, count: 2 }, Array(3).fill('GET /agents/'), [500, 500, 200]],
    [
      { method: 'post', path: '/v2/sessions/', status: 502 },
      ['GET /sessions/', 'POST /sessions/'],
      [200, 502],
    ],
    [{ path: '/v2/sessions/*', status: 404 }, ['GET /agents/', 'GET /sessions/?year=2030'], [200, 404]],
    [{ path: '*', status: 429 }, ['GET /servers/', 'GET /servers/'], [429, 200]],
    [{ path: '/v2/agents/', status: 204 }, ['GET /agents/'], [204]],
    [{ path: '/v2/agents/', delayMs: 1 }, ['GET /agents/'], [200]],
  ])('of %j: %j are answered %j', async (body, what, expected) => {
    expect((await call('POST /_sandbox/failures', { body })).status).toBe(201)
    expect(await statuses(...what)).toEqual(expected)
    expect((await call('GET /_sandbox/failures')).json).toEqual({ failures: [] })
  })

  it('change nothing, and send Retry-After where a client would look for it', async () => {
    await call('POST /_sandbox/failures', { body: { path: '/v2/agents/', status: 503 } })
    const refused = await call('POST /agents/', { body: agent })
    expect(refused).toMatchObject({ status: 503, json: { errors: { forced: [expect.any(String)] } } })
    expect(refused.headers['retry-after']).toBe('1')
    expect((await call('GET /agents/')).json).toEqual([])
  })

  it('reach the continuation end, not the controls', async () => {
    await call('POST /_sandbox/failures', { body: { path: '*', status: 500, count: 3 } })
    expect((await ask(sandbox.url, '/service_cookie_transfer/x')).status).toBe(500)
    expect((await call('GET /_sandbox/failures')).json).toEqual({
      failures: [{ path: '*', status: 500, delayMs: 0, count: 2 }],
    })
    expect((await call('POST /_sandbox/reset')).status).toBe(204)
    expect((await ask(sandbox.url, '/service_cookie_transfer/x')).status).toBe(200)
  })

  it('do not outlast the stand-in', async () => {
    const short = await startSandbox()
    const calls = callsOf(short.url)
    await calls('POST /_sandbox/failures', { body: { path: '/v2/agents/', status: 500, delayMs: 600_000 } })
    const late = calls('GET /agents/').catch((error: NodeJS.ErrnoException) => error.code)
    while ((await calls('GET /_sandbox/failures')).json.failures.length > 0);
    await short.close()
    expect(await late).toBe('ECONNRESET')
  })

  it.each([
    [{}, ['path']],
    [{ path: 'agents' }, ['path']],
    [{ path: '/', status: 100 }, ['status']],
    [{ path: '/', status: '500', count: 0, delayMs: -1 }, ['count', 'delayMs', 'status']],
    [{ path: '/', times: 2 }, ['times']],
  ])('are not made from %j', async (body, fields) => {
    const refused = await call('POST /_sandbox/failures', { body })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
    expect((await call('GET /_sandbox/failures')).json).toEqual({ failures: [] })
  })
})

describe('the log of requests', () => {
  it('shows what arrived and how it was answered', async () => {
    await call('PATCH /company/options/', { body: { hidden: true } })
    await call('GET /sessions/?year=2030&tags=a%20b')
    await ask(sandbox.url, '/service_cookie_transfer/create', { method: 'POST', body: 'octets' })
    expect((await call('GET /_sandbox/requests')).json.requests).toEqual([
      {
        number: 1,
        at: '2030-01-01T00:00:00.000000Z',
        method: 'PATCH',
        path: '/v2/company/options/',
        query: [['api_key', '[masked]']],
        octets: 15,
        body: { hidden: true },
        status: 200,
      },
      expect.objectContaining({
        number: 2,
        path: '/v2/sessions/',
        query: [
          ['year', '2030'],
          ['tags', 'a b'],
          ['api_key', '[masked]'],
        ],
        octets: 0,
        status: 200,
      }),
      expect.objectContaining({ number: 3, path: '/service_cookie_transfer/create', octets: 6, status: 200 }),
    ])
  })

  it('keeps no key, token or password, known or not', async () => {
    const post = async (path: string, body: object) => (await call(`POST ${path}`, { body })).json
    const client = { company_name: 'C', agent_password: 'client-password' }
    const { client_key, rest_key, widget_key } = await post('/clients/all/', client)
    const { agent_token } = await post('/agents/access-token/', { email: 'ada@example.com', name: 'Ada' })
    await call('POST /agents/', { body: agent })
    await call('GET /agents/', { key: 'guessed-api-key' })
    await call(`GET /clients/all/${client_key}/`)
    await call('GET /clients/guessed-reseller/guessed-client/')
    await call('GET /clients/all/guessed-client/')
    await call(`GET /sessions/?clientkey=${client_key}&tags=${rest_key}`)
    await call('POST /sessions/', { body: { url: `https://www.example.com/?t=${agent_token}`, widget_key } })
    await call(`GET /nothing/${rest_key}/`)
    const { text } = await call('GET /_sandbox/requests')
    const secrets = [client_key, rest_key, widget_key, agent_token, 'demo-api-key', 'guessed', '-password"']
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('"/v2/clients/all/[masked]/"')
    expect(text).toContain('"/v2/clients/[masked]/[masked]/"')
    expect(text).toContain('"/v2/clients/all/"')
    expect(text).toContain('ada@example.com')
  })

  it('keeps no body and no query that is long', async () => {
    await call(`POST /sessions/?${'a&'.repeat(10_000)}`, {
      body: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    })
    const { json } = await call('GET /_sandbox/requests')
    expect(json.requests).toMatchObject([{ octets: 60_001, query: [], status: 400 }])
    expect(json.requests[0]).not.toHaveProperty('body')
  })
})

const Host = new URL(sandbox.url).host
const freeze = { method: 'POST', body: '{"frozen":true}' } as const
const json = { 'Content-Type': 'application/json' }
const isFrozen = async (): Promise<boolean> => (await call('GET /_sandbox/clock')).json.frozen

describe('a control', () => {
  it.each<[string, Readonly<Record<string, string | string[]>>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another origin of this site', { 'Sec-Fetch-Site': 'same-site' }],
    ['an unknown relation', { 'Sec-Fetch-Site': 'elsewhere' }],
    ['two relations', { 'Sec-Fetch-Site': ['same-origin', 'cross-site'] }],
    ['a foreign Origin', { Origin: 'http://www.example.com' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['another name of this machine', { Origin: sandbox.url.replace('127.0.0.1', 'localhost') }],
    ['https', { Origin: sandbox.url.replace('http:', 'https:') }],
    ['an opaque origin', { Origin: 'null' }],
  ])('refuses a page of %s, even for reading', async (_name, fields) => {
    const headers = { Host, ...json, ...fields }
    const refused = await ask(sandbox.url, '/_sandbox/clock', { ...freeze, headers })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toEqual({ errors: { origin: [expect.any(String)] } })
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    const read = await ask(sandbox.url, '/_sandbox/requests', { headers: { Host, ...fields } })
    expect(read.status).toBe(403)
    expect(await isFrozen()).toBe(false)
  })

  it.each([
    ['no page at all', {}],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['a page of its own', { 'Sec-Fetch-Site': 'same-origin', Origin: sandbox.url }],
  ])('answers %s', async (_name, fields) => {
    const headers = { Host, ...json, ...fields }
    expect((await ask(sandbox.url, '/_sandbox/clock', { ...freeze, headers })).status).toBe(200)
    expect(await isFrozen()).toBe(true)
  })

  it.each(['GET /_sandbox/', 'GET /_sandbox/other', 'PUT /_sandbox/clock'])('is not %s', async (what) => {
    expect(await call(what)).toMatchObject({ status: 404, json: { errors: { path: [expect.any(String)] } } })
  })

  it('refuses what is not JSON or too large, and a Host that is not the stand-in’s own', async () => {
    expect((await call('POST /_sandbox/clock', { body: '{' })).json.errors).toHaveProperty('body')
    expect((await call('POST /_sandbox/clock', { body: ' '.repeat(65_537) })).status).toBe(413)
    expect((await call('GET /_sandbox/requests', { headers: { Host: 'www.example.com' } })).status).toBe(421)
  })
})
