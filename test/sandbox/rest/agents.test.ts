import { describe, expect, it } from 'vitest'
import { openStandIn } from '../support/stand-in.ts'

const seed = {
  agentCount: 4,
  agents: [
    { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com', role: 'admin', last_login: 0 },
    { agent_name: 'Bo', agent_email: 'bo@example.com', available: false },
    { agent_name: 'Cy', agent_email: 'cy@example.com', online: false },
  ],
} as const
const { call } = await openStandIn({ seed })

const ada = {
  agent_id: 7,
  agent_name: 'Ada',
  agent_email: 'ada@example.com',
  last_login: '1970-01-01T00:00:00.000000Z',
  role: 'admin',
  available: true,
}
const dee = { username: 'Dee', agent_email: 'dee@example.com', password: 'secret' }

describe('agents', () => {
  it('are listed and read with every field', async () => {
    const list = await call('GET /agents/')
    expect(list.status).toBe(200)
    expect(list.json).toHaveLength(3)
    expect(list.json[0]).toEqual(ada)
    expect((await call('GET /agents/7/')).json).toEqual(ada)
  })

  it.each([
    ['', ['Ada', 'Bo', 'Cy']],
    ['?free=true', ['Ada']],
    ['?free=False', ['Bo', 'Cy']],
  ])('are listed by readiness: "%s"', async (query, names) => {
    const { json } = await call(`GET /agents/${query}`)
    expect(json.map((agent: { agent_name: string }) => agent.agent_name)).toEqual(names)
  })

  it.each([
    [undefined, 'agent'],
    ['manager', 'manager'],
  ])('are created with the role %s as %s, and their id is a string', async (role, expected) => {
    const created = await call('POST /agents/', { body: { ...dee, role } })
    expect(created).toMatchObject({ status: 200, json: { agent_id: '10' } })
    expect((await call('GET /agents/10/')).json).toMatchObject({
      agent_id: 10,
      agent_name: 'Dee',
      role: expected,
    })
  })

  it('are changed in the given fields, and returned with four fields', async () => {
    const changed = await call('PUT /agents/7/', { body: { available: false, role: 'agent' } })
    const { agent_name, agent_id, agent_email } = ada
    expect(changed.json).toEqual({ agent_name, agent_id, agent_email, available: false })
    expect((await call('GET /agents/7/')).json).toEqual({ ...ada, available: false, role: 'agent' })
  })

  it('are regular agents after a change that names no role', async () => {
    expect((await call('PUT /agents/7/', { body: { username: 'Ada L.', available: true } })).status).toBe(200)
    expect((await call('GET /agents/7/')).json).toEqual({ ...ada, agent_name: 'Ada L.', role: 'agent' })
  })

  it('are deleted with a confirmation', async () => {
    const deleted = await call('DELETE /agents/7/')
    expect(deleted).toMatchObject({ status: 200, json: { response: expect.any(String) } })
    expect((await call('GET /agents/7/')).status).toBe(404)
  })

  it.each([
    ['POST /agents/', {}, 400, ['agent_email', 'password', 'username']],
    ['POST /agents/', { ...dee, username: ' ' }, 400, ['username']],
    ['POST /agents/', { ...dee, username: 5 }, 400, ['username']],
    ['POST /agents/', { ...dee, agent_email: 'dee' }, 400, ['agent_email']],
    ['POST /agents/', { ...dee, agent_email: 'ADA@example.com' }, 400, ['agent_email']],
    ['POST /agents/', { ...dee, role: 'boss' }, 400, ['role']],
    ['POST /agents/', { ...dee, role: null }, 400, ['role']],
    ['POST /agents/', { ...dee, constructor: 1 }, 400, ['constructor']],
    ['POST /agents/', '{"__proto__":1}', 400, ['__proto__', 'agent_email', 'password', 'username']],
    ['POST /agents/', [], 400, ['body']],
    ['POST /agents/', '{', 400, ['body']],
    ['POST /agents/', Buffer.from([0x22, 0xff, 0x22]), 400, ['body']],
    ['PUT /agents/7/', { available: 'yes', role: 1 }, 400, ['available', 'role']],
    ['PUT /agents/7/', { agent_email: 'bo@example.com' }, 400, ['agent_email']],
    ['PUT /agents/99/', { available: true }, 404, ['agent_id']],
    ['GET /agents/?free=maybe', undefined, 400, ['free']],
    ['GET /agents/?free=true&free=false', undefined, 400, ['free']],
    ['GET /agents/0/', undefined, 404, ['agent_id']],
    ['GET /agents/7.0/', undefined, 404, ['agent_id']],
    ['GET /agents/%37/', undefined, 404, ['agent_id']],
    ['GET /agents/99999999999999999999/', undefined, 404, ['agent_id']],
    ['DELETE /agents/99/', undefined, 404, ['agent_id']],
  ])('refuse %s %j with %i and change nothing', async (what, body, status, fields) => {
    const before = (await call('GET /agents/')).json
    const refused = await call(what, { body })
    expect(refused.status).toBe(status)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
    expect(
      Object.values(refused.json.errors)
        .flat()
        .every((message) => typeof message === 'string'),
    ).toBe(true)
    expect((await call('GET /agents/')).json).toEqual(before)
  })

  it('are limited to the number that the account may have', async () => {
    expect((await call('POST /agents/', { body: dee })).status).toBe(200)
    const refused = await call('POST /agents/', { body: { ...dee, agent_email: 'eve@example.com' } })
    expect(refused).toMatchObject({ status: 400, json: { errors: { agent_count: [expect.any(String)] } } })
  })
})
