import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { openStandIn } from '../support/stand-in.ts'

const seed = {
  clients: [
    {
      company_name: 'First',
      client_key: 'first-key',
      rest_key: 'first-rest-key',
      widget_key: 'first-widget-key',
      agent_count: 3,
      domains: '*.example.com',
    },
  ],
} as const
const { sandbox, call } = await openStandIn({ seed })

const first = {
  company_name: 'First',
  company_plan_name: 'client_enterprise',
  client_key: 'first-key',
  agent_count: 3,
  widget_key: 'first-widget-key',
  rest_key: 'first-rest-key',
  domains: '*.example.com',
}

describe('clients', () => {
  it.each(['all', 'demo-reseller-key'])('are listed and read under %s', async (segment) => {
    expect(await call(`GET /clients/${segment}/`)).toMatchObject({ status: 200, json: [first] })
    expect((await call(`GET /clients/${segment}/first-key/`)).json).toEqual(first)
  })

  it('are created with their own keys, which work at once', async () => {
    const created = await call('POST /clients/all/', {
      body: { company_name: 'Second', agent_email: 'a@example.com', agent_name: 'A', agent_password: 'p' },
    })
    const { client_key, rest_key, widget_key } = created.json
    expect(created.status).toBe(200)
    expect(Object.keys(created.json).sort()).toEqual(['client_key', 'company_name', 'rest_key', 'widget_key'])
    expect(new Set([client_key, rest_key, widget_key]).size).toBe(3)
    expect((await call('GET /agents/', { key: rest_key })).json).toMatchObject([
      { agent_name: 'A', agent_email: 'a@example.com', role: 'admin' },
    ])
    const headers = { 'X-Widget-Key': widget_key }
    const seen = JSON.parse((await ask(sandbox.url, '/service_cookie_transfer/x', { headers })).text)
    expect(seen.received.widgetKey).toEqual({ lines: 1, known: true })
    expect((await call('GET /clients/all/')).json).toHaveLength(2)
  })

  it('accept domains', async () => {
    const body = { domains: 'shop.example.com, *.example.org,*' }
    expect(await call('POST /clients/all/first-key/', { body })).toMatchObject({ status: 200, json: body })
    expect((await call('GET /clients/all/first-key/')).json).toEqual({ ...first, ...body })
  })

  it('are changed in the given fields', async () => {
    const changed = await call('PUT /clients/all/first-key/', { body: { company_name: 'Renamed' } })
    expect(changed.json).toEqual({ agent_count: 3, company_name: 'Renamed', client_key: 'first-key' })
    expect((await call('GET /clients/all/first-key/')).json).toEqual({ ...first, company_name: 'Renamed' })
  })

  it('get the limits of another plan when they change it', async () => {
    const key = 'first-rest-key'
    expect((await call('GET /company/options/', { key })).json.videochat).toBe(true)
    await call('PUT /clients/all/first-key/', { body: { company_plan_name: 'client_basic' } })
    expect((await call('GET /company/options/', { key })).json.videochat).toBe(false)
  })

  it('are deleted with their keys', async () => {
    const deleted = await call('DELETE /clients/all/first-key/')
    expect(deleted).toMatchObject({ status: 200, json: { response: expect.any(String) } })
    expect((await call('GET /clients/all/')).json).toEqual([])
    expect((await call('GET /agents/', { key: 'first-rest-key' })).status).toBe(401)
  })

  it.each([
    ['GET /clients/all/', undefined],
    ['POST /clients/all/', { company_name: 'X' }],
    ['DELETE /clients/all/first-key/', undefined],
  ])('are for resellers only: %s', async (what, body) => {
    expect(await call(what, { body, key: 'first-rest-key' })).toMatchObject({
      status: 403,
      json: { errors: { api_key: [expect.any(String)] } },
    })
  })

  it.each([
    ['POST /clients/all/', {}, 400, ['company_name']],
    [
      'POST /clients/all/',
      { company_name: 'X', agent_email: 'x', domains: 'a b' },
      400,
      ['agent_email', 'domains'],
    ],
    ['POST /clients/all/', { company_name: 'X', company_plan_name: 5 }, 400, ['company_plan_name']],
    ['POST /clients/all/first-key/', {}, 400, ['domains']],
    ['POST /clients/all/first-key/', { domains: 'https://example.com' }, 400, ['domains']],
    ['PUT /clients/all/first-key/', { company_name: '' }, 400, ['company_name']],
    ['PUT /clients/all/other/', { company_name: 'X' }, 404, ['client_key']],
    ['GET /clients/all/other/', undefined, 404, ['client_key']],
    ['POST /clients/all/other/', { domains: '*' }, 404, ['client_key']],
    ['DELETE /clients/all/other/', undefined, 404, ['client_key']],
    ['GET /clients/other/', undefined, 404, ['reseller_key']],
    ['POST /clients/other/', { company_name: 'X' }, 404, ['reseller_key']],
    ['GET /clients/other/first-key/', undefined, 404, ['reseller_key']],
  ])('refuse %s %j with %i and stay as they are', async (what, body, status, fields) => {
    const refused = await call(what, { body })
    expect(refused.status).toBe(status)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
    expect((await call('GET /clients/all/')).json).toEqual([first])
  })
})
