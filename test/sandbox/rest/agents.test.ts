import { describe, expect, it } from 'vitest'
import { openFrozenStandIn, START } from '../support/stand-in.ts'

const ada = { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com', role: 'manager' } as const
const { call, advance } = await openFrozenStandIn({
  seed: {
    agents: [
      { ...ada, last_login: 0 },
      { agent_name: 'Bo', agent_email: 'bo@example.com' },
    ],
  },
})

describe('an access token', () => {
  const generate = async (body: unknown) => (await call('POST /agents/access-token/', { body })).json
  /** Whether its agent may join a session. */
  const isActive = async (agent_token: string) => {
    const { follower_link } = (await call('POST /sessions/', { body: { url: 'https://www.example.com/' } }))
      .json
    const joined = await fetch(`${follower_link}?agent_token=${agent_token}`, { redirect: 'manual' })
    return joined.status === 303
  }

  it('of an existing agent is valid for a day from its creation', async () => {
    const { agent_token, ...rest } = await generate({ agent_id: 7 })
    expect(agent_token).toMatch(/^[0-9a-z]{32}$/)
    expect(rest).toEqual({ user_created: false, expires_in: 86_400, agent_id: 7, agent_role: 'manager' })
    expect((await call('GET /agents/7/')).json.last_login).toBe(START)
    await advance(86_399.999)
    expect(await isActive(agent_token)).toBe(true)
    await advance(0.001)
    expect(await isActive(agent_token)).toBe(false)
  })

  it('stays, with less time left, and is renewed at once when forced', async () => {
    const first = await generate({ agent_id: 7 })
    await advance(60)
    expect(await generate({ agent_id: 7 })).toEqual({ ...first, expires_in: 86_340 })
    const forced = await generate({ agent_id: 7, force_new: true })
    expect(forced.expires_in).toBe(86_400)
    expect([await isActive(first.agent_token), await isActive(forced.agent_token)]).toEqual([false, true])
  })

  it('creates the agent of an unknown address, and ignores the role of a known one', async () => {
    const asked = { email: 'new@example.com', name: 'New' }
    const created = { agent_id: 9, agent_role: 'admin' }
    expect(await generate({ ...asked, role: 'admin' })).toMatchObject({ ...created, user_created: true })
    expect(await generate({ ...asked, role: 'manager' })).toMatchObject({ ...created, user_created: false })
    const third = await generate({ email: 'third@example.com', name: 'Third' })
    expect(third).toMatchObject({ agent_role: 'agent' })
  })
})
