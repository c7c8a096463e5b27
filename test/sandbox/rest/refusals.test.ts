import { describe, expect, it } from 'vitest'
import { routes } from '../../../src/sandbox/rest/routes.ts'
import { openStandIn } from '../support/stand-in.ts'

const { call } = await openStandIn()
const fieldsOf = ({ json }: { readonly json: { readonly errors: object } }) => Object.keys(json.errors)

describe('the REST API', () => {
  it.each(
    routes
      .filter(({ credential }) => credential !== 'none')
      .map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`),
  )('requires a valid key for %s', async (what) => {
    for (const key of [null, '', 'demo-api-key2', 'DEMO-API-KEY']) {
      const refused = await call(what, { key, body: what.startsWith('GET') ? undefined : {} })
      expect(refused.status).toBe(401)
      expect(fieldsOf(refused)).toEqual(['api_key'])
    }
  })

  it('accepts the key under the other name too', async () => {
    expect((await call('GET /agents/?API_KEY=demo-api-key', { key: null })).status).toBe(200)
  })

  it.each([
    'GET /',
    'GET /agents',
    'GET /agents/1',
    'GET /agents//',
    'GET /agents/1/2/',
    'GET //agents/',
    'POST /company/',
    'GET /Agents/',
  ])('has nothing at %s', async (what) => {
    const refused = await call(what)
    expect(refused.status).toBe(404)
    expect(fieldsOf(refused)).toEqual(['path'])
  })

  it.each([
    'GET /agents/?fre=true',
    'GET /sessions/?activ_session=true',
    'GET /servers/?x=',
    'POST /agents/?free=true',
  ])('refuses a mistyped member of a query like one of a body: %s', async (what) => {
    const refused = await call(what, { body: what.startsWith('GET') ? undefined : { usernam: 'Ada' } })
    expect([refused.status, fieldsOf(refused)]).toEqual([400, [what.replace(/.*\?|=.*/g, '')]])
  })

  it.each([
    ['PATCH /agents/', 'GET, POST'],
    ['POST /agents/1/', 'GET, PUT, DELETE'],
    ['PUT /company/options/', 'GET, POST, PATCH, DELETE'],
    ['OPTIONS /servers/', 'GET'],
  ])('answers %s with the methods of the path', async (what, allow) => {
    const refused = await call(what)
    expect(refused.status).toBe(405)
    expect(refused.headers.allow).toBe(allow)
  })

  it.each([
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/x-www-form-urlencoded', 415],
  ])('accepts a body of the type %s: %i', async (type, status) => {
    const answer = await call('PATCH /company/options/', { body: {}, headers: { 'Content-Type': type } })
    expect(answer.status).toBe(status)
  })

  it('refuses a body over its limit and goes on', async () => {
    const refused = await call('PATCH /company/options/', { body: ' '.repeat(1024 * 1024 + 1) })
    expect(refused.status).toBe(413)
    expect(fieldsOf(refused)).toEqual(['body'])
    expect((await call('PATCH /company/options/', { body: `${' '.repeat(1024 * 1024 - 2)}{}` })).status).toBe(
      200,
    )
  })

  it.each([
    ['nested lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['nested objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a number alone', '1e999'],
    ['only a byte order mark', '\ufeff'],
  ])('survives %s', async (_name, body) => {
    expect((await call('POST /sessions/', { body })).status).toBe(400)
    expect((await call('GET /sessions/')).json).toEqual([])
  })

  it.each([
    ['tags=%zz', 200],
    ['tags=%00', 200],
    ['&&==&x', 400],
    ['agent_id=1&agent_id=1', 400],
    ['agent_id', 400],
  ])('survives the query %s with %i', async (query, status) => {
    expect((await call(`GET /sessions/?${query}`)).status).toBe(status)
  })

  it('allows no answer to be stored', async () => {
    for (const what of ['GET /agents/', 'GET /nothing/', 'DELETE /company/options/']) {
      expect((await call(what)).headers['cache-control']).toBe('no-store')
    }
  })
})
