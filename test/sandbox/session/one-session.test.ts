import { describe, expect, it } from 'vitest'
import { demoAccount } from '../../../src/sandbox/state/company.ts'
import { CHECKOUT_URL, ROOT_URL, SETTINGS, SITE, START } from '../state/a-visit.ts'
import { START as NOW, openFrozenStandIn } from '../support/stand-in.ts'
import { type Started, visitorOf } from '../support/visitor.ts'

const seed = {
  agents: [
    { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com' },
    { agent_id: 8, agent_name: 'Bo', agent_email: 'bo@example.com' },
  ],
  clients: [{ company_name: 'Client', rest_key: 'client-rest-key', widget_key: 'client-widget-key' }],
}
const account = demoAccount(SETTINGS)
const { sandbox, call, advance } = await openFrozenStandIn({ account, seed })
const { start, open, enter, press, joinByPin, joinByForm } = visitorOf(sandbox.url, START)

const read = async (id: string) => (await call(`GET /sessions/${id}/`)).json
const createOne = async () => (await call('POST /sessions/', { body: { url: SITE } })).json

async function tokenOf(agentId: number, changed: object = {}): Promise<string> {
  const body = { agent_id: agentId, ...changed }
  return (await call('POST /agents/access-token/', { body })).json.agent_token
}

describe('a session that a widget starts is a session of the REST API', () => {
  it('is in the lists, with everything that a session has', async () => {
    const started = await start()
    const [listed, ...others] = (await call('GET /sessions/')).json
    expect(others).toEqual([])
    expect(listed).toMatchObject({
      id: started.session,
      formatted_id: started.formatted_id,
      agent_id: null,
      follower_link: started.follower_link,
      start_time: NOW,
      end_time: null,
      participant_num: 1,
      successful_start: true,
      pin: started.pin,
      queued: true,
      start_url: `${SITE}/`,
      tags: [],
      options: { cookie_transfer_proxying: true, cookie_transfer_urls: [ROOT_URL, CHECKOUT_URL] },
    })
    expect((await call('GET /history/')).json.results).toEqual([listed])
  })

  it('belongs to the account of its widget key, and agents of others can’t join', async () => {
    const { session, pin } = await start({ widgetKey: 'client-widget-key' })
    expect((await call('GET /sessions/')).json).toEqual([])
    const { json } = await call('GET /sessions/', { key: 'client-rest-key' })
    expect(json.map(({ id }: { id: string }) => id)).toEqual([session])
    expect((await joinByPin({ pin, agent_token: await tokenOf(7) })).status).toBe(403)
  })
})

describe('an agent joins', () => {
  it('by PIN from a program, a REST session', async () => {
    const { id, pin } = await createOne()
    const { status, text } = await joinByPin({ pin, agent_token: await tokenOf(8) })
    const { url, ...joined } = JSON.parse(text)
    expect([status, joined]).toEqual([200, { session_id: id, agent_id: 8 }])
    const window = await open(url)
    expect(window.text).toContain('Session window: Bo, agent')
  })

  it.each<[string, Readonly<Record<string, string>>, number, string]>([
    ['no such PIN', { pin: 'other' }, 404, 'pin'],
    ['no digits', { pin: 'abcd' }, 400, 'pin'],
    ['no PIN', {}, 400, 'pin'],
    ['an unknown token', { pin: 'right', agent_token: 'guessed' }, 403, 'agent_token'],
    ['more than a PIN and a token', { pin: 'right', role: 'leader' }, 400, 'role'],
  ])('is refused with %s', async (_name, asked, status, field) => {
    const { session, pin } = await start()
    const named = { ...asked, ...(asked.pin === 'right' ? { pin } : {}) }
    const body = asked.pin === 'other' ? { pin: pin === '0000' ? '0001' : '0000' } : named
    const answer = await joinByPin(body)
    expect([answer.status, Object.keys(JSON.parse(answer.text).errors)]).toEqual([status, [field]])
    const form = await joinByForm(new URLSearchParams(body).toString())
    expect(form.status).toBe(status)
    expect(form.text).toContain('role="alert"')
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

describe('a session ends by either side', () => {
  it.each([
    ['the visitor’s window', async ({ url }: Started) => void (await press(`${new URL(url).pathname}/end`))],
    [
      'the agent’s window',
      async ({ follower_link }: Started) =>
        void (await press(`${await enter(`${follower_link}?agent_token=${await tokenOf(7)}`)}/end`)),
    ],
    ['the API', async ({ session }: Started) => void (await call(`POST /sessions/${session}/end/`))],
  ])('%s, and every side shows it', async (_name, end) => {
    const started = await start()
    await advance(90)
    await end(started)
    expect(await read(started.session)).toMatchObject({ duration: 90, successful_start: true })
    expect((await call('GET /history/?min_duration=90')).json.results).toHaveLength(1)
    expect((await call('GET /sessions/?active_session=true')).json).toEqual([])
    expect((await open(started.url)).text).toContain('<h1>The session is over</h1>')
    expect((await open(started.follower_link)).status).toBe(410)
    expect((await joinByPin({ pin: started.pin })).status).toBe(404)
  })
})
