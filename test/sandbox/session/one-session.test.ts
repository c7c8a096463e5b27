import { describe, expect, it } from 'vitest'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { SETTINGS, START } from '../state/a-visit.ts'
import { openFrozenStandIn } from '../support/stand-in.ts'
import { visitorOf } from '../support/visitor.ts'

const seed = {
  agents: [
    { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com' },
    { agent_id: 8, agent_name: 'Bo', agent_email: 'bo@example.com' },
  ],
  clients: [{ company_name: 'Client', rest_key: 'client-rest-key', widget_key: 'client-widget-key' }],
}
const account = demoAccount(SETTINGS)
const { sandbox, call, advance } = await openFrozenStandIn({ account, seed })
const { start, open, joinByPin } = visitorOf(sandbox.url, START)

const read = async (id: string) => (await call(`GET /sessions/${id}/`)).json

async function tokenOf(agentId: number, changed: object = {}): Promise<string> {
  const body = { agent_id: agentId, ...changed }
  return (await call('POST /agents/access-token/', { body })).json.agent_token
}

describe('a session that a widget starts is a session of the REST API', () => {
  it('belongs to the account of its widget key, and agents of others can’t join', async () => {
    const { session, pin } = await start({ widgetKey: 'client-widget-key' })
    expect((await call('GET /sessions/')).json).toEqual([])
    const { json } = await call('GET /sessions/', { key: 'client-rest-key' })
    expect(json.map(({ id }: { id: string }) => id)).toEqual([session])
    expect((await joinByPin({ pin, agent_token: await tokenOf(7) })).status).toBe(403)
  })
})

describe('an agent joins', () => {
  it.each<[string, Readonly<Record<string, string>>, number, string]>([
    ['no such PIN', { pin: 'other' }, 404, 'There is no such session'],
    ['no digits', { pin: 'abcd' }, 400, 'A PIN has four digits'],
    ['no PIN', {}, 400, 'A PIN has four digits'],
    ['an unknown token', { pin: 'right', agent_token: 'guessed' }, 403, 'The agent token is not'],
  ])('is refused with %s', async (_name, asked, status, line) => {
    const { session, pin } = await start()
    const named = { ...asked, ...(asked.pin === 'right' ? { pin } : {}) }
    const body = asked.pin === 'other' ? { pin: pin === '0000' ? '0001' : '0000' } : named
    const answer = await joinByPin(body)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(`role="alert">${line}`)
    expect(await read(session)).toMatchObject({ participant_num: 1, agent_id: null })
  })

  it.each([
    ['one that was replaced', async () => void (await tokenOf(7, { force_new: true }))],
    ['an expired one', () => advance(86_400)],
    ['one of an agent who was deleted', async () => void (await call('DELETE /agents/7/'))],
  ])('is refused with a token that is %s', async (_name, spoil) => {
    const token = await tokenOf(7)
    await spoil()
    const { pin, leader_link } = await start()
    expect((await joinByPin({ pin, agent_token: token })).status).toBe(403)
    expect((await open(`${leader_link}?agent_token=${token}`)).status).toBe(403)
  })
})
