import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { top } from '../project/source-tree.ts'
import { openForTest } from '../support/open-for-test.ts'
import { ask } from './support/ask.ts'
import { callsOf } from './support/call.ts'
import { startReceiver } from './support/receiver.ts'
import { openFrozenStandIn, START } from './support/stand-in.ts'
import { visitorOf } from './support/visitor.ts'

const url = 'https://www.example.com/'
const ada = { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com', role: 'admin' } as const
const bo = { agent_id: 8, agent_name: 'Bo', agent_email: 'bo@example.com', online: false } as const
const past = [
  { start_url: url, start_time: Date.UTC(2029, 0, 1), duration: 60, tags: ['a', 'b'] },
  { start_url: url, start_time: Date.UTC(2029, 0, 2), tags: ['b'] },
]
const clients = [
  { company_name: 'Client', client_key: 'client-key', rest_key: 'client-rest-key', sessions: past },
]
const plans = { small: { videochat: false } }
const seed = { agents: [ada, bo], sessions: past, plan: 'small', plans, clients }
const authorities = ['cobrowse.shop.co.uk']
const { sandbox, call, advance } = await openFrozenStandIn({ seed, authorities })

const get = async (path: string) => (await call(`GET ${path}`)).json
const create = async (body: object = {}) => (await call('POST /sessions/', { body: { url, ...body } })).json
const found = async (query: string) => (await get(`/history/?${query}`)).results.length
const token = async () =>
  (await call('POST /agents/access-token/', { body: { agent_id: 7 } })).json.agent_token

const PAGE = 'https://www.shop.co.uk'
const POINTS = '/service_cookie_transfer/'
const CONTINUATION = { cookie_transfer_proxying: true }
/** On a page of `PAGE`, where a script reads one cookie. */
const { start, open, enter, press, joinByPin } = visitorOf(sandbox.url, {
  pageUrl: `${PAGE}/`,
  cookies: [{ name: 'look', value: 'cookie-value' }],
  entries: [],
  steps: [{ label: 'Cool down', cookie: 'look', value: 'cool' }],
})
/** The path of the window of an agent who joins by PIN. */
const joinAsAgent = async (pin: string) =>
  String((await joinByPin({ pin, agent_token: await token() })).headers.location)

const setPoints = (...origins: readonly string[]) => {
  const urls = origins.map((origin) => origin + POINTS)
  const body = { ...CONTINUATION, enable_cookie_backtransfer: true, cookie_transfer_urls: urls }
  return call('POST /company/options/', { body })
}
const text = async (address: string) => (await open(address)).text
const framers = async (path: string) =>
  /frame-ancestors ([^;]+)/.exec(String((await open(path)).headers['content-security-policy']))?.[1]
const callPoint = (method: string, name: string, session: string, fields: object = {}) =>
  ask(sandbox.url, `${POINTS}${name}?session=${session}&point=0`, {
    method,
    headers: { 'X-Widget-Key': 'demo-widget-key', 'X-Continuation-Origin': PAGE, ...fields },
  })

/** By the name of an entry of docs/readings.md, with a further word for one of several in the entry. */
const readings: Readonly<Record<string, () => Promise<void>>> = {
  async 'api-key'() {
    for (const name of ['api_key', 'API_KEY'])
      expect((await call(`GET /agents/?${name}=demo-api-key`, { key: null })).status).toBe(200)
  },
  async rate() {
    const limited = await openForTest(startSandbox())
    const calls = callsOf(limited.url)
    await calls('POST /_sandbox/clock', { body: { now: START, frozen: true } })
    await ask(limited.url, `${POINTS}x`)
    for (let made = 0; made < 99; made += 1) await calls('GET /agents/', { key: 'unknown' })
    expect((await calls('GET /servers/')).status).toBe(200)
    const refused = {
      status: 429,
      headers: { 'retry-after': '60' },
      json: { errors: { rate: [expect.any(String)] } },
    }
    expect(await calls('GET /servers/')).toMatchObject(refused)
    expect((await calls('GET /_sandbox/requests')).status).toBe(200)
    expect((await ask(limited.url, `${POINTS}x`)).status).toBe(200)
    await calls('POST /_sandbox/clock', { body: { advanceMs: 60_000 } })
    expect((await calls('GET /servers/')).status).toBe(200)
  },
  async 'unknown-member'() {
    expect((await call('GET /agents/?fre=true')).status).toBe(400)
    expect((await call('PUT /agents/7/', { body: { usernam: 'Ada' } })).status).toBe(400)
    const { headers, json } = await call('POST /sessions/', { body: { url, headless: true } })
    expect([json.options.headless, headers.warning]).toEqual([true, expect.stringContaining('headless')])
  },
  async 'text-values'() {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const form = { body: `url=${url}${'&tags=a'.repeat(20_000)}&agent_id=7&start_docked=True`, headers }
    const { agent_id, options } = (await call('POST /sessions/', form)).json
    expect([agent_id, options.start_docked]).toEqual([7, true])
    const scope = { name: 'sid', domain: '.example.com', path: '/' }
    const { json } = await call('PATCH /company/options/', { body: { cookie_transfer_scopes: [scope] } })
    expect(json.cookie_transfer_scopes).toEqual([{ ...scope, httponly: false }])
  },
  async errors() {
    const refusals: readonly (readonly [call: string, options: object, status: number])[] = [
      ['POST /agents/', { body: {} }, 400],
      ['GET /agents/', { key: 'unknown' }, 401],
      ['GET /clients/all/', { key: 'client-rest-key' }, 403],
      ['GET /agents/99/', {}, 404],
      ['PATCH /agents/', {}, 405],
      ['POST /agents/', { body: '{}', headers: { 'Content-Type': 'text/plain' } }, 415],
    ]
    for (const [each, options, status] of refusals) {
      const { json, ...answer } = await call(each, options)
      expect(answer.status).toBe(status)
      for (const messages of Object.values(json.errors)) expect(messages).toContainEqual(expect.any(String))
    }
  },
  async pages() {
    for (let made = 0; made < 20; made += 1) await create()
    const first = await get('/history/?active_session=true&page=1')
    expect([first.results.length, first.previous]).toEqual([20, null])
    expect(new URL(first.next).search).toBe('?active_session=true&page=2&api_key=demo-api-key')
    expect(await get('/history/?active_session=true&page=2')).toMatchObject({ next: null, results: [{}] })
  },
  async 'agent-update/role'() {
    const { headers } = await call('PUT /agents/7/', { body: { username: 'Ada', available: true } })
    expect((await get('/agents/7/')).role).toBe('agent')
    expect(headers.warning).toMatch(/^299 - "[^"]*role[^"]*"$/)
    const kept = await call('PUT /agents/7/', { body: { role: 'admin' } })
    expect([(await get('/agents/7/')).role, kept.headers.warning]).toEqual(['admin', undefined])
  },
  async 'agent-update/rest'() {
    const before = await get('/agents/7/')
    expect((await call('PUT /agents/7/', { body: { role: 'admin' } })).status).toBe(200)
    expect(await get('/agents/7/')).toEqual(before)
  },
  async 'agents-free'() {
    expect(await get('/agents/?free=true')).toMatchObject([{ agent_id: 7 }])
    expect(await get('/agents/?free=false')).toMatchObject([{ agent_id: 8 }])
  },
  async 'agent-limit'() {
    const tenth = (name: string) => ({ username: name, agent_email: `${name}@example.com`, password: 'p' })
    for (const name of 'cdefghij') await call('POST /agents/', { body: tenth(name) })
    const refused = [
      await call('POST /agents/', { body: tenth('k') }),
      await call('POST /agents/access-token/', { body: { email: 'k@example.com', name: 'K' } }),
    ]
    for (const { status, json } of refused)
      expect([status, Object.keys(json.errors)]).toEqual([400, ['agent_count']])
  },
  async 'agent-deleted'() {
    const [{ id, follower_link }, agent_token] = [await create({ agent_id: 7 }), await token()]
    await call('DELETE /agents/7/')
    expect((await get(`/sessions/${id}/`)).agent_id).toBe(7)
    expect((await open(`${follower_link}?agent_token=${agent_token}`)).status).toBe(403)
  },
  async 'token/threshold'() {
    const first = await token()
    await advance(86_400 - 300)
    expect(await token()).toBe(first)
    await advance(1)
    expect(await token()).not.toBe(first)
  },
  async 'token/agent'() {
    const body = { agent_id: 7, email: 'bo@example.com', name: 'Bo' }
    expect((await call('POST /agents/access-token/', { body })).json).toMatchObject({ agent_id: 7 })
    expect((await call('POST /agents/access-token/', { body: { email: body.email } })).status).toBe(400)
  },
  async 'leader-link'() {
    const [{ id, leader_link }, led] = [await create(), await create()]
    await open(led.leader_link)
    await advance(119)
    expect((await get(`/sessions/${id}/`)).end_time).toBeNull()
    await advance(1)
    expect((await open(leader_link)).status).toBe(410)
    const closed = { end_time: '2030-01-01T00:02:00.000000Z', duration: 120, successful_start: false }
    expect(await get(`/sessions/${id}/`)).toMatchObject({ ...closed, participant_num: 0 })
    expect(await get(`/sessions/${led.id}/`)).toMatchObject({ end_time: null, successful_start: true })
  },
  async 'queue/queued'() {
    const { id, follower_link } = await create({ widget_key: 'demo-widget-key' })
    await open(follower_link)
    expect((await get(`/sessions/${id}/`)).queued).toBe(true)
    await call(`POST /sessions/${id}/end/`)
    expect((await get(`/sessions/${id}/`)).queued).toBe(true)
  },
  async 'queue/waiting-time'() {
    const { id, leader_link, follower_link } = await create({ widget_key: 'demo-widget-key' })
    const left = await create({ widget_key: 'demo-widget-key' })
    await open(leader_link)
    await advance(65)
    await call(`POST /sessions/${left.id}/end/`)
    await advance(3660)
    expect((await get(`/sessions/${id}/`)).waiting_time).toBe('01:02:05')
    await open(follower_link)
    await advance(65)
    expect((await get(`/sessions/${id}/`)).waiting_time).toBe('01:02:05')
    expect((await get(`/sessions/${left.id}/`)).waiting_time).toBe('00:01:05')
  },
  async 'queue/always'() {
    const queued = async (body: object) => (await create(body)).queued
    expect(await queued({ widget_key: 'demo-widget-key' })).toBe(true)
    expect(await queued({ widget_key: 'demo-widget-key', skip_queue: true })).toBe(false)
    for (const widget_key of [0, '']) expect(await queued({ widget_key })).toBe(false)
  },
  async 'session-pin'() {
    const { id, pin } = await create()
    await call(`POST /sessions/${id}/end/`)
    expect((await get(`/sessions/${id}/`)).pin).toBe(pin)
    expect(await found(`pin=${pin}&active_session=true`)).toBe(0)
    expect(await found('pin=null')).toBe(0)
    expect(await get('/sessions/?pin=null')).toEqual([])
    expect(await get('/sessions/?agent_id=null')).toHaveLength(3)
  },
  async 'participants/number'() {
    const { id, leader_link, follower_link } = await create()
    for (const link of [leader_link, follower_link, follower_link]) await open(link)
    await call(`POST /sessions/${id}/end/`)
    expect((await get(`/sessions/${id}/`)).participant_num).toBe(3)
  },
  async 'participants/success'() {
    const [led, left] = [await create(), await create()]
    const successOf = async ({ id }: { id: string }) => (await get(`/sessions/${id}/`)).successful_start
    expect(await successOf(led)).toBeNull()
    await open(led.leader_link)
    await call(`POST /sessions/${left.id}/end/`)
    expect([await successOf(led), await successOf(left)]).toEqual([true, false])
  },
  async 'session-fields/server'() {
    expect((await create()).cobro_server_name).toBe((await get('/servers/'))[0].id)
  },
  async 'session-fields/meta'() {
    const unknown = { meta: '{}', queue_id: 1, videochat_archive_id: null, space: null }
    expect(await create()).toMatchObject(unknown)
  },
  async 'session-options/all'() {
    await call('PATCH /company/options/', { body: { start_muted: true } })
    const { options } = await create({ ui_off: true, videochat: true })
    expect(options).toMatchObject({ ui_off: true, start_muted: true, videochat: false, hidden: false })
    expect(Object.keys(options)).toEqual(Object.keys(await get('/company/options/')))
  },
  async 'option-names'() {
    const both = await create({ ui_off: true, sounds_enabled: false, end_redirect_enabled: false })
    const named = { ui_off: true, hide_session_ui: true, enable_sounds: false, sounds_enabled: false }
    expect(both.options).toMatchObject({ ...named, disable_end_redirect: true, end_redirect_enabled: false })
    const body = { url, ui_off: true, hide_session_ui: false }
    expect((await call('POST /sessions/', { body })).status).toBe(400)
  },
  async 'session-options/widget-key'() {
    await call('PATCH /company/options/', { body: { widget_key: 'demo-widget-key' } })
    const { id, options } = await create({ widget_key: 'demo-widget-key' })
    expect(options.widget_key).toBe('')
    expect((await get(`/sessions/${id}/`)).options.widget_key).toBe('')
  },
  async 'widget-session/queued'() {
    const { session } = await start()
    expect(await get(`/sessions/${session}/`)).toMatchObject({ session_id: session, queued: true })
    const skipping = await start({ skip_queue: true })
    expect(await get(`/sessions/${skipping.session}/`)).toMatchObject({ queued: false })
  },
  async 'widget-session/leader'() {
    const { session } = await start()
    const { id } = await create()
    await advance(120)
    expect(await get(`/sessions/${session}/`)).toMatchObject({ end_time: null, successful_start: true })
    expect((await get(`/sessions/${id}/`)).end_time).not.toBeNull()
  },
  async 'agent-id'() {
    const [started, joined] = [await create({ agent_id: 8 }), await create()]
    for (const { leader_link } of [started, joined]) {
      await enter(`${leader_link}?agent_token=${await token()}`)
    }
    expect((await get(`/sessions/${started.id}/`)).agent_id).toBe(8)
    expect((await get(`/sessions/${joined.id}/`)).agent_id).toBe(7)
  },
  async 'agent-link'() {
    const { leader_link, follower_link } = await create()
    for (const link of [leader_link, follower_link]) {
      const window = await enter(`${link}?agent_token=${await token()}`)
      expect(await text(window)).toContain('Session window: Ada, agent')
      expect(await framers(window)).toBe('*')
      expect(await framers(await enter(link))).toBe("'none'")
      expect((await open(`${link}?agent_token=guessed`)).status).toBe(403)
    }
  },
  async 'join-pin'() {
    const { id, pin } = await create()
    await joinAsAgent(pin)
    expect(await get(`/sessions/${id}/`)).toMatchObject({ agent_id: 7, successful_start: null })
    const [found] = await get(`/sessions/?active_session=true&pin=${Number(pin)}`)
    await open(found.follower_link)
    expect((await get(`/sessions/${id}/`)).participant_num).toBe(2)
  },
  async 'control/agents'() {
    for (const [isOn, value] of [
      [true, 'cool'],
      [false, 'cookie-value'],
    ] as const) {
      await call('PATCH /company/options/', { body: { allow_control_switching: isOn } })
      const window = await joinAsAgent((await start()).pin)
      await press(`${window}/steps/0`)
      expect(await text(window)).toContain(`<code>${value}</code>`)
    }
    await call('DELETE /company/options/')
    const { session, follower_link } = await start()
    const guest = await enter(follower_link)
    await press(`${guest}/steps/0`)
    await press(`${guest}/end`)
    expect(await text(guest)).toContain('<code>cookie-value</code>')
    expect((await get(`/sessions/${session}/`)).end_time).toBeNull()
  },
  async 'control/one-leader'() {
    const { leader_link } = await create()
    const [first, second] = [await text(await enter(leader_link)), await text(await enter(leader_link))]
    expect([first, second].map((page) => page.match(/data-participant="leader"/g)?.length)).toEqual([1, 1])
    expect(second).toContain('You are watching')
  },
  async 'session-end'() {
    const { id, pin, leader_link } = await create({ agent_can_end_session: false })
    const leader = await enter(leader_link)
    const agent = await joinAsAgent(pin)
    expect(await text(agent)).not.toContain('id="end"')
    await press(`${agent}/end`)
    expect((await get(`/sessions/${id}/`)).end_time).toBeNull()
    await press(`${leader}/end`)
    expect((await get(`/sessions/${id}/`)).end_time).not.toBeNull()
    const led = await create({ agent_can_end_session: false })
    const leading = await enter(`${led.leader_link}?agent_token=${await token()}`)
    expect(await text(leading)).toContain('id="end"')
    await press(`${leading}/end`)
    expect((await get(`/sessions/${led.id}/`)).end_time).not.toBeNull()
  },
  async 'session-id'() {
    const { session_id, formatted_id } = await create()
    for (const id of [session_id, formatted_id, formatted_id.replaceAll('-', '')])
      expect(await get(`/sessions/${id}/`)).toMatchObject({ session_id })
  },
  async 'session-filters/tags'() {
    expect(await get('/sessions/?tags=b')).toHaveLength(2)
    expect(await get('/sessions/?tags=a,b')).toHaveLength(1)
  },
  async 'session-filters/month'() {
    expect(await get('/sessions/?month=1')).toHaveLength(2)
    expect(await get('/sessions/?year=2029&month=1')).toHaveLength(2)
    expect(await get('/sessions/?year=2029&month=2')).toEqual([])
  },
  async 'reseller-sessions'() {
    const listed = async (query: string) => (await get(`/sessions/?clientkey=client-key${query}`)).length
    expect(await listed('')).toBe(2)
    expect(await listed('&active_session=false')).toBe(2)
    expect(await listed('&active_session=true')).toBe(1)
  },
  async 'fresh-options'() {
    const calls = callsOf((await openForTest(startSandbox())).url)
    const { json } = await calls('GET /company/options/')
    expect(json).toMatchObject({ cookie_transfer_enabled: true, cookie_transfer_proxying: false })
    await calls('DELETE /company/options/')
    expect((await calls('GET /company/options/')).json).toEqual(json)
  },
  async 'plan-limits'() {
    for (const method of ['POST', 'PATCH']) {
      const { json } = await call(`${method} /company/options/`, { body: { videochat: true } })
      expect(json.videochat).toBe(true)
      expect((await get('/company/options/')).videochat).toBe(false)
    }
  },
  async 'client-plan'() {
    const body = { company_name: 'Client', company_plan_name: 'small' }
    const named = await call('PUT /clients/all/client-key/', { body })
    expect([named.status, named.headers.warning]).toEqual([200, undefined])
    const limited = async () =>
      !(await call('GET /company/options/', { key: 'client-rest-key' })).json.videochat
    expect(await limited()).toBe(true)
    const { headers } = await call('PUT /clients/all/client-key/', { body: { company_name: 'Client' } })
    expect(await limited()).toBe(false)
    expect(headers.warning).toMatch(/^299 - "[^"]*company_plan_name[^"]*client_enterprise[^"]*"$/)
  },
  async 'client-agent'() {
    const agent = { agent_email: 'eve@example.com', agent_name: 'Eve', agent_password: 'p' }
    const { json } = await call('POST /clients/all/', { body: { company_name: 'New', ...agent } })
    const made = { agent_email: 'eve@example.com', agent_name: 'Eve', role: 'admin' }
    expect((await call('GET /agents/', { key: json.rest_key })).json).toMatchObject([made])
    await call('PUT /clients/all/client-key/', { body: agent })
    expect((await call('GET /agents/', { key: 'client-rest-key' })).json).toEqual([])
  },
  async 'cookie-path'() {
    for (const [path, status] of [
      [`${POINTS}init`, 200],
      [`/shop${POINTS}init`, 404],
      ['/service_cookie_transfer', 404],
    ] as const) {
      expect((await open(path)).status).toBe(status)
    }
  },
  async 'widget-site'() {
    const urls = ['https://pay.shop.co.uk', 'https://www.other.co.uk', PAGE].map((each) => `${each}${POINTS}`)
    await call('POST /company/options/', { body: { ...CONTINUATION, cookie_transfer_urls: urls } })
    expect((await start()).points).toEqual([urls[0], urls[2]])
  },
  async 'page-without-point'() {
    const pay = 'https://pay.shop.co.uk'
    await setPoints(pay)
    const begun = await start()
    expect(begun.points).toEqual([pay + POINTS])
    const fields = { 'X-Continuation-Origin': pay, Origin: PAGE }
    const { status, headers } = await callPoint('GET', 'store', begun.session, fields)
    expect([status, headers['access-control-allow-origin']]).toEqual([200, PAGE])
    await setPoints('https://www.other.co.uk')
    const without = await start()
    expect(without.points).toEqual([])
    expect(await text(without.url)).toContain('cookie-value')
  },
  async 'back-transfer-time'() {
    await setPoints(PAGE)
    const { session, url } = await start({}, 'cobrowse.shop.co.uk')
    const { pathname } = new URL(url)
    await press(`${pathname}/steps/0`)
    const early = await callPoint('POST', 'restore', session)
    expect([early.status, early.headers['set-cookie']]).toEqual([409, undefined])
    await press(`${pathname}/end`)
    const late = await callPoint('POST', 'restore', session)
    const line = 'look=cool; Path=/; Secure; SameSite=Lax'
    expect([late.status, late.headers['set-cookie']]).toEqual([200, [line]])
  },
  async 'carried-cookies/off'() {
    const kept = { ...CONTINUATION, cookie_transfer_enabled: false, cookie_transfer_urls: [PAGE + POINTS] }
    await call('POST /company/options/', { body: kept })
    const begun = await start()
    expect(begun.points).toEqual([])
    expect(await text(begun.url)).not.toContain('cookie-value')
    await call('PATCH /company/options/', { body: { cookie_transfer_enabled: true } })
    expect(await text((await start()).url)).toContain('cookie-value')
  },
  async 'carried-cookies/unlisted'() {
    const scope = { name: 'sid', domain: 'www.shop.co.uk', path: '/', httponly: true }
    await setPoints(PAGE)
    await call('PATCH /company/options/', { body: { cookie_transfer_scopes: [scope] } })
    const begun = await start()
    const Cookie = 'sid=listed-value; other=unlisted-value'
    expect((await callPoint('GET', 'store', begun.session, { Cookie })).status).toBe(200)
    const shown = await text(begun.url)
    expect(shown).toContain('cookie-value')
    expect(shown).toContain('listed-value')
    expect(shown).not.toContain('unlisted-value')
  },
  async 'carried-cookies/third-party'() {
    const scope = (name: string, domain: string) => ({ name, domain, path: '/', httponly: true })
    await setPoints(PAGE)
    const cookie_transfer_scopes = [scope('own-sid', '.shop.co.uk'), scope('foreign-sid', '.other.co.uk')]
    await call('PATCH /company/options/', { body: { cookie_transfer_scopes } })
    const shown = await text((await start()).url)
    expect(shown).toContain('own-sid')
    expect(shown).not.toContain('foreign-sid')
  },
  async 'history-duration'() {
    expect(await found('min_duration=60&max_duration=60')).toBe(1)
    expect(await found('min_duration=61')).toBe(0)
    expect(await found('min_duration=0')).toBe(1)
  },
  async 'history-zone'() {
    const day = '2029-01-02'
    for (const rest of ' T00:00 T00:00:00 T00:00Z T02:00%2B02:00 T02:00:00.000000000%2B0200'.split(' '))
      expect([rest, await found(`min_date=${day}${rest}`)]).toEqual([rest, 1])
    expect(await found(`min_date=${day}T00:00:00.001`)).toBe(0)
    for (const odd of `2029-02-30 ${day}Z ${day}T00:00%2B02 ${day}T25:00 01/02/2029`.split(' '))
      expect([odd, (await call(`GET /history/?min_date=${odd}`)).status]).toEqual([odd, 400])
  },
  async screenshots() {
    const { id } = await create()
    expect((await call(`GET /sessions/${id}/screenshots/latest/`)).status).toBe(404)
    await call(`POST /sessions/${id}/end/`)
    expect(await call(`POST /sessions/${id}/screenshots/create/`)).toMatchObject({
      status: 200,
      text: 'FAILED-INTERNALLY',
    })
  },
  async webhooks() {
    const receiver = await openForTest(startReceiver('http'))
    const hook = { url: receiver.url, enabled: true, ssl_verification: true }
    for (const category of ['session.ended', 'session.started'])
      expect((await call('POST /webhooks/', { body: { ...hook, category } })).status).toBe(201)
    const { id, leader_link } = await create()
    const sent = [{ json: { category: 'session.started', session: { id, participant_num: 0 } } }]
    await call('GET /_sandbox/deliveries')
    expect(receiver.received).toMatchObject(sent)
    await open(leader_link)
    await call(`POST /sessions/${id}/end/`)
    await call('GET /_sandbox/deliveries')
    expect(receiver.received).toHaveLength(1)
  },
}

describe('the readings of the service’s document', () => {
  it.each(Object.entries(readings))('%s', (_name, holds) => holds())

  it('are in the document, each with its section, and the index of docs links to it', () => {
    const text = readFileSync(join(top, 'docs/readings.md'), 'utf8')
    const rows = text.split('\n').filter((line) => line.startsWith('- `'))
    const tested = new Set(Object.keys(readings).map((name) => name.split('/')[0]))
    expect(rows.map((row) => /^- `([a-z-]+)` \([\d., ]+\):/.exec(row)?.[1])).toEqual([...tested])
    expect(readFileSync(join(top, 'docs/README.md'), 'utf8')).toContain('](readings.md)')
  })
})
