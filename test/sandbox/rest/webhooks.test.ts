import { describe, expect, it } from 'vitest'
import { openStandIn } from '../support/stand-in.ts'

const hook = {
  url: 'https://hooks.example.com/in',
  category: 'session.started',
  enabled: true,
  ssl_verification: true,
}
const seed = {
  pageSize: 2,
  webhooks: [hook, { ...hook, enabled: false }, { ...hook, category: 'other' }],
  clients: [{ company_name: 'Client', rest_key: 'client-rest-key' }],
} as const
const { sandbox, call } = await openStandIn({ seed })

describe('webhooks', () => {
  it('are created with 201, read, replaced with 200 and deleted with 204', async () => {
    const created = await call('POST /webhooks/', { body: hook })
    expect(created).toMatchObject({ status: 201, json: { ...hook, id: 4, company_id: 1 } })
    expect(await call('GET /webhooks/4/')).toMatchObject({ status: 200, json: created.json })
    const body = { ...hook, enabled: false, url: 'http://other.example.com/' }
    const replaced = await call('PUT /webhooks/4/', { body })
    expect(replaced).toMatchObject({ status: 200, json: { ...body, id: 4, company_id: 1 } })
    expect((await call('GET /webhooks/4/')).json).toEqual(replaced.json)
    expect(await call('DELETE /webhooks/4/')).toMatchObject({ status: 204, text: '' })
    expect((await call('GET /webhooks/4/')).status).toBe(404)
  })

  it('are listed page by page with their number', async () => {
    const first = (await call('GET /webhooks/')).json
    expect(first).toMatchObject({
      count: 3,
      next: `${sandbox.url}/v2/webhooks/?api_key=demo-api-key&page=2`,
      previous: null,
      results: [{ id: 1 }, { id: 2 }],
    })
    expect((await call('GET /webhooks/?page=2')).json).toMatchObject({
      count: 3,
      next: null,
      results: [{ id: 3 }],
    })
  })

  it('are those of one company only', async () => {
    const key = 'client-rest-key'
    expect((await call('GET /webhooks/', { key })).json).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    })
    expect((await call('GET /webhooks/1/', { key })).status).toBe(404)
    expect((await call('DELETE /webhooks/1/', { key })).status).toBe(404)
  })

  it.each([
    ['POST /webhooks/', {}, 400, ['category', 'enabled', 'ssl_verification', 'url']],
    ['POST /webhooks/', { ...hook, url: 'hooks.example.com' }, 400, ['url']],
    ['POST /webhooks/', { ...hook, url: 'javascript:alert(1)' }, 400, ['url']],
    ['POST /webhooks/', { ...hook, category: '' }, 400, ['category']],
    [
      'POST /webhooks/',
      { ...hook, enabled: 1, ssl_verification: 'no' },
      400,
      ['enabled', 'ssl_verification'],
    ],
    ['PUT /webhooks/1/', { enabled: false }, 400, ['category', 'ssl_verification', 'url']],
    ['PUT /webhooks/1/', { ...hook, id: 1 }, 400, ['id']],
    ['PUT /webhooks/99/', hook, 404, ['webhook_id']],
    ['GET /webhooks/x/', undefined, 404, ['webhook_id']],
    ['DELETE /webhooks/99/', undefined, 404, ['webhook_id']],
    ['GET /webhooks/?page=3', undefined, 404, ['page']],
    ['GET /webhooks/?page=-1', undefined, 400, ['page']],
  ])('refuse %s %j with %i and stay as they are', async (what, body, status, fields) => {
    const before = [(await call('GET /webhooks/')).json, (await call('GET /webhooks/?page=2')).json]
    const refused = await call(what, { body })
    expect(refused.status).toBe(status)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
    expect([(await call('GET /webhooks/')).json, (await call('GET /webhooks/?page=2')).json]).toEqual(before)
  })
})
