import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { routes } from '../../src/sandbox/rest/routes.ts'
import { wrapMarkdown } from '../support/wrap-markdown.ts'
import { top } from './source-tree.ts'
import { supportTable } from './support-table.ts'

/** By topic: the client's methods, and the test of the stand-in's side. The client's side is one table of tests. */
const rows: Readonly<Record<string, readonly [methods: readonly string[], standInTest: string]>> = {
  'GET /agents/': [['agents.list'], 'rest/agents'],
  'POST /agents/': [['agents.create'], 'rest/agents'],
  'GET /agents/{AGENT_ID}/': [['agents.get'], 'rest/agents'],
  'PUT /agents/{AGENT_ID}/': [['agents.update'], 'rest/agents'],
  'DELETE /agents/{AGENT_ID}/': [['agents.delete'], 'rest/agents'],
  'POST /agents/access-token/': [['agents.createAccessToken'], 'rest/agents'],
  'GET /sessions/': [['sessions.list', 'sessions.listOfClient'], 'rest/sessions'],
  'POST /sessions/': [['sessions.create'], 'rest/sessions'],
  'GET /sessions/{ID}/': [['sessions.get'], 'rest/sessions'],
  'POST /sessions/{ID}/end/': [['sessions.end'], 'rest/sessions'],
  'GET /company/options/': [['options.get'], 'rest/company'],
  'POST /company/options/': [['options.replace'], 'rest/company'],
  'PATCH /company/options/': [['options.change'], 'rest/company'],
  'DELETE /company/options/': [['options.reset'], 'rest/company'],
  'GET /sessions/{ID}/screenshots/latest/': [['screenshots.latest'], 'rest/sessions'],
  'POST /sessions/{ID}/screenshots/create/': [['screenshots.create'], 'rest/sessions'],
  'GET /clients/{RESELLER}/': [['clients.list'], 'rest/company'],
  'POST /clients/{RESELLER}/': [['clients.create'], 'rest/company'],
  'GET /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.get'], 'rest/company'],
  'POST /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.setDomains'], 'rest/company'],
  'PUT /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.update'], 'rest/company'],
  'DELETE /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.delete'], 'rest/company'],
  'GET /servers/': [['servers.list'], 'rest/company'],
  'GET /history/': [['history.list', 'history.pages'], 'rest/sessions'],
  'GET /webhooks/': [['webhooks.list', 'webhooks.pages'], 'rest/company'],
  'POST /webhooks/': [['webhooks.create'], 'rest/company'],
  'GET /webhooks/{WEBHOOK_ID}/': [['webhooks.get'], 'rest/company'],
  'PUT /webhooks/{WEBHOOK_ID}/': [['webhooks.replace'], 'rest/company'],
  'DELETE /webhooks/{WEBHOOK_ID}/': [['webhooks.delete'], 'rest/company'],
  Authentication: [[], 'rest/refusals'],
  Errors: [[], 'rest/refusals'],
  Rate: [[], 'state/rate-limit'],
  Continuation: [[], 'session/one-session'],
}

const page = join(top, 'docs/rest-api.md')
const between =
  /(<!-- endpoints, written by test\/project\/endpoint-table\.test\.ts -->\n)[\s\S]*?(<!-- \/endpoints -->)/

function renderList(): string {
  const lines = supportTable.map(({ topic, ours, missing }) => {
    const [methods] = rows[topic] ?? [[]]
    const names = [topic, ...methods].map((name) => (/[/.]/.test(name) ? `\`${name}\`` : name)).join(', ')
    const notes = [ours, missing === undefined ? undefined : `*Not imitated:* ${missing}`].filter(
      (note) => note !== undefined,
    )
    return `- ${[notes.length === 0 ? names : `${names}:`, ...notes].join(' ')}`
  })
  return wrapMarkdown(`\n${lines.join('\n')}\n\n`)
}

it('docs/rest-api.md lists every endpoint: npm run documents writes it', () => {
  const text = readFileSync(page, 'utf8')
  expect(text).toMatch(between)
  const expected = text.replace(between, (_all, start, end) => `${start}${renderList()}${end}`)
  if (process.env.UPDATE_DOCUMENTS === '1') writeFileSync(page, expected)
  else expect(text).toBe(expected)
})

it('every endpoint of the stand-in has a client method that exists, and a test that exists', () => {
  const client: unknown = createClient({ baseUrl: 'http://127.0.0.1:1/v2', apiKey: 'key' })
  const topics = supportTable.map(({ topic }) => topic)
  expect(topics).toEqual(Object.keys(rows))
  const endpoints = routes.map(({ method, path }) => `${method} ${path}`)
  expect(topics.filter((topic) => topic.includes('/')).sort()).toEqual(endpoints.sort())
  for (const [methods, file] of Object.values(rows)) {
    expect(existsSync(join(top, `test/sandbox/${file}.test.ts`))).toBe(true)
    for (const name of methods) {
      const method = name.split('.').reduce((value: unknown, key) => Reflect.get(Object(value), key), client)
      expect(method, name).toBeTypeOf('function')
    }
  }
})
