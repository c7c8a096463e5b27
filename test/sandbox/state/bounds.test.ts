import { describe, expect, it } from 'vitest'
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox.ts'
import { parseSeed } from '../../../src/sandbox/seed/parse-seed.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { callsOf } from '../support/call.ts'
import { startReceiver } from '../support/receiver.ts'
import { visitorOf } from '../support/visitor.ts'
import { START } from './a-visit.ts'

const url = 'https://www.example.com/'

async function open(options: SandboxOptions = {}) {
  const sandbox = await openForTest(startSandbox({ rateLimit: 'off', ...options }))
  return { sandbox, call: callsOf(sandbox.url) }
}

describe('the stand-in keeps 2000 sessions', () => {
  it('of the ended ones, the one that started longest ago makes room for a new one', async () => {
    const running = { start_url: `${url}running`, start_time: Date.UTC(2001, 0, 1) }
    const ended = Array.from({ length: 1_999 }, (_, index) => ({
      start_url: `${url}${index}`,
      // The first of the list is not the oldest.
      start_time: Date.UTC(2010, 0, 1) + ((index + 1000) % 1_999) * 1000,
      duration: 1,
    }))
    const { call } = await open({ seed: { sessions: [running, ...ended], pageSize: 1 } })
    const urlsOf = async (query: string) =>
      (await call(`GET /history/?${query}`)).json.results.map((each: { start_url: string }) => each.start_url)
    expect(await urlsOf('page=2000')).toEqual([running.start_url])
    expect(await urlsOf('page=1999')).toEqual([`${url}999`])
    await call('POST /sessions/', { body: { url: `${url}new` } })
    expect(await urlsOf('page=1')).toEqual([`${url}new`])
    expect(await urlsOf('page=2000')).toEqual([running.start_url])
    expect(await urlsOf('page=1999')).toEqual([`${url}1000`])
    expect((await call('GET /history/?page=2001')).status).toBe(404)
  })

  it('if none has ended, the oldest is removed', async () => {
    const sessions = Array.from({ length: 2_000 }, (_, index) => ({
      start_url: `${url}${index}`,
      start_time: Date.UTC(2010, 0, 1) + index * 1000,
    }))
    const { call } = await open({ seed: { sessions, pageSize: 1 } })
    await call('POST /sessions/', { body: { url } })
    const { json } = await call('GET /history/?page=2000')
    expect(json).toMatchObject({ next: null, results: [{ start_url: `${url}1` }] })
  })
})

it('100 participants of a session may join, by link and by PIN, and no more', async () => {
  const { sandbox, call } = await open()
  const { id, pin, leader_link, follower_link } = (await call('POST /sessions/', { body: { url } })).json
  const visitor = visitorOf(sandbox.url, START)
  expect((await visitor.open(leader_link)).status).toBe(303)
  for (let joined = 1; joined < 100; joined += 1) expect((await visitor.open(follower_link)).status).toBe(303)
  const line = 'The session has 100 participants, the most that it may have.'
  expect(await visitor.open(follower_link)).toMatchObject({ status: 409, text: `${line}\n` })
  const byPin = await visitor.joinByPin({ pin })
  expect([byPin.status, JSON.parse(byPin.text)]).toEqual([409, { errors: { pin: [line] } }])
  expect((await call(`GET /sessions/${id}/`)).json.participant_num).toBe(100)
})

const client = { company_name: 'Client' }
const webhook = { url, category: 'session.started', enabled: true, ssl_verification: true }

it.each([
  { what: '1000 clients', seed: { clients: Array(999).fill(client) }, path: '/clients/all/', body: client },
  { what: '200 webhooks', seed: { webhooks: Array(199).fill(webhook) }, path: '/webhooks/', body: webhook },
])('an account has at most $what, and one that is deleted makes room', async ({ seed, path, body }) => {
  const { call } = await open({ seed })
  const { json } = await call(`POST ${path}`, { body })
  const refused = await call(`POST ${path}`, { body })
  expect([refused.status, Object.values(refused.json.errors)]).toEqual([
    400,
    [[expect.stringMatching(/^The account has as many .+ as it may have\.$/)]],
  ])
  await call(`DELETE ${path}${json.client_key ?? json.id}/`)
  expect((await call(`POST ${path}`, { body })).status).toBeLessThan(300)
})

it('a seed can’t have more', () => {
  const seed = { clients: Array(1001).fill(client), webhooks: Array(201).fill(webhook) }
  expect(parseSeed(seed)).toMatchObject({
    faults: [
      { path: ['clients'], message: 'must have at most 1000 items' },
      { path: ['webhooks'], message: 'must have at most 200 items' },
    ],
  })
})

it('the last 100 forced failures are kept', async () => {
  const { call } = await open()
  for (let index = 0; index <= 100; index += 1) {
    await call('POST /_sandbox/failures', { body: { path: `/${index}`, status: 500 } })
  }
  const { failures } = (await call('GET /_sandbox/failures')).json
  expect(failures).toHaveLength(100)
  expect(failures[0].path).toBe('/1')
})

it('the last 1000 deliveries are listed', async () => {
  const receiver = await openForTest(startReceiver('http'))
  const webhooks = Array(101).fill({ ...webhook, url: receiver.url })
  const { call } = await open({ seed: { webhooks } })
  for (let session = 0; session < 10; session += 1) {
    await call('POST /sessions/', { body: { url } })
    await call('GET /_sandbox/deliveries')
  }
  const { deliveries } = (await call('GET /_sandbox/deliveries')).json
  expect(deliveries).toHaveLength(1000)
  expect(deliveries[0].webhookId).toBe(11)
})
