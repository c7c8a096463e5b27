import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoAccount } from '../../../src/sandbox/state/account.ts'
import { CHECKOUT_URL, ROOT_URL, SCOPES, SITE, START } from '../state/a-visit.ts'
import { ask } from '../support/ask.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { openStandIn } from '../support/stand-in.ts'

const NOW = '2030-01-01T00:00:00.000000Z'
const account = demoAccount({
  cookie_transfer_urls: [ROOT_URL, CHECKOUT_URL],
  cookie_transfer_scopes: SCOPES,
  enable_cookie_backtransfer: true,
})
const seed = {
  agents: [
    { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com' },
    { agent_id: 8, agent_name: 'Bo', agent_email: 'bo@example.com' },
  ],
  clients: [{ company_name: 'Client', rest_key: 'client-rest-key', widget_key: 'client-widget-key' }],
}
const { sandbox, call } = await openStandIn({ account, seed })
const Host = new URL(sandbox.url).host
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver('http')
})
afterAll(() => receiver.close())
beforeEach(async () => {
  receiver.received.length = 0
  await call('POST /_sandbox/clock', { body: { now: NOW, frozen: true } })
})

describe('a session that a widget starts is a session of the REST API', () => {
  it('is in the lists, with everything that a session has', async () => {
    const started = await start()
    const [listed, ...others] = (await call('GET /sessions/')).json
    expect(others).toEqual([])
    const { options, ...session } = listed
    expect(session).toEqual({
      id: started.session,
      session_id: started.session,
      formatted_id: started.formatted_id,
      agent_id: null,
      follower_link: started.follower_link,
      cobro_server_name: 'stand-in-eu',
      start_time: NOW,
      duration: null,
      end_time: null,
      participant_num: 1,
      successful_start: true,
      queue_id: 1,
      pin: started.pin,
      queued: true,
      waiting_time: '00:00:00',
      start_url: `${SITE}/`,
      meta: '{}',
      tags: [],
      videochat_archive_id: null,
      space: null,
    })
    expect(options).toMatchObject({
      widget_key: '',
      cookie_transfer_proxying: true,
      cookie_transfer_urls: [ROOT_URL, CHECKOUT_URL],
    })
    expect((await call('GET /history/')).json.results).toEqual([listed])
    expect((await call(`GET /sessions/${started.formatted_id}/`)).json).toEqual(listed)
  })

  it('has the options that its page chose, within those of the account', async () => {
    const { session } = await start({ options: { ...START.options, cookie_transfer_proxying: false } })
    const { options } = await read(session)
    expect(options).toMatchObject({ cookie_transfer_proxying: false, enable_cookie_backtransfer: true })
  })

  it('belongs to the account of its widget key', async () => {
    const { session } = await start({ widgetKey: 'client-widget-key' })
    expect((await call('GET /sessions/')).json).toEqual([])
    const { json } = await call('GET /sessions/', { key: 'client-rest-key' })
    expect(json.map(({ id }: { id: string }) => id)).toEqual([session])
  })

  it('is reported to the webhooks once it has started', async () => {
    const body = { url: receiver.url, category: 'session.started', enabled: true, ssl_verification: true }
    await call('POST /webhooks/', { body })
    const { session } = await start()
    await call('GET /_sandbox/deliveries')
    expect(receiver.received.map(({ json }) => [json.category, json.session.id])).toEqual([
      ['session.started', session],
    ])
    expect(receiver.received[0]?.json.session).toEqual(await read(session))
  })

  it('is queued until an agent comes, unless its widget skips the queue', async () => {
    const { session, follower_link } = await start()
    await advance(65)
    expect(await read(session)).toMatchObject({ queued: true, waiting_time: '00:01:05' })
    await open(`${new URL(follower_link).pathname}?agent_token=${await tokenOf(7)}`)
    await advance(65)
    expect(await read(session)).toMatchObject({ queued: true, waiting_time: '00:01:05', agent_id: 7 })
    const skipping = await start({ skip_queue: true })
    expect(skipping.queued).toBe(false)
    expect(await read(skipping.session)).toMatchObject({ queued: false, waiting_time: null })
  })

  it('is led by its visitor from the start, so the leader link need not be opened', async () => {
    const { session } = await start()
    await advance(5000)
    expect(await read(session)).toMatchObject({ end_time: null, successful_start: true })
  })

  it('has screenshots like any other', async () => {
    const { session } = await start()
    const { text } = await call(`POST /sessions/${session}/screenshots/create/`, { body: { size: 800 } })
    expect(text).toBe('GENERATION-STARTED')
  })
})

describe('an agent joins', () => {
  it.each(['leader', 'follower'] as const)('by the %s link with a token', async (role) => {
    const { session, ...links } = await start()
    const link = new URL(role === 'leader' ? links.leader_link : links.follower_link)
    const answer = await open(`${link.pathname}?agent_token=${await tokenOf(7)}`)
    expect(answer.status).toBe(303)
    expect(await read(session)).toMatchObject({ agent_id: 7, participant_num: 2 })
    const { text } = await open(String(answer.headers.location))
    expect(text).toContain('Session window: Ada, agent')
    expect(text).toContain('Ada, agent, follows')
  })

  it('by PIN at a page', async () => {
    const { session, pin } = await start()
    const form = (await open(`/join?agent_token=${await tokenOf(7)}`)).text
    expect(form).toMatch(/<form method="post" action="\/join"/)
    const answer = await postForm(`pin=${pin}&agent_token=${await tokenOf(7)}`)
    expect(answer.status).toBe(303)
    expect((await open(String(answer.headers.location))).text).toContain('Session window: Ada, agent')
    expect(await read(session)).toMatchObject({ agent_id: 7, participant_num: 2 })
  })

  it('by PIN from a program, as a REST session too', async () => {
    const { pin } = await start()
    const created = (await call('POST /sessions/', { body: { url: SITE } })).json
    for (const each of [pin, created.pin]) {
      const { status, text } = await postJson({ pin: each, agent_token: await tokenOf(8) })
      expect(status).toBe(200)
      const { session_id, agent_id, url } = JSON.parse(text)
      expect(agent_id).toBe(8)
      expect(await read(session_id)).toMatchObject({ pin: each, agent_id: 8 })
      expect((await open(new URL(url).pathname)).text).toContain('Session window: Bo, agent')
    }
  })

  it('by the follower link that the list of sessions has for the PIN', async () => {
    const { session, pin } = await start()
    const [found] = (await call(`GET /sessions/?active_session=true&pin=${Number(pin)}`)).json
    expect(found.id).toBe(session)
    await open(new URL(found.follower_link).pathname)
    expect(await read(session)).toMatchObject({ agent_id: null, participant_num: 2 })
  })

  it('and the first one stays the session’s, whoever comes later', async () => {
    const { session, pin } = await start()
    for (const id of [8, 7]) await postJson({ pin, agent_token: await tokenOf(id) })
    expect(await read(session)).toMatchObject({ agent_id: 8, participant_num: 3 })
    const created = (await call('POST /sessions/', { body: { url: SITE, agent_id: 7 } })).json
    await postJson({ pin: created.pin, agent_token: await tokenOf(8) })
    expect(await read(created.id)).toMatchObject({ agent_id: 7 })
  })

  it('uses every button of the window; a visitor who follows only watches', async () => {
    const { session, pin, follower_link } = await start()
    const guest = String((await open(new URL(follower_link).pathname)).headers.location)
    await post(`${guest}/steps/1`)
    await post(`${guest}/end`)
    expect((await open(guest)).text).toContain('You are watching')
    expect(await read(session)).toMatchObject({ end_time: null })
    const { url } = JSON.parse((await postJson({ pin, agent_token: await tokenOf(7) })).text)
    await post(`${new URL(url).pathname}/steps/1`)
    expect((await open(guest)).text).toContain('Changed in the session.')
    await post(`${new URL(url).pathname}/end`)
    expect(await read(session)).toMatchObject({ end_time: NOW, duration: 0 })
  })

  it.each([
    ['no such PIN', { pin: 'other' }, 404, 'pin'],
    ['no digits', { pin: 'abcd' }, 400, 'pin'],
    ['no PIN', { pin: undefined }, 400, 'pin'],
    ['an unknown token', { pin: 'right', agent_token: 'guessed' }, 403, 'agent_token'],
    ['more than a PIN and a token', { pin: 'right', role: 'leader' }, 400, 'role'],
  ] as readonly [string, Asked, number, string][])(
    'is refused with %s',
    async (_name, asked, status, field) => {
      const { session, pin } = await start()
      const other = pin === '0000' ? '0001' : '0000'
      const named: Readonly<Record<string, string>> = { right: pin, other }
      const { pin: word, ...rest } = asked
      const body = { ...rest, ...(word === undefined ? {} : { pin: named[word] ?? word }) }
      const answer = await postJson(body)
      expect([answer.status, Object.keys(JSON.parse(answer.text).errors)]).toEqual([status, [field]])
      const form = await postForm(new URLSearchParams(body).toString())
      expect(form.status).toBe(status)
      expect(form.text).toContain('role="alert"')
      expect(await read(session)).toMatchObject({ participant_num: 1, agent_id: null })
    },
  )

  it.each([
    ['one that was replaced', async () => void (await tokenOf(7, { force_new: true }))],
    ['an expired one', () => advance(86_400)],
    ['one of an agent who was deleted', async () => void (await call('DELETE /agents/7/'))],
  ])('is refused with a token that is %s', async (_name, spoil) => {
    const token = await tokenOf(7)
    await spoil()
    const { pin, leader_link } = await start()
    expect((await postJson({ pin, agent_token: token })).status).toBe(403)
    expect((await open(`${new URL(leader_link).pathname}?agent_token=${token}`)).status).toBe(403)
  })

  it('is refused with the token of another account’s agent', async () => {
    const { pin } = await start({ widgetKey: 'client-widget-key' })
    expect((await postJson({ pin, agent_token: await tokenOf(7) })).status).toBe(403)
  })
})

describe('a session ends by either side', () => {
  it.each([
    ['the visitor’s window', async ({ url }: Started) => void (await post(`${new URL(url).pathname}/end`))],
    [
      'the agent’s window',
      async ({ pin }: Started) => {
        const { url } = JSON.parse((await postJson({ pin, agent_token: await tokenOf(7) })).text)
        await post(`${new URL(url).pathname}/end`)
      },
    ],
    ['the API', async ({ session }: Started) => void (await call(`POST /sessions/${session}/end/`))],
  ])('%s, and every side shows it', async (_name, end) => {
    const started = await start()
    await advance(90)
    await end(started)
    expect(await read(started.session)).toMatchObject({ duration: 90, successful_start: true })
    expect((await call('GET /history/?min_duration=90')).json.results).toHaveLength(1)
    expect((await call('GET /sessions/?active_session=true')).json).toEqual([])
    expect((await open(new URL(started.url).pathname)).text).toContain('<h1>The session is over</h1>')
    expect((await open(new URL(started.follower_link).pathname)).status).toBe(410)
    expect((await postJson({ pin: started.pin })).status).toBe(404)
  })
})

it('an agent does not end a session whose options deny it; its visitor does', async () => {
  await call('PATCH /company/options/', { body: { agent_can_end_session: false } })
  const { session, pin, url } = await start()
  const agent = JSON.parse((await postJson({ pin, agent_token: await tokenOf(7) })).text).url
  expect((await open(new URL(agent).pathname)).text).not.toContain('id="end"')
  await post(`${new URL(agent).pathname}/end`)
  expect(await read(session)).toMatchObject({ end_time: null })
  await post(`${new URL(url).pathname}/end`)
  expect(await read(session)).toMatchObject({ end_time: NOW })
})

it('a window of a REST session shows who is there, and ends it', async () => {
  const { id, leader_link } = (await call('POST /sessions/', { body: { url: SITE } })).json
  const window = String((await open(new URL(leader_link).pathname)).headers.location)
  const { text } = await open(window)
  expect(text).toContain('<h1>The session is running</h1>')
  expect(text).toContain('It was never queued.')
  await post(`${window}/end`)
  expect(await read(id)).toMatchObject({ end_time: NOW, participant_num: 1 })
})

interface Asked {
  readonly pin: string | undefined
  readonly agent_token?: string
  readonly role?: string
}

interface Started {
  readonly session: string
  readonly formatted_id: string
  readonly pin: string
  readonly queued: boolean
  readonly leader_link: string
  readonly follower_link: string
  /** The visitor's window. */
  readonly url: string
}

async function start(changed: object = {}): Promise<Started> {
  const answer = await ask(sandbox.url, '/_widget/sessions', {
    method: 'POST',
    headers: { Host, Origin: SITE, 'Content-Type': 'application/json' },
    body: JSON.stringify({ widgetKey: 'demo-widget-key', ...START, ...changed }),
  })
  expect(answer.status).toBe(201)
  return JSON.parse(answer.text)
}

async function read(id: string) {
  return (await call(`GET /sessions/${id}/`)).json
}

async function tokenOf(agentId: number, changed: object = {}): Promise<string> {
  const body = { agent_id: agentId, ...changed }
  return (await call('POST /agents/access-token/', { body })).json.agent_token
}

function advance(seconds: number) {
  return call('POST /_sandbox/clock', { body: { advanceMs: seconds * 1000 } })
}

function open(target: string) {
  return ask(sandbox.url, target, { headers: { Host } })
}

function post(target: string) {
  return ask(sandbox.url, target, { method: 'POST', headers: { Host, 'Content-Length': '0' } })
}

function postForm(body: string) {
  const headers = { Host, 'Content-Type': 'application/x-www-form-urlencoded' }
  return ask(sandbox.url, '/join', { method: 'POST', headers, body })
}

function postJson(body: object) {
  const headers = { Host, 'Content-Type': 'application/json' }
  return ask(sandbox.url, '/join', { method: 'POST', headers, body: JSON.stringify(body) })
}
