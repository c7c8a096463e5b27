import { describe, expect, test } from 'vitest'
import { type ApiClient, createClient } from '../../src/api/index.ts'
import { agent, client, ended, options, session, webhook } from './support/samples.ts'
import { startStub } from './support/stub-service.ts'

interface Row {
  readonly call: (api: ApiClient) => Promise<unknown>
  /** Method and path of the service's tables; then the query without the key, if any. */
  readonly asks: string
  readonly body?: unknown
  readonly status?: number
  readonly answer?: unknown
  /** Where the value differs from the answer. */
  readonly value?: unknown
  readonly key?: string | null
}

const newWebhook = {
  url: 'https://hooks.example.com/',
  category: 'session.started',
  enabled: true,
  ssl_verification: false,
}

const rows: readonly Row[] = [
  { call: (api) => api.agents.list(), asks: 'GET /agents/', answer: [agent] },
  { call: (api) => api.agents.list({ free: true }), asks: 'GET /agents/?free=true', answer: [] },
  {
    call: (api) =>
      api.agents.create({ username: 'ada', agent_email: 'a@example.com', password: 'p', role: 'admin' }),
    asks: 'POST /agents/',
    body: { username: 'ada', agent_email: 'a@example.com', password: 'p', role: 'admin' },
    answer: { agent_id: '12' },
  },
  { call: (api) => api.agents.get(12), asks: 'GET /agents/12/', answer: agent },
  { call: (api) => api.agents.get('12'), asks: 'GET /agents/12/', answer: agent },
  {
    call: (api) => api.agents.update(12, { username: 'Ada', available: false }),
    asks: 'PUT /agents/12/',
    body: { username: 'Ada', available: false },
    answer: { agent_name: 'Ada', agent_id: 12, agent_email: 'ada@example.com', available: false },
  },
  { call: (api) => api.agents.delete(12), asks: 'DELETE /agents/12/', answer: { response: 'deleted' } },
  {
    call: (api) => api.agents.createAccessToken({ agent_id: 12, force_new: true }),
    asks: 'POST /agents/access-token/',
    body: { agent_id: 12, force_new: true },
    answer: {
      user_created: false,
      agent_token: 'token',
      expires_in: 86_400,
      agent_id: 12,
      agent_role: 'agent',
    },
  },
  { call: (api) => api.sessions.list(), asks: 'GET /sessions/', answer: [session, ended] },
  {
    call: (api) =>
      api.sessions.list({
        active_session: false,
        agent_id: 12,
        year: 2024,
        month: 5,
        pin: '0042',
        tags: ['a', 'b'],
      }),
    asks: 'GET /sessions/?active_session=false&agent_id=12&year=2024&month=5&pin=0042&tags=a,b',
    answer: [],
  },
  {
    call: (api) => api.sessions.listOfClient('ck-1', { active_session: true, year: 2024 }),
    asks: 'GET /sessions/?clientkey=ck-1&active_session=true&year=2024',
    answer: [
      {
        session_id: '345678912',
        agent_id: 12,
        follower_link: 'https://cobrowse.example.net/345-678-912',
        start_time: '2024-05-01T08:30:00.123456Z',
        duration: null,
      },
    ],
  },
  {
    call: (api) =>
      api.sessions.create({ url: 'https://www.example.com/', skip_queue: true, ui_off: true, tomorrow: 1 }),
    asks: 'POST /sessions/',
    body: { url: 'https://www.example.com/', skip_queue: true, ui_off: true, tomorrow: 1 },
    answer: { ...session, leader_link: 'https://cobrowse.example.net/lead/345-678-912' },
  },
  {
    call: (api) => api.sessions.get('345-678-912'),
    asks: 'GET /sessions/345-678-912/',
    answer: session,
  },
  { call: (api) => api.sessions.end('345678912'), asks: 'POST /sessions/345678912/end/', answer: ended },
  { call: (api) => api.options.get(), asks: 'GET /company/options/', answer: options },
  {
    call: (api) => api.options.get({ widgetKey: 'wk' }),
    asks: 'GET /company/options/',
    answer: options,
    key: 'wk',
  },
  {
    call: (api) => api.options.replace({ start_muted: true }),
    asks: 'POST /company/options/',
    body: { start_muted: true },
    answer: { start_muted: true },
  },
  {
    call: (api) => api.options.change({ cookie_transfer_proxying: true }),
    asks: 'PATCH /company/options/',
    body: { cookie_transfer_proxying: true },
    answer: options,
  },
  { call: (api) => api.options.reset(), asks: 'DELETE /company/options/', value: undefined },
  {
    call: (api) => api.screenshots.latest('345-678-912'),
    asks: 'GET /sessions/345-678-912/screenshots/latest/',
    answer: { url: 'https://cobrowse.example.net/shots/1.png' },
  },
  ...['GENERATION-STARTED', 'ALREADY-RUNNING', 'FAILED-INTERNALLY'].map((word) => ({
    call: (api: ApiClient) => api.screenshots.create('345-678-912', { size: 800, interval: 5 }),
    asks: 'POST /sessions/345-678-912/screenshots/create/',
    body: { size: 800, interval: 5 },
    answer: word,
  })),
  { call: (api) => api.clients.list(), asks: 'GET /clients/all/', answer: [client] },
  {
    call: (api) => api.clients.create({ company_name: 'Example', domains: '*' }),
    asks: 'POST /clients/all/',
    body: { company_name: 'Example', domains: '*' },
    answer: { company_name: 'Example', client_key: 'ck-1', rest_key: 'rk-1', widget_key: 'wk-1' },
  },
  { call: (api) => api.clients.get('ck-1'), asks: 'GET /clients/all/ck-1/', answer: client },
  {
    call: (api) => api.clients.setDomains('ck-1', '*.example.com'),
    asks: 'POST /clients/all/ck-1/',
    body: { domains: '*.example.com' },
    answer: { domains: '*.example.com' },
  },
  {
    call: (api) => api.clients.update('ck-1', { company_name: 'Other' }),
    asks: 'PUT /clients/all/ck-1/',
    body: { company_name: 'Other' },
    answer: { agent_count: 5, company_name: 'Other', client_key: 'ck-1' },
  },
  {
    call: (api) => api.clients.delete('ck-1'),
    asks: 'DELETE /clients/all/ck-1/',
    answer: { response: 'deleted' },
  },
  {
    call: (api) => api.servers.list(),
    asks: 'GET /servers/',
    answer: [{ id: 'eu1', region: 'NL', description: 'Amsterdam', ips: '192.0.2.1, 192.0.2.2' }],
    key: null,
  },
  {
    call: (api) => api.webhooks.create(newWebhook),
    asks: 'POST /webhooks/',
    body: newWebhook,
    status: 201,
    answer: webhook,
  },
  { call: (api) => api.webhooks.get(3), asks: 'GET /webhooks/3/', answer: webhook },
  {
    call: (api) => api.webhooks.replace(3, newWebhook),
    asks: 'PUT /webhooks/3/',
    body: newWebhook,
    answer: webhook,
  },
  { call: (api) => api.webhooks.delete(3), asks: 'DELETE /webhooks/3/', status: 204, value: undefined },
]

describe('every endpoint', () => {
  test.each(rows.map((row, index) => [`${row.asks} (${index})`, row] as const))('%s', async (_name, row) => {
    const { baseUrl, arrivals } = await startStub({ status: row.status ?? 200, body: row.answer })
    const value = await row.call(createClient({ baseUrl, apiKey: 'rest key&1' }))
    expect(value).toEqual('value' in row ? row.value : row.answer)
    const key = row.key === undefined ? 'rest key&1' : row.key
    const { pathname, searchParams } = new URL(row.asks.replace(/^\w+ /, ''), 'http://stub')
    expect(arrivals).toEqual([
      {
        method: row.asks.replace(/ .*/, ''),
        path: pathname,
        query: [...searchParams, ...(key === null ? [] : [['api_key', key]])],
        contentType: row.body === undefined ? undefined : 'application/json',
        body: row.body,
      },
    ])
  })
})

describe('ids that the service sends in two types', () => {
  test.each([
    ['agents.create', (api: ApiClient) => api.agents.create(newAgent), { agent_id: 12 }, { agent_id: '12' }],
    [
      'agents.get',
      (api: ApiClient) => api.agents.get(12),
      { ...agent, agent_id: '12' },
      { ...agent, agent_id: 12 },
    ],
    [
      'sessions.get',
      (api: ApiClient) => api.sessions.get('1'),
      { ...session, agent_id: '12', id: 345678912, session_id: 345678912 },
      { ...session, agent_id: 12 },
    ],
    ['webhooks.get', (api: ApiClient) => api.webhooks.get(3), { ...webhook, id: '3' }, webhook],
  ])('%s gives the documented one', async (_name, call, answer, value) => {
    const { baseUrl } = await startStub({ body: answer })
    expect(await call(createClient({ baseUrl, apiKey: 'k' }))).toEqual(value)
  })
})

test('undocumented fields are kept, even one with a dangerous name', async () => {
  const { baseUrl } = await startStub({
    body: '{"agent_id": 1, "tomorrow": [1], "__proto__": {"polluted": true}}',
  })
  const got = await createClient({ baseUrl, apiKey: 'k' }).agents.get(1)
  expect(JSON.parse(JSON.stringify(got))).toEqual(
    JSON.parse('{"agent_id":1,"tomorrow":[1],"__proto__":{"polluted":true}}'),
  )
  expect('polluted' in got).toBe(false)
})

test('an agent who never logged in has no last login', async () => {
  const { baseUrl } = await startStub({ body: { ...agent, last_login: null } })
  expect((await createClient({ baseUrl, apiKey: 'k' }).agents.get(1)).last_login).toBeNull()
})

describe('arguments that would change the endpoint are refused before anything is sent', () => {
  const absent = fromJavaScript(undefined)
  const circle: Record<string, unknown> = {}
  circle.self = circle

  test.each<readonly [string, (api: ApiClient) => Promise<unknown>, typeof RangeError | typeof TypeError]>([
    ['an empty id', (api) => api.agents.delete(''), RangeError],
    ['a dot', (api) => api.sessions.get('.'), RangeError],
    ['two dots', (api) => api.clients.delete('..'), RangeError],
    ['half of a surrogate pair', (api) => api.sessions.get('a\uD800'), RangeError],
    ['no id', (api) => api.sessions.get(absent), RangeError],
    ['an object for an id', (api) => api.sessions.end(fromJavaScript({ id: '1' })), RangeError],
    ['an id that is not a number', (api) => api.webhooks.get(Number.NaN), RangeError],
    ['a fraction for an id', (api) => api.agents.get(1.5), RangeError],
    ['no client key', (api) => api.sessions.listOfClient(absent), RangeError],
    ['an empty client key', (api) => api.sessions.listOfClient(''), RangeError],
    ['a tag with a comma', (api) => api.sessions.list({ tags: ['a,b'] }), RangeError],
    ['no body', (api) => api.options.replace(absent), TypeError],
    ['a list for a body', (api) => api.options.replace(fromJavaScript([])), TypeError],
    ['a circle', (api) => api.options.change(circle), TypeError],
    ['a number that JSON can’t express', (api) => api.options.change({ theme: 1n }), TypeError],
    ['a key that is not text', (api) => api.options.get({ widgetKey: fromJavaScript(5) }), TypeError],
    ['half of a surrogate pair in a key', (api) => api.options.get({ widgetKey: '\uDC00' }), RangeError],
  ])('%s', async (_name, call, error) => {
    const { baseUrl, arrivals } = await startStub({ body: {} })
    await expect(call(createClient({ baseUrl, apiKey: 'k' }))).rejects.toThrow(error)
    await expect(call(createClient({ baseUrl }))).rejects.toThrow(error)
    expect(arrivals).toEqual([])
  })
})

test('an id is one segment of the path, whatever it holds', async () => {
  const { baseUrl, arrivals } = await startStub({ body: client })
  await createClient({ baseUrl, apiKey: 'k' }).clients.get('a/../b?c#d%$&')
  expect(arrivals[0]?.path).toBe('/clients/all/a%2F..%2Fb%3Fc%23d%25%24%26/')
})

/** A value that the compiler has not checked. */
function fromJavaScript(value: unknown): never {
  return value as never
}

const newAgent = { username: 'ada', agent_email: 'a@example.com', password: 'p' }
