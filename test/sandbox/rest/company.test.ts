import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { ask } from '../support/ask.ts'
import { callsOf } from '../support/call.ts'
import { openStandIn } from '../support/stand-in.ts'

const hook = {
  url: 'https://hooks.example.com/in',
  category: 'session.started',
  enabled: true,
  ssl_verification: true,
}
const first = {
  company_name: 'First',
  client_key: 'first-key',
  rest_key: 'first-rest-key',
  widget_key: 'first-widget-key',
  agent_count: 3,
  domains: '*.example.com',
}
const seed = {
  pageSize: 2,
  plan: 'small',
  plans: { small: { videochat: false } },
  settings: { white_label: true },
  webhooks: [hook, { ...hook, enabled: false }, { ...hook, category: 'other' }],
  clients: [first],
  servers: [{ id: 'own', region: 'test', description: 'Own', ips: '192.0.2.1' }],
} as const
const { sandbox, call } = await openStandIn({ seed })
const options = async (key = 'demo-api-key') => (await call('GET /company/options/', { key })).json

describe('the default options', () => {
  it('are replaced by POST, which resets what is missing', async () => {
    await call('PATCH /company/options/', { body: { start_muted: true } })
    const replaced = await call('POST /company/options/', { body: { ui_off: true, videochat: true } })
    const kept = { ui_off: true, start_muted: false, white_label: false, cookie_transfer_proxying: false }
    expect(replaced).toMatchObject({ status: 200, json: { ...kept, videochat: true } })
    expect(await options()).toMatchObject({ ...kept, videochat: false })
  })

  it('are changed by PATCH where it says so, a name of the other set included', async () => {
    await call('PATCH /company/options/', { body: { ui_off: true, start_muted: true } })
    const changed = await call('PATCH /company/options/', { body: { hide_session_ui: false } })
    const kept = { ui_off: false, hide_session_ui: false, start_muted: true, white_label: true }
    expect(changed).toMatchObject({ status: 200, json: kept })
    expect(await options()).toMatchObject(kept)
    expect((await call('PATCH /company/options/')).json).toEqual(changed.json)
  })
})

describe('clients', () => {
  const read = { ...first, company_plan_name: 'client_enterprise' }

  it.each(['all', 'demo-reseller-key'])('are listed and read under %s', async (segment) => {
    expect(await call(`GET /clients/${segment}/`)).toMatchObject({ status: 200, json: [read] })
    expect((await call(`GET /clients/${segment}/first-key/`)).json).toEqual(read)
  })

  it('are created with their own keys, which work at once', async () => {
    const created = (await call('POST /clients/all/', { body: { company_name: 'Second' } })).json
    expect(new Set(Object.values(created)).size).toBe(4)
    expect((await call('GET /agents/', { key: created.rest_key })).status).toBe(200)
    const headers = { 'X-Widget-Key': created.widget_key }
    const seen = JSON.parse((await ask(sandbox.url, '/service_cookie_transfer/x', { headers })).text)
    expect(seen.received.widgetKey).toEqual({ lines: 1, known: true })
    expect((await call('GET /clients/all/')).json).toHaveLength(2)
  })

  it('are deleted with their keys and sessions', async () => {
    const body = { url: 'https://www.example.com/' }
    const { leader_link } = (await call('POST /sessions/', { body, key: first.rest_key })).json
    expect((await call('DELETE /clients/all/first-key/')).status).toBe(200)
    expect((await call('GET /clients/all/')).json).toEqual([])
    expect((await call('GET /agents/', { key: first.rest_key })).status).toBe(401)
    expect((await ask(sandbox.url, new URL(leader_link).pathname)).status).toBe(404)
  })
})

describe('webhooks', () => {
  it('are listed page by page with their number', async () => {
    const next = `${sandbox.url}/v2/webhooks/?api_key=demo-api-key&page=2`
    const page = { count: 3, next, previous: null, results: [{ id: 1 }, { id: 2 }] }
    expect((await call('GET /webhooks/')).json).toMatchObject(page)
    const last = (await call('GET /webhooks/?page=2')).json
    expect(last).toMatchObject({ count: 3, next: null, results: [{ id: 3 }] })
  })

  it('are those of one company only', async () => {
    const key = first.rest_key
    const none = { count: 0, next: null, previous: null, results: [] }
    expect((await call('GET /webhooks/', { key })).json).toEqual(none)
    expect((await call('DELETE /webhooks/1/', { key })).status).toBe(404)
  })
})

it('servers are those of the seed, the first of which serves the sessions; by default there are some', async () => {
  for (const key of [null, 'unknown'])
    expect((await call('GET /servers/', { key })).json).toEqual(seed.servers)
  const created = await call('POST /sessions/', { body: { url: 'https://www.example.com/' } })
  expect(created.json.cobro_server_name).toBe('own')
  const other = await openForTest(startSandbox())
  expect((await callsOf(other.url)('GET /servers/', { key: null })).json.length).toBeGreaterThan(0)
})
