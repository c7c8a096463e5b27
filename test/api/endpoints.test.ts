import { describe, expect, test } from 'vitest'
import { type ApiClient, createClient } from '../../src/api/index.ts'
import { agent, client, ended, options, session, webhook } from './support/samples.ts'
import { startStub } from './support/stub-service.ts'

const newAgent = { username: 'ada', agent_email: 'a@example.com', password: 'p' }
const newAdmin = { ...newAgent, role: 'admin' } as const
const agentUpdate = { username: 'Ada', available: false }
const updatedAgent = { agent_name: 'Ada', agent_id: 12, agent_email: 'ada@example.com', available: false }
const forced = { agent_id: 12, force_new: true } as const
const token = { agent_token: 'token', expires_in: 86_400, agent_id: 12, agent_role: 'agent' }
const filter = { active_session: false, agent_id: 12, year: 2024, month: 5, pin: '0042', tags: ['a', 'b'] }
const { session_id, agent_id, follower_link, start_time, duration } = session
const url = 'https://www.example.com/'
const newSession = { url, skip_queue: true, ui_off: true }
const created = { ...session, leader_link: 'https://cobrowse.example.net/lead/345-678-912' }
const size = { size: 800, interval: 5 }
const newClient = { company_name: 'Example', domains: '*' }
const keys = { client_key: 'ck-1', rest_key: 'rk-1', widget_key: 'wk-1' }
const server = { id: 'eu1', region: 'NL', description: 'Amsterdam', ips: '192.0.2.1, 192.0.2.2' }
const newWebhook = {
  url: 'https://hooks.example.com/',
  category: 'session.started',
  enabled: true,
  ssl_verification: false,
}
const { id: _id, company_id: _company, ...ofWebhook } = webhook
const confirmed = { response: 'deleted' }
const muted = { start_muted: true }
const domains = { domains: '*.a.example' }

interface More {
  readonly body?: object
  readonly status?: number
  /** Instead of the client's own. */
  readonly key?: string | null
}

/** Method and path of the service's tables, then the query without the key; the call; what both answer; what else is sent. */
type Row = readonly [asks: string, call: (api: ApiClient) => Promise<unknown>, answer: unknown, more?: More]

const rows: readonly Row[] = [
  ['GET /agents/', (api) => api.agents.list(), [agent]],
  ['GET /agents/?free=true', (api) => api.agents.list({ free: true }), []],
  ['POST /agents/', (api) => api.agents.create(newAdmin), { agent_id: '12' }, { body: newAdmin }],
  ['GET /agents/12/', (api) => api.agents.get(12), agent],
  ['GET /agents/12/', (api) => api.agents.get('12'), agent],
  ['PUT /agents/12/', (api) => api.agents.update(12, agentUpdate), updatedAgent, { body: agentUpdate }],
  ['DELETE /agents/12/', (api) => api.agents.delete(12), confirmed],
  [
    'POST /agents/access-token/',
    (api) => api.agents.createAccessToken(forced),
    { user_created: false, ...token },
    { body: forced },
  ],
  [
    'POST /agents/access-token/',
    (api) => api.agents.createAccessToken({ agent_id: '12' }),
    token,
    { body: { agent_id: 12 } },
  ],
  ['GET /sessions/', (api) => api.sessions.list(), [session, ended]],
  [
    'GET /sessions/?active_session=false&agent_id=12&year=2024&month=5&pin=0042&tags=a,b',
    (api) => api.sessions.list(filter),
    [],
  ],
  ['GET /sessions/?agent_id=null&pin=null', (api) => api.sessions.list({ agent_id: null, pin: null }), []],
  [
    'GET /sessions/?clientkey=ck-1&active_session=true&year=2024',
    (api) => api.sessions.listOfClient('ck-1', { active_session: true, year: 2024 }),
    [{ session_id, agent_id, follower_link, start_time, duration }],
  ],
  ['POST /sessions/', (api) => api.sessions.create(newSession), created, { body: newSession }],
  [
    'POST /sessions/',
    (api) => api.sessions.create({ url, agent_id: '12', blocklist: ['a', 'b'], other: { tomorrow: 1 } }),
    created,
    { body: { url, agent_id: 12, blocklist: '["a","b"]', tomorrow: 1 } },
  ],
  ['GET /sessions/345-678-912/', (api) => api.sessions.get('345-678-912'), session],
  ['POST /sessions/345678912/end/', (api) => api.sessions.end('345678912'), ended],
  ['GET /company/options/', (api) => api.options.get(), options],
  ['GET /company/options/', (api) => api.options.get({ widgetKey: 'wk' }), options, { key: 'wk' }],
  ['POST /company/options/', (api) => api.options.replace(muted), muted, { body: muted }],
  ['PATCH /company/options/', (api) => api.options.change(muted), options, { body: muted }],
  ...['replace' as const, 'change' as const].map((name): Row => {
    const call = (api: ApiClient) =>
      api.options[name]({ allowlist: ['a'], blocklist: '[]', other: { tomorrow: 1 } })
    const body = { allowlist: '["a"]', blocklist: '[]', tomorrow: 1 }
    return [`${name === 'replace' ? 'POST' : 'PATCH'} /company/options/`, call, options, { body }]
  }),
  ['DELETE /company/options/', (api) => api.options.reset(), undefined],
  [
    'GET /sessions/345-678-912/screenshots/latest/',
    (api) => api.screenshots.latest('345-678-912'),
    { url: 'https://cobrowse.example.net/shots/1.png' },
  ],
  ...['GENERATION-STARTED', 'ALREADY-RUNNING', 'FAILED-INTERNALLY'].map((word): Row => {
    const call = (api: ApiClient) => api.screenshots.create('345-678-912', size)
    return ['POST /sessions/345-678-912/screenshots/create/', call, word, { body: size }]
  }),
  ['GET /clients/all/', (api) => api.clients.list(), [client]],
  [
    'POST /clients/all/',
    (api) => api.clients.create(newClient),
    { company_name: 'Example', ...keys },
    { body: newClient },
  ],
  ['GET /clients/all/ck-1/', (api) => api.clients.get('ck-1'), client],
  [
    'POST /clients/all/ck-1/',
    (api) => api.clients.setDomains('ck-1', '*.a.example'),
    domains,
    { body: domains },
  ],
  [
    'PUT /clients/all/ck-1/',
    (api) => api.clients.update('ck-1', { company_name: 'Other' }),
    { agent_count: 5, company_name: 'Other', client_key: 'ck-1' },
    { body: { company_name: 'Other' } },
  ],
  ['DELETE /clients/all/ck-1/', (api) => api.clients.delete('ck-1'), confirmed],
  ['GET /servers/', (api) => api.servers.list(), [server], { key: null }],
  ['POST /webhooks/', (api) => api.webhooks.create(newWebhook), webhook, { body: newWebhook, status: 201 }],
  ['GET /webhooks/3/', (api) => api.webhooks.get(3), webhook],
  ['PUT /webhooks/3/', (api) => api.webhooks.replace(3, newWebhook), webhook, { body: newWebhook }],
  ['PUT /webhooks/3/', (api) => api.webhooks.replace(3, webhook), webhook, { body: ofWebhook }],
  ['DELETE /webhooks/3/', (api) => api.webhooks.delete(3), undefined, { status: 204 }],
]

describe('every endpoint', () => {
  test.each(rows.map((row, index) => [`${row[0]} (${index})`, row] as const))('%s', async (_name, row) => {
    const [asks, call, answer, { body, status = 200, key = 'rest key&1' } = {}] = row
    const { baseUrl, arrivals } = await startStub({ status, body: answer })
    expect(await call(createClient({ baseUrl, apiKey: 'rest key&1' }))).toEqual(answer)
    const [method = '', address = ''] = asks.split(' ')
    const { pathname: path, searchParams } = new URL(address, 'http://stub')
    const query = [...searchParams, ...(key === null ? [] : [['api_key', key]])]
    const contentType = body && 'application/json'
    expect(arrivals).toEqual([{ method, path, query, contentType, body }])
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
    ...['1e3', '1'.repeat(16), '', null, 1.5].map(
      (odd) =>
        [
          `agents.list, but ${odd} stays`,
          (api: ApiClient) => api.agents.list(),
          [{ agent_id: odd }, { agent_id: '7' }],
          [{ agent_id: odd }, { agent_id: 7 }],
        ] as const,
    ),
  ] as const)('%s gives the documented one', async (_name, call, answer, value) => {
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

describe('an odd entry spoils no list, and stays as it came', () => {
  const scopes = { cookie_transfer_scopes: [{ name: 'sid', domain: 1 }] }
  test.each<readonly [string, unknown]>([
    ['a null among the options', { ...session, options: { cookie_transfer_scopes: null } }],
    ['a wrong type among the options', { ...session, options: scopes }],
    ['no options', { ...session, options: undefined }],
    ['nothing as documented', { session_id: null, tags: 'none', duration: '5 min', options: [] }],
    ['no object', 'odd'],
    ['nothing', null],
  ])('%s', async (_name, odd) => {
    const items = JSON.parse(JSON.stringify([session, odd, ended]))
    const { baseUrl } = await startStub(
      { body: items },
      { body: { next: null, previous: null, results: items } },
    )
    const { sessions, history } = createClient({ baseUrl, apiKey: 'k' })
    expect(await sessions.list()).toEqual(items)
    expect((await history.pages().next()).value).toMatchObject({ results: items })
  })

  test('the same goes for one object', async () => {
    const odd = { ...session, tags: null, options: { cookie_transfer_urls: 'all' }, pin: 42 }
    const { baseUrl } = await startStub({ body: odd })
    expect(await createClient({ baseUrl, apiKey: 'k' }).sessions.get('1')).toEqual(odd)
  })
})

describe('a webhook is switched', () => {
  test('by a replacement with the rest of what a get returns', async () => {
    const { baseUrl, arrivals } = await startStub({ body: webhook })
    const { webhooks } = createClient({ baseUrl, apiKey: 'k' })
    expect(await webhooks.setEnabled(3, false)).toEqual(webhook)
    expect(arrivals.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/webhooks/3/', undefined],
      ['PUT', '/webhooks/3/', { ...ofWebhook, enabled: false }],
    ])
  })

  test('but not where that lacks the address', async () => {
    const { baseUrl, arrivals } = await startStub({ body: { ...webhook, url: undefined } })
    const { webhooks } = createClient({ baseUrl, apiKey: 'k' })
    const failure = { name: 'ApiError', kind: 'malformed', detail: 'the body has no url' }
    await expect(webhooks.setEnabled(3, true)).rejects.toMatchObject(failure)
    await expect(webhooks.replace(3, await webhooks.get(3))).rejects.toThrow(TypeError)
    expect(arrivals.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })
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
    ['a list for a session', (api) => api.sessions.create(fromJavaScript([])), TypeError],
    ['a list for a body', (api) => api.options.replace(fromJavaScript([])), TypeError],
    ['a circle', (api) => api.options.change({ other: circle }), TypeError],
    ['a number that JSON can’t express', (api) => api.options.change({ other: { theme: 1n } }), TypeError],
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
