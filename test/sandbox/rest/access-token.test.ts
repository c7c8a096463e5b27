import { beforeEach, describe, expect, it } from 'vitest'
import { openStandIn } from '../support/stand-in.ts'

const seed = { agents: [{ agent_name: 'Ada', agent_email: 'ada@example.com', role: 'manager' }] } as const
const { call } = await openStandIn({ seed })
const START = '2030-01-01T00:00:00.000000Z'
beforeEach(async () => {
  await call('POST /_sandbox/clock', { body: { now: START, frozen: true } })
})

const generate = async (body: unknown) => (await call('POST /agents/access-token/', { body })).json
const isActive = async (agent_token: string) =>
  (await call('POST /_sandbox/agent-token', { body: { agent_token } })).json.active

describe('an access token', () => {
  it('of an existing agent is valid for a day from its creation', async () => {
    expect(await generate({ agent_id: 1 })).toEqual({
      user_created: false,
      agent_token: expect.stringMatching(/^[0-9a-z]{32}$/),
      expires_in: 86_400,
      agent_id: 1,
      agent_role: 'manager',
    })
    expect((await call('GET /agents/1/')).json.last_login).toBe(START)
  })

  it.each([
    ['stays', 60, false, { expires_in: 86_340, isSame: true }],
    ['stays with exactly five minutes left', 86_100, undefined, { expires_in: 300, isSame: true }],
    ['is renewed with less than five minutes left', 86_101, false, { expires_in: 86_400, isSame: false }],
    ['is renewed after its end', 90_000, undefined, { expires_in: 86_400, isSame: false }],
    ['is renewed at once when forced', 0, true, { expires_in: 86_400, isSame: false }],
  ])('%s: after %i s with force_new %s', async (_name, seconds, force_new, expected) => {
    const first = await generate({ agent_id: 1 })
    await call('POST /_sandbox/clock', { body: { advanceMs: seconds * 1000 } })
    const second = await generate({ agent_id: 1, force_new })
    expect(second.expires_in).toBe(expected.expires_in)
    expect(second.agent_token === first.agent_token).toBe(expected.isSame)
    expect([await isActive(first.agent_token), await isActive(second.agent_token)]).toEqual([
      expected.isSame,
      true,
    ])
  })

  it('expires after its day', async () => {
    const { agent_token } = await generate({ agent_id: 1 })
    await call('POST /_sandbox/clock', { body: { advanceMs: 86_400_000 } })
    expect(await isActive(agent_token)).toBe(false)
  })

  it('creates the agent of an unknown address, and ignores the role of a known one', async () => {
    const asked = { email: 'new@example.com', name: 'New' }
    expect(await generate({ ...asked, role: 'admin' })).toMatchObject({
      user_created: true,
      agent_id: 2,
      agent_role: 'admin',
    })
    expect(await generate({ ...asked, role: 'manager' })).toMatchObject({
      user_created: false,
      agent_id: 2,
      agent_role: 'admin',
    })
    expect(await generate({ email: 'third@example.com', name: 'Third' })).toMatchObject({
      agent_role: 'agent',
    })
  })

  it.each([
    [{ agent_id: 99 }, 404, ['agent_id']],
    [{ agent_id: '1' }, 400, ['agent_id']],
    [{ agent_id: 0 }, 400, ['agent_id']],
    [{}, 400, ['email', 'name']],
    [{ email: 'x@example.com' }, 400, ['name']],
    [{ name: 'X' }, 400, ['email']],
    [{ email: 'x', name: '' }, 400, ['email', 'name']],
    [{ agent_id: 1, role: 'boss' }, 400, ['role']],
    [{ agent_id: 1, force_new: 'true' }, 400, ['force_new']],
  ])('is refused for %j with %i', async (body, status, fields) => {
    const { agent_token } = await generate({ agent_id: 1 })
    const refused = await call('POST /agents/access-token/', { body })
    expect(refused.status).toBe(status)
    expect(Object.keys(refused.json.errors).sort()).toEqual(fields)
    expect(await isActive(agent_token)).toBe(true)
    expect((await call('GET /agents/')).json).toHaveLength(1)
  })
})
