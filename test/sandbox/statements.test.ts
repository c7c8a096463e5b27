import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { openForTest } from '../support/open-for-test.ts'
import { callsOf } from './support/call.ts'
import { optionSets } from './support/option-sets.ts'
import { openStandIn } from './support/stand-in.ts'

/*
 * The tables of the service's document, written down once more by hand: every field of every resource (section 2), and
 * every endpoint with what it takes and answers (section 4); every option (2.4) is in support/option-sets.ts. What the
 * document leaves open is in readings.test.ts.
 */

const url = 'https://www.example.com/'
const seed = {
  pageSize: 1,
  agents: [
    { agent_id: 7, agent_name: 'Ada', agent_email: 'ada@example.com', role: 'admin' as const },
    { agent_id: 8, agent_name: 'Bo', agent_email: 'bo@example.com' },
  ],
  sessions: [
    { start_url: url, start_time: Date.UTC(2029, 0, 1), duration: 60, agent_id: 7, tags: ['a', 'b'] },
    { start_url: url, start_time: Date.UTC(2029, 1, 1) },
  ],
  webhooks: [{ url, category: 'session.started', enabled: false, ssl_verification: true }],
  clients: [
    {
      company_name: 'Client',
      client_key: 'client-key',
      sessions: [{ start_url: url, start_time: Date.UTC(2029, 0, 1) }],
    },
  ],
}
const { call } = await openStandIn({ seed })

type Kind = keyof typeof kinds
type Fields = Readonly<Record<string, Kind>>

const kinds = {
  string: (value: unknown) => typeof value === 'string',
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  number: (value: unknown) => typeof value === 'number',
  null: (value: unknown) => value === null,
  timestamp: (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(value)),
  url: (value: unknown) => URL.canParse(String(value)),
  role: (value: unknown) => ['admin', 'manager', 'agent'].includes(String(value)),
  strings: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  list: (value: unknown) => Array.isArray(value),
  json: (value: unknown) => Array.isArray(JSON.parse(String(value))),
  jsonObject: (value: unknown) => typeof value === 'string' && JSON.parse(value).constructor === Object,
  object: (value: unknown) => typeof value === 'object' && !Array.isArray(value),
  noKey: (value: unknown) => value === 0 || value === '',
  key: (value: unknown) => typeof value === 'string' || value === 0,
  formattedId: (value: unknown) => /^\d{3}-\d{3}-\d{3}$/.test(String(value)),
  pin: (value: unknown) => value === null || /^\d{4}$/.test(String(value)),
  'integer or null': (value: unknown) => value === null || Number.isInteger(value),
  'boolean or null': (value: unknown) => value === null || typeof value === 'boolean',
  'timestamp or null': (value: unknown) => value === null || kinds.timestamp(value),
  'link or null': (value: unknown) => value === null || /[?&]page=\d+/.test(String(value)),
  'waiting time or null': (value: unknown) => value === null || /^\d\d:\d\d:\d\d$/.test(String(value)),
}

const agent: Fields = {
  agent_id: 'integer',
  agent_name: 'string',
  agent_email: 'string',
  last_login: 'timestamp',
  role: 'role',
  available: 'boolean',
}
const commonSession: Fields = {
  id: 'string',
  session_id: 'string',
  formatted_id: 'formattedId',
  agent_id: 'integer or null',
  follower_link: 'url',
  cobro_server_name: 'string',
  start_time: 'timestamp',
  duration: 'integer or null',
  end_time: 'timestamp or null',
  queue_id: 'integer',
  pin: 'pin',
  queued: 'boolean',
  waiting_time: 'waiting time or null',
  start_url: 'url',
  meta: 'jsonObject',
  tags: 'strings',
  videochat_archive_id: 'null',
  space: 'null',
  options: 'object',
}
const createdSession: Fields = { ...commonSession, leader_link: 'url' }
const session: Fields = { ...commonSession, participant_num: 'integer', successful_start: 'boolean or null' }
const client: Fields = {
  company_name: 'string',
  company_plan_name: 'string',
  client_key: 'string',
  agent_count: 'integer',
  widget_key: 'string',
  rest_key: 'string',
  domains: 'string',
}
const webhook: Fields = {
  id: 'integer',
  url: 'url',
  category: 'string',
  enabled: 'boolean',
  ssl_verification: 'boolean',
  company_id: 'integer',
}
const confirmation: Fields = { response: 'string' }

interface Endpoint {
  /** A value for each field: it is accepted, and one of another type is refused. */
  readonly required?: Readonly<Record<string, unknown>>
  readonly optional?: Readonly<Record<string, unknown>>
  /** For each parameter, what it accepts, and what it refuses. */
  readonly query?: Readonly<Record<string, readonly [takes: readonly string[], refuses?: string]>>
  readonly status?: number
  /** The fields of the object, or of each item of the array, and no other; a text; nothing. */
  readonly answer: Fields | readonly [Fields] | string | undefined
  /** For a page: the fields of each result. */
  readonly results?: Fields
}

const agentFields = { agent_email: 'dee@example.com', role: 'manager' }
const clientFields = {
  company_plan_name: 'client_basic',
  domains: '*.example.com,example.org',
  agent_email: 'eve@example.com',
  agent_name: 'Eve',
  agent_password: 'secret',
}
const webhookFields = { url, category: 'session.started', enabled: true, ssl_verification: false }

/** By method and path. `SESSION` stands for the id of a session that runs. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /agents/': { query: { free: [['true', 'False'], 'maybe'] }, answer: [agent] },
  'POST /agents/': {
    required: { username: 'Dee', agent_email: 'dee@example.com', password: 'secret' },
    optional: { role: 'manager' },
    answer: { agent_id: 'string' },
  },
  'GET /agents/7/': { answer: agent },
  'PUT /agents/7/': {
    optional: { username: 'Dee', available: false, ...agentFields },
    answer: { agent_name: 'string', agent_id: 'integer', agent_email: 'string', available: 'boolean' },
  },
  'DELETE /agents/7/': { answer: confirmation },
  'POST /agents/access-token/': {
    required: { email: 'dee@example.com', name: 'Dee' },
    optional: { agent_id: 7, role: 'admin', force_new: true },
    answer: {
      user_created: 'boolean',
      agent_token: 'string',
      expires_in: 'integer',
      agent_id: 'integer',
      agent_role: 'role',
    },
  },
  'GET /sessions/': {
    query: {
      active_session: [['true', 'false'], '1'],
      agent_id: [['7'], 'Ada'],
      year: [['2029'], 'now'],
      month: [['1', '12'], '13'],
      pin: [['0042', '42'], '12345'],
      tags: [['a', 'a,b']],
    },
    answer: [session],
  },
  'GET /sessions/?clientkey=client-key': {
    query: { active_session: [['true', 'false'], '1'], year: [['2029'], 'now'], month: [['1'], '0'] },
    answer: [
      {
        session_id: 'string',
        agent_id: 'integer or null',
        follower_link: 'url',
        start_time: 'timestamp',
        duration: 'integer or null',
      },
    ],
  },
  'POST /sessions/': {
    required: { url },
    optional: { agent_id: 7, tags: ['a'], skip_queue: true, ui_off: true, sounds_enabled: false },
    answer: createdSession,
  },
  'GET /sessions/SESSION/': { answer: session },
  'POST /sessions/SESSION/end/': { answer: session },
  'GET /company/options/': { answer: undefined },
  'POST /company/options/': { optional: { white_label: true }, answer: undefined },
  'PATCH /company/options/': { optional: { white_label: true }, answer: undefined },
  'DELETE /company/options/': { answer: '' },
  'GET /sessions/SESSION/screenshots/latest/': { answer: { url: 'url' } },
  'POST /sessions/SESSION/screenshots/create/': {
    optional: { size: 800, interval: 5 },
    answer: 'ALREADY-RUNNING',
  },
  'GET /clients/all/': { answer: [client] },
  'POST /clients/all/': {
    required: { company_name: 'New' },
    optional: clientFields,
    answer: { company_name: 'string', client_key: 'string', rest_key: 'string', widget_key: 'string' },
  },
  'GET /clients/all/client-key/': { answer: client },
  'POST /clients/all/client-key/': {
    required: { domains: '*.example.com,example.org' },
    answer: { domains: 'string' },
  },
  'PUT /clients/all/client-key/': {
    optional: { company_name: 'New', ...clientFields },
    answer: { agent_count: 'integer', company_name: 'string', client_key: 'string' },
  },
  'DELETE /clients/all/client-key/': { answer: confirmation },
  'GET /servers/': { answer: [{ id: 'string', region: 'string', description: 'string', ips: 'string' }] },
  'GET /history/': {
    query: {
      active_session: [['true', 'false'], 'null'],
      agent_id: [['7', 'null'], 'Ada'],
      pin: [['0042', 'null'], '42'],
      tags: [['a', 'null']],
      min_duration: [['60', '1.5'], 'long'],
      max_duration: [['60', '1.5'], 'long'],
      min_date: [['2029-01-01T00:00:00.000000Z', '2029-01-01T02:00:00%2B02:00'], 'today'],
      max_date: [['2029-01-01T00:00:00.000000Z', '2029-01-01T02:00:00%2B02:00'], 'today'],
    },
    answer: { next: 'link or null', previous: 'link or null', results: 'list' },
    results: session,
  },
  'GET /webhooks/': {
    answer: { count: 'integer', next: 'link or null', previous: 'link or null', results: 'list' },
    results: webhook,
  },
  'POST /webhooks/': { required: webhookFields, status: 201, answer: webhook },
  'GET /webhooks/1/': { answer: webhook },
  'PUT /webhooks/1/': { required: webhookFields, answer: webhook },
  'DELETE /webhooks/1/': { status: 204, answer: '' },
}

/** What these fields hold and should not, or lack; empty when each has its type and there is no other. */
function findDifferences(fields: Fields, value: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...Object.keys(value).filter((name) => !(name in fields)),
    ...Object.entries(fields).flatMap(([name, kind]) =>
      kinds[kind](value[name]) ? [] : [`${name}: ${kind}`],
    ),
  ]
}

const notOf = (value: unknown) => (typeof value === 'object' ? 5 : [value])
const without = (fields: object, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))

describe.each(Object.entries(endpoints))('%s', (name, endpoint) => {
  const { required, optional, query = {}, status = 200, answer, results } = endpoint
  const [, path = ''] = name.split(' ', 2)
  /** With a session that a leader opened and screenshots are taken of, where the path names one. */
  const resolve = async () => {
    if (!path.includes('SESSION')) return name
    const { id } = (await call('POST /sessions/', { body: { url } })).json
    await call(`POST /sessions/${id}/screenshots/create/`, { body: {} })
    return name.replace('SESSION', id)
  }
  const ask = async (body?: object) => call(await resolve(), body === undefined ? {} : { body })
  const body = required === undefined && optional === undefined ? undefined : { ...required, ...optional }

  it('answers with its status, and with its documented fields alone', async () => {
    const given = await ask(body === undefined ? undefined : without(body, 'agent_id'))
    expect(given.status).toBe(status)
    if (typeof answer === 'string') return expect(given.text).toBe(answer)
    if (answer === undefined) return
    const items = Array.isArray(answer) ? given.json : [given.json]
    expect(items.length).toBeGreaterThan(0)
    const fields: Fields = Array.isArray(answer) ? answer[0] : answer
    expect(items.flatMap((each: object) => findDifferences(fields, { ...each }))).toEqual([])
    if (results === undefined) return
    expect(given.json.results.length).toBeGreaterThan(0)
    expect(given.json.results.flatMap((each: object) => findDifferences(results, { ...each }))).toEqual([])
  })

  if (body !== undefined)
    it('requires what is required, and accepts what is optional', async () => {
      expect((await ask(required ?? {})).status).toBe(status)
      for (const field of Object.keys(required ?? {})) {
        const { status: refused, json } = await ask(without(required ?? {}, field))
        expect([refused, Object.keys(json.errors)]).toEqual([400, [field]])
      }
      for (const [field, value] of Object.entries(optional ?? {})) {
        await call('POST /_sandbox/reset')
        expect([field, (await ask({ ...required, [field]: value })).status]).toEqual([field, status])
      }
      for (const [field, value] of Object.entries(body ?? {})) {
        const { status: refused, json } = await ask({ ...required, [field]: notOf(value) })
        expect([refused, Object.keys(json.errors)]).toEqual([400, [field]])
      }
    })

  if (Object.keys(query).length > 0)
    it('accepts its parameters', async () => {
      const withParameter = (parameter: string, value: string) =>
        call(`${name}${path.includes('?') ? '&' : '?'}${parameter}=${value}`)
      for (const [parameter, [takes, refuses]] of Object.entries(query)) {
        for (const value of takes) expect((await withParameter(parameter, value)).status).toBe(200)
        if (refuses === undefined) continue
        const { status: refused, json } = await withParameter(parameter, refuses)
        expect([refused, Object.keys(json.errors)]).toEqual([400, [parameter]])
      }
    })
})

describe('session options', () => {
  it.each(['a', 'b', 'both'] as const)('have the documented names and types (%s)', async (optionNames) => {
    const fields: Fields =
      optionNames === 'both' ? { ...optionSets.a, ...optionSets.b } : optionSets[optionNames]
    const { url: own } = await openForTest(startSandbox({ seed: { optionNames } }))
    const calls = callsOf(own)
    const { json } = await calls('GET /company/options/')
    const { options } = (await calls('POST /sessions/', { body: { url } })).json
    expect(findDifferences(fields, json)).toEqual([])
    expect(findDifferences({ ...fields, widget_key: 'noKey' }, options)).toEqual([])
  })

  it.each(['a', 'b'] as const)('are taken by each name of set %s, and only of their type', async (set) => {
    const { json } = await call('GET /company/options/')
    for (const path of ['PATCH /company/options/', 'POST /company/options/', 'POST /sessions/']) {
      const rest = path.endsWith('/sessions/') ? { url } : {}
      const own = Object.fromEntries(Object.keys(optionSets[set]).map((name) => [name, json[name]]))
      expect((await call(path, { body: { ...rest, ...own } })).status).toBe(200)
      const wrong = Object.fromEntries(Object.keys(own).map((name) => [name, { not: 'this' }]))
      const refused = await call(path, { body: { ...rest, ...wrong } })
      expect([refused.status, Object.keys(refused.json.errors).sort()]).toEqual([
        400,
        Object.keys(own).sort(),
      ])
    }
  })

  it.each(['name', 'domain', 'path', 'httponly'])('a scope has %s, of its type', async (member) => {
    const scope = { name: 'sid', domain: '.example.com', path: '/', httponly: true }
    const patch = (body: object) => call('PATCH /company/options/', { body })
    const kept = await patch({ cookie_transfer_scopes: [scope] })
    expect([kept.status, kept.json.cookie_transfer_scopes]).toEqual([200, [scope]])
    const bads = [{ ...scope, [member]: 5 }, ...(member === 'httponly' ? [] : [without(scope, member)])]
    for (const bad of bads) {
      const { status, json } = await patch({ cookie_transfer_scopes: [scope, bad] })
      const errors = { cookie_transfer_scopes: [expect.stringContaining(`1/${member}`)] }
      expect([status, json.errors]).toEqual([400, errors])
    }
  })
})
