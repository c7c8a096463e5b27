import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { parseSeed } from '../../../src/sandbox/state/parse-seed.ts'
import { callsOf } from '../support/call.ts'

const agent = { agent_name: 'Ada', agent_email: 'ada@example.com' }
const session = { start_url: 'https://www.example.com/', start_time: '2030-01-01T00:00:00Z' }
const whole = {
  apiKey: 'own-api-key',
  widgetKey: 'own-widget-key',
  resellerKey: 'own-reseller-key',
  plan: 'small',
  settings: { cookie_transfer_urls: ['https://www.example.com/service_cookie_transfer/'] },
  agents: [
    { ...agent, agent_id: 5, role: 'admin', available: true, online: false, last_login: '2030-01-01' },
  ],
  sessions: [{ ...session, duration: 5, agent_id: 5, tags: ['a'], options: { hide_session_ui: true } }],
  webhooks: [
    { url: 'https://hooks.example.com/', category: 'session.started', enabled: true, ssl_verification: true },
  ],
  clients: [{ company_name: 'Client', client_key: 'c', rest_key: 'r', widget_key: 'w', agents: [agent] }],
  servers: [{ id: 's', region: 'eu', description: 'Own', ips: '192.0.2.1' }],
  plans: { small: { videochat: false } },
  optionNames: 'b',
  pageSize: 5,
}

const placesOf = (value: unknown) => {
  const parsed = parseSeed(value)
  return 'faults' in parsed ? parsed.faults.map(({ path }) => path.join('/')) : []
}

describe('parseSeed', () => {
  it.each([
    ['nothing', {}],
    ['everything', whole],
  ])('takes %s', (_name, value) => {
    expect(parseSeed(value)).toHaveProperty('value')
  })

  it.each([
    [[], ['']],
    [{ api_key: 'x' }, ['api_key']],
    [{ apiKey: '', widgetKey: 5, pageSize: 0 }, ['apiKey', 'widgetKey', 'pageSize']],
    [{ settings: { uioff: true } }, ['settings/uioff']],
    [{ settings: { ui_off: true, hide_session_ui: false } }, ['settings/hide_session_ui']],
    [{ plans: { p: { show_cursors: true, hide_cursors: true } } }, ['plans/p/hide_cursors']],
    [
      { sessions: [{ ...session, options: { ui_off: true, hide_session_ui: false } }] },
      ['sessions/0/options/hide_session_ui'],
    ],
    [{ clients: [{ client_key: 'c' }] }, ['clients/0/company_name']],
  ])('names every place of %j', (value, places) => {
    expect(placesOf(value)).toEqual(places)
  })
})

describe('a seeded stand-in', () => {
  const parsed = parseSeed(whole)
  if ('faults' in parsed) throw new Error('the seed of this test is faulty')
  const started = startSandbox({ seed: parsed.value })
  afterAll(async () => (await started).close())

  it('has what the seed says', async () => {
    const { url, account } = await started
    const call = callsOf(url)
    const key = 'own-api-key'
    expect(account).toMatchObject({ apiKey: key, widgetKey: 'own-widget-key' })
    expect((await call('GET /agents/', { key })).json).toMatchObject([{ agent_id: 5, role: 'admin' }])
    expect((await call('GET /history/', { key })).json.results).toMatchObject([
      { duration: 5, agent_id: 5, tags: ['a'], options: { hide_session_ui: true, videochat: false } },
    ])
    expect((await call('GET /webhooks/', { key })).json.count).toBe(1)
    expect((await call('GET /clients/own-reseller-key/', { key })).json).toMatchObject([{ client_key: 'c' }])
    expect((await call('GET /agents/', { key: 'r' })).json).toMatchObject([{ agent_id: 6 }])
  })
})
