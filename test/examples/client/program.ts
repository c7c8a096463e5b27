import assert from 'node:assert/strict'
import { createClient, openBudget, Secret, type SessionOptions, toNamingSet } from 'continuation-point/api'

/* What an integrator may write, with every check of the compiler on. The service is a stand-in at BASE_URL. */

const baseUrl = process.env.BASE_URL ?? 'https://cobrowse.example.net/v2'
const budget = openBudget()
const client = createClient({ baseUrl, apiKey: new Secret(process.env.API_KEY ?? ''), budget })
const url = 'https://www.example.com/'
const refused = (call: Promise<unknown>) => assert.rejects(call, { name: 'ApiError', status: 400 })

// Agents and tokens: create returns the id as a string, and every call takes it.
const { agent_id } = await client.agents.create({
  username: 'Ada',
  agent_email: 'ada@example.com',
  password: 'p',
})
const ada = await client.agents.get(agent_id)
await client.agents.update(agent_id, { username: ada.agent_name, available: true, role: ada.role })
const token = await client.agents.createAccessToken({ agent_id, force_new: true })
assert.equal(token.agent_id, Number(agent_id))
const made = await client.agents.createAccessToken({ email: 'bo@example.com', name: 'Bo', role: 'manager' })
assert.equal(made.agent_role, 'manager')
assert.deepEqual(
  (await client.agents.list({ free: true })).map(({ role }) => role),
  ['agent', 'manager'],
)
// @ts-expect-error a misspelt member
await refused(client.agents.update(agent_id, { role: 'agent', agentId: 1 }))

// Sessions, in both naming sets.
const ofA = await client.sessions.create({ url, agent_id, ui_off: true, allowlist: [url], tags: ['vip'] })
const ofB = await client.sessions.create({ url, hide_session_ui: true, other: { option_of_tomorrow: [1] } })
const { options } = ofA
const inA: boolean | undefined = toNamingSet(options, 'A').ui_off
const inB: boolean | undefined = toNamingSet(options, 'B').hide_session_ui
assert.deepEqual([inA, inB, options.allowlist], [true, true, JSON.stringify([url])])
assert.ok('option_of_tomorrow' in ofB.options)
// @ts-expect-error known of what get, list and history return
assert.equal(ofA.participant_num, undefined)
const read = await client.sessions.get(ofA.session_id)
const known: [number, boolean | null] = [read.participant_num, read.successful_start]
assert.deepEqual(known, [0, null])
const found = await client.sessions.list({ pin: read.pin, agent_id: read.agent_id, tags: ['vip'] })
assert.deepEqual(
  found.map(({ id }) => id),
  [ofA.id],
)
// @ts-expect-error a misspelt option of set A
const misspeltA = await client.sessions.create({ url, start_mutd: true })
assert.ok('start_mutd' in misspeltA.options)
// @ts-expect-error a misspelt option of set B
await client.sessions.create({ url, hide_sesion_ui: true })
// @ts-expect-error an option of another type
await refused(client.sessions.create({ url, ui_off: 'yes' }))
// @ts-expect-error no page
await refused(client.sessions.create({ ui_off: true }))

// Screenshots.
assert.equal(await client.screenshots.create(ofA.id, { size: 800, interval: 5 }), 'GENERATION-STARTED')
assert.match((await client.screenshots.latest(ofA.id)).url, /^http/)
const { end_time, duration } = await client.sessions.end(ofA.id)
assert.ok(end_time !== null && duration !== null)

// The options of the account.
const before: SessionOptions = await client.options.get()
const scope = { name: 'sid', domain: '.example.com', path: '/', httponly: true }
const changed = await client.options.change({ cookie_transfer_scopes: [scope], blocklist: [] })
assert.deepEqual([changed.cookie_transfer_scopes, changed.blocklist], [[scope], '[]'])
await client.options.replace(before)
assert.deepEqual(await client.options.get({ widgetKey: 'demo-widget-key' }), before)
await client.options.reset()
// @ts-expect-error an option that the document doesn't list goes through `other`
await client.options.change({ option_of_tomorrow: 1 })

// Clients and servers.
const { client_key } = await client.clients.create({ company_name: 'Client', domains: '*.example.com' })
await client.clients.update(client_key, { company_name: 'Renamed', company_plan_name: 'client_basic' })
await client.clients.setDomains(client_key, '*')
assert.equal((await client.clients.get(client_key)).domains, '*')
assert.deepEqual(await client.sessions.listOfClient(client_key, { active_session: true }), [])
assert.equal((await client.clients.list()).length, 1)
await client.clients.delete(client_key)
assert.ok((await client.servers.list()).every(({ ips }) => ips !== ''))

// The history, and its pages.
const since = { min_date: new Date(0), agent_id: ofA.agent_id, pin: ofA.pin, active_session: false }
for await (const session of client.history.list(since)) assert.equal(session.participant_num, 0)
for await (const { results, next } of client.history.pages({}, { mostPages: 1 }))
  assert.deepEqual([results.length, next], [4, null])

// Webhooks: a replacement takes what get returned.
const webhook = await client.webhooks.create({
  url,
  category: 'session.started',
  enabled: true,
  ssl_verification: true,
})
assert.equal((await client.webhooks.setEnabled(webhook.id, false)).enabled, false)
const again = await client.webhooks.get(webhook.id)
assert.deepEqual(await client.webhooks.replace(webhook.id, { ...again, enabled: true }), webhook)
for await (const { id } of client.webhooks.list()) await client.webhooks.delete(id)
// @ts-expect-error a webhook without its address
await refused(client.webhooks.create({ category: 'session.started', enabled: true, ssl_verification: true }))

const { response } = await client.agents.delete(agent_id)
assert.equal(typeof response, 'string')
await assert.rejects(client.agents.get(agent_id), { name: 'ApiError', kind: 'not-found' })
