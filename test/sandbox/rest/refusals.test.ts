import { describe, expect, it } from 'vitest'
import { routes } from '../../../src/sandbox/rest/answer-rest.ts'
import { openStandIn } from '../support/stand-in.ts'

const url = 'https://www.example.com/'
const hook = { url, category: 'session.started', enabled: true, ssl_verification: true }
const point = `${url}service_cookie_transfer/`
const scope = { name: 'sid', domain: '.example.com', path: '/', httponly: true }
const dee = { username: 'Dee', agent_email: 'dee@example.com', password: 'secret' }
const seed = {
  agents: [
    { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com' },
    { agent_id: 8, agent_name: 'Bo', agent_email: 'bo@example.com' },
  ],
  sessions: [{ start_url: url, start_time: Date.UTC(2029, 0, 1), duration: 1 }],
  webhooks: [hook],
  clients: [{ company_name: 'First', client_key: 'first-key', rest_key: 'first-rest-key' }],
}
const { call } = await openStandIn({ seed })
const fieldsOf = ({ json }: { readonly json: { readonly errors: object } }) => Object.keys(json.errors).sort()

/** Everything that a call could have changed. */
async function readAll() {
  const paths = ['/agents/', '/clients/all/', '/sessions/', '/company/options/', '/webhooks/']
  return Promise.all(paths.map(async (path) => (await call(`GET ${path}`)).json))
}

describe('the REST API', () => {
  // Missing fields, and fields of another type, are in statements.test.ts.
  it.each([
    ['POST /agents/', { ...dee, username: ' ' }, 400, ['username']],
    ['POST /agents/', { ...dee, agent_email: 'ADA@example.com' }, 400, ['agent_email']],
    ['POST /agents/', { ...dee, role: null }, 400, ['role']],
    ['POST /agents/', { ...dee, constructor: 1 }, 400, ['constructor']],
    ['POST /agents/', '{"__proto__":1}', 400, ['__proto__', 'agent_email', 'password', 'username']],
    ['POST /agents/', [], 400, ['body']],
    ['POST /agents/', '{', 400, ['body']],
    ['POST /agents/', Buffer.from([0x22, 0xff, 0x22]), 400, ['body']],
    ['PUT /agents/7/', { agent_email: 'bo@example.com' }, 400, ['agent_email']],
    ['GET /agents/?free=true&free=false', undefined, 400, ['free']],
    ['GET /agents/99999999999999999999/', undefined, 404, ['agent_id']],
    ['DELETE /agents/99/', undefined, 404, ['agent_id']],
    ['POST /agents/access-token/', { agent_id: 99 }, 404, ['agent_id']],
    ['POST /agents/access-token/', {}, 400, ['email', 'name']],
    ['POST /sessions/', { url: 'ftp://example.com/' }, 400, ['url']],
    ['POST /sessions/', { url, tags: ['a', 2] }, 400, ['tags']],
    ['POST /sessions/', { url, ui_off: true, hide_session_ui: false }, 400, ['hide_session_ui']],
    ['POST /sessions/', { url, widget_key: 'other' }, 400, ['widget_key']],
    ['POST /sessions/unknown/end/', { why: 1 }, 400, ['why']],
    ['GET /sessions/123-456-78/', undefined, 404, ['session_id']],
    ['GET /sessions/?clientkey=unknown', undefined, 404, ['clientkey']],
    ['POST /sessions/0/screenshots/create/', { size: 0, interval: 5.5 }, 400, ['interval', 'size']],
    ['PATCH /company/options/', { ui_off: null }, 400, ['ui_off']],
    ['PATCH /company/options/', { allowlist: '{}' }, 400, ['allowlist']],
    ['PATCH /company/options/', { widget_key: 5 }, 400, ['widget_key']],
    ['PATCH /company/options/', { cookie_transfer_urls: [point, '/x'] }, 400, ['cookie_transfer_urls']],
    [
      'PATCH /company/options/',
      { cookie_transfer_scopes: [{ ...scope, secure: true }] },
      400,
      ['cookie_transfer_scopes'],
    ],
    ['POST /company/options/', { show_cursors: true, hide_cursors: true }, 400, ['hide_cursors']],
    ['POST /clients/all/', { company_name: 'X', domains: 'a b' }, 400, ['domains']],
    ['POST /clients/all/first-key/', { domains: 'https://example.com' }, 400, ['domains']],
    ['DELETE /clients/all/other/', undefined, 404, ['client_key']],
    ['POST /clients/other/', { company_name: 'X' }, 404, ['reseller_key']],
    ['GET /history/?min_duration=-1&max_duration=x', undefined, 400, ['max_duration', 'min_duration']],
    ['GET /history/?max_date=2029-01-03T02:00:00+02:00', undefined, 400, ['max_date']],
    ['GET /history/?page=2', undefined, 404, ['page']],
    ['PUT /webhooks/1/', { ...hook, id: 1 }, 400, ['id']],
    ['DELETE /webhooks/99/', undefined, 404, ['webhook_id']],
  ])('refuses %s %j with %i, and changes nothing', async (what, body, status, fields) => {
    const before = await readAll()
    const refused = await call(what, { body })
    expect([refused.status, fieldsOf(refused)]).toEqual([status, fields])
    const messages: unknown[] = Object.values(refused.json.errors)
    expect(messages.flat().every((message) => typeof message === 'string')).toBe(true)
    expect(await readAll()).toEqual(before)
  })

  it.each(
    routes
      .filter(({ credential }) => credential !== 'none')
      .map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`),
  )('requires a valid key for %s', async (what) => {
    const isReading = what === 'GET /company/options/'
    for (const key of [
      null,
      '',
      'demo-api-key2',
      'DEMO-API-KEY',
      ...(isReading ? [] : ['demo-widget-key']),
    ]) {
      const refused = await call(what, { key, body: what.startsWith('GET') ? undefined : {} })
      expect([refused.status, fieldsOf(refused)]).toEqual([401, ['api_key']])
    }
  })

  it.each(routes.filter(({ credential }) => credential === 'reseller-key'))(
    'is for resellers only: $method $path',
    async ({ method, path }) => {
      const what = `${method} ${path.replace('{RESELLER}', 'all').replace('{CLIENT_KEY}', 'first-key')}`
      const refused = await call(what, { key: 'first-rest-key', body: method === 'GET' ? undefined : {} })
      expect([refused.status, fieldsOf(refused)]).toEqual([403, ['api_key']])
    },
  )

  it.each([
    'GET /',
    'GET /agents',
    'GET /agents//',
    'GET /agents/1/2/',
    'GET //agents/',
    'POST /company/',
    'GET /Agents/',
  ])('has nothing at %s', async (what) => {
    const refused = await call(what)
    expect([refused.status, fieldsOf(refused)]).toEqual([404, ['path']])
  })

  it.each([
    ['PATCH /agents/', 'GET, POST'],
    ['POST /agents/1/', 'GET, PUT, DELETE'],
    ['PUT /company/options/', 'GET, POST, PATCH, DELETE'],
    ['OPTIONS /servers/', 'GET'],
  ])('answers %s with the methods of the path', async (what, allow) => {
    const refused = await call(what)
    expect([refused.status, refused.headers.allow]).toEqual([405, allow])
  })

  it.each([
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['text/plain', 415],
    ['application/jsonp', 415],
  ])('accepts a body of the type %s: %i', async (type, status) => {
    const answer = await call('PATCH /company/options/', { body: {}, headers: { 'Content-Type': type } })
    expect(answer.status).toBe(status)
  })

  it('refuses a body over its limit and goes on', async () => {
    const refused = await call('PATCH /company/options/', { body: ' '.repeat(1024 * 1024 + 1) })
    expect([refused.status, fieldsOf(refused)]).toEqual([413, ['body']])
    const body = `${' '.repeat(1024 * 1024 - 2)}{}`
    expect((await call('PATCH /company/options/', { body })).status).toBe(200)
  })

  it.each([
    ['nested lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['nested objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a number alone', '1e999'],
    ['only a byte order mark', '\ufeff'],
  ])('survives %s', async (_name, body) => {
    expect((await call('POST /sessions/', { body })).status).toBe(400)
    expect((await call('GET /sessions/')).json).toHaveLength(1)
  })

  it('allows no answer to be stored', async () => {
    for (const what of ['GET /agents/', 'GET /nothing/', 'DELETE /company/options/'])
      expect((await call(what)).headers['cache-control']).toBe('no-store')
  })
})
