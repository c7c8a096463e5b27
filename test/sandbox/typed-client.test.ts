import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { openStandIn } from './support/stand-in.ts'

/** The client and the stand-in share no type: each was written from the documentation, and here they are compared. */
const seed = {
  pageSize: 2,
  agents: [{ agent_name: 'Ada', agent_email: 'ada@example.com' }],
  clients: [{ company_name: 'Client', client_key: 'client-key', rest_key: 'client-rest-key' }],
} as const
const { sandbox, call } = await openStandIn({ seed })
const client = createClient({
  baseUrl: `${sandbox.url}/v2`,
  apiKey: 'demo-api-key',
  retries: 0,
  pacing: 'fail',
})
const url = 'https://www.example.com/'

describe('the typed client understands the stand-in', () => {
  it('in agents and tokens', async () => {
    const created = await client.agents.create({
      username: 'Bo',
      agent_email: 'bo@example.com',
      password: 'secret',
      role: 'manager',
    })
    const { agent_id } = created
    expect(await client.agents.get(agent_id)).toMatchObject({ agent_name: 'Bo', role: 'manager' })
    expect(await client.agents.update(agent_id, { available: false })).toMatchObject({ available: false })
    expect(await client.agents.list({ free: true })).toMatchObject([{ agent_name: 'Ada' }])
    expect(await client.agents.createAccessToken({ agent_id: 1 })).toMatchObject({ agent_id: 1 })
    await client.agents.delete(agent_id)
    await expect(client.agents.get(agent_id)).rejects.toMatchObject({
      kind: 'not-found',
      status: 404,
      fieldErrors: { agent_id: [expect.any(String)] },
    })
  })

  it('in sessions, their screenshots and their history', async () => {
    const sessions = []
    for (const tags of [['a'], ['a', 'b'], []]) {
      sessions.push(await client.sessions.create({ url, tags, hide_session_ui: true }))
    }
    const [first, second, third] = sessions.map(({ id }) => id)
    expect(await client.sessions.get(sessions[0]?.formatted_id ?? '')).toMatchObject({ id: first })
    expect(await client.screenshots.create(first ?? '', { size: 100, interval: 1 })).toBe(
      'GENERATION-STARTED',
    )
    expect(await client.screenshots.latest(first ?? '')).toMatchObject({ url: expect.any(String) })
    expect(await client.sessions.end(second ?? '')).toMatchObject({ duration: expect.any(Number) })
    expect(await client.sessions.list({ active_session: false, tags: ['a'] })).toMatchObject([{ id: second }])
    const history = []
    for await (const { id } of client.history.list({})) history.push(id)
    expect(history.sort()).toEqual([first, second, third].sort())
  })

  it('in options', async () => {
    await client.options.change({ cookie_transfer_proxying: true, hidden: true })
    expect(await client.options.get({ widgetKey: 'demo-widget-key' })).toMatchObject({ hidden: true })
    await client.options.replace({ start_muted: true })
    expect(await client.options.get()).toMatchObject({ hidden: false, start_muted: true })
    await client.options.reset()
    expect(await client.options.get()).toMatchObject({ start_muted: false })
  })

  it('in clients and servers', async () => {
    const { client_key } = await client.clients.create({ company_name: 'Second' })
    expect(await client.clients.setDomains(client_key, '*.example.com')).toMatchObject({
      domains: '*.example.com',
    })
    expect(await client.clients.update(client_key, { company_name: 'Other' })).toMatchObject({ client_key })
    expect(await client.clients.list()).toHaveLength(2)
    expect(await client.sessions.listOfClient(client_key)).toEqual([])
    await client.clients.delete(client_key)
    await expect(client.clients.get(client_key)).rejects.toMatchObject({ kind: 'not-found' })
    expect(await client.servers.list()).toHaveLength(2)
  })

  it('in webhooks', async () => {
    const hook = { url: `${url}in`, category: 'session.ended', enabled: false, ssl_verification: true }
    for (let count = 0; count < 3; count += 1) await client.webhooks.create(hook)
    const ids = []
    for await (const { id } of client.webhooks.list()) ids.push(id)
    expect(ids).toEqual([1, 2, 3])
    expect(await client.webhooks.replace(2, { ...hook, enabled: true })).toMatchObject({ enabled: true })
    await client.webhooks.delete(2)
    await expect(client.webhooks.get(2)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it.each([401, 429, 503])('when it is forced to answer %i', async (status) => {
    await call('POST /_sandbox/failures', { body: { path: '/agents/', status } })
    await expect(client.agents.list()).rejects.toMatchObject({ name: 'ApiError', status })
  })
})
