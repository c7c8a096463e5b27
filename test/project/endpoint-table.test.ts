import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { supportTable } from '../../src/sandbox/support-matrix/support-table.ts'
import { top } from './source-tree.ts'

/** By endpoint: the client's methods, and the test of the stand-in's side. The client's side is one table of tests. */
const rows: Readonly<Record<string, readonly [methods: readonly string[], standInTest: string]>> = {
  'GET /agents/': [['agents.list'], 'agents'],
  'POST /agents/': [['agents.create'], 'agents'],
  'GET /agents/{AGENT_ID}/': [['agents.get'], 'agents'],
  'PUT /agents/{AGENT_ID}/': [['agents.update'], 'agents'],
  'DELETE /agents/{AGENT_ID}/': [['agents.delete'], 'agents'],
  'POST /agents/access-token/': [['agents.createAccessToken'], 'access-token'],
  'GET /sessions/': [['sessions.list', 'sessions.listOfClient'], 'sessions'],
  'POST /sessions/': [['sessions.create'], 'sessions'],
  'GET /sessions/{ID}/': [['sessions.get'], 'sessions'],
  'POST /sessions/{ID}/end/': [['sessions.end'], 'sessions'],
  'GET /company/options/': [['options.get'], 'company-options'],
  'POST /company/options/': [['options.replace'], 'company-options'],
  'PATCH /company/options/': [['options.change'], 'company-options'],
  'DELETE /company/options/': [['options.reset'], 'company-options'],
  'GET /sessions/{ID}/screenshots/latest/': [['screenshots.latest'], 'screenshots'],
  'POST /sessions/{ID}/screenshots/create/': [['screenshots.create'], 'screenshots'],
  'GET /clients/{RESELLER}/': [['clients.list'], 'clients'],
  'POST /clients/{RESELLER}/': [['clients.create'], 'clients'],
  'GET /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.get'], 'clients'],
  'POST /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.setDomains'], 'clients'],
  'PUT /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.update'], 'clients'],
  'DELETE /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.delete'], 'clients'],
  'GET /servers/': [['servers.list'], 'servers'],
  'GET /history/': [['history.list', 'history.pages'], 'history'],
  'GET /webhooks/': [['webhooks.list', 'webhooks.pages'], 'webhooks'],
  'POST /webhooks/': [['webhooks.create'], 'webhooks'],
  'GET /webhooks/{WEBHOOK_ID}/': [['webhooks.get'], 'webhooks'],
  'PUT /webhooks/{WEBHOOK_ID}/': [['webhooks.replace'], 'webhooks'],
  'DELETE /webhooks/{WEBHOOK_ID}/': [['webhooks.delete'], 'webhooks'],
}

const page = join(top, 'docs/rest-api.md')
const between =
  /(<!-- endpoints, written by test\/project\/endpoint-table\.test\.ts -->\n)[\s\S]*?(<!-- \/endpoints -->)/

function renderTable(): string {
  const endpoints = supportTable.filter(({ topic }) => topic.includes('/'))
  const lines = endpoints.map(({ topic, documented, ours = '', missing = '' }) => {
    const [methods, file] = rows[topic] ?? [[], '']
    const test = `[test](../test/sandbox/rest/${file}.test.ts)`
    const cells = [
      `\`${topic}\``,
      methods.map((name) => `\`${name}\``).join(', '),
      documented,
      ours,
      missing,
      test,
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  const head =
    '| endpoint | client | stand-in, as documented | its own choice | not imitated | shown by |\n| --- | --- | --- | --- | --- | --- |'
  return `\n${[head, ...lines].join('\n')}\n\n`
}

it('docs/rest-api.md lists every endpoint: npm run documents writes it', () => {
  const text = readFileSync(page, 'utf8')
  expect(text).toMatch(between)
  const expected = text.replace(between, (_all, start, end) => `${start}${renderTable()}${end}`)
  if (process.env.UPDATE_DOCUMENTS === '1') writeFileSync(page, expected)
  else expect(text).toBe(expected)
})

it('every endpoint of the stand-in has a client method that exists, and a test that exists', () => {
  const client: unknown = createClient({ baseUrl: 'http://127.0.0.1:1/v2', apiKey: 'key' })
  expect(Object.keys(rows).sort()).toEqual(
    supportTable
      .map(({ topic }) => topic)
      .filter((topic) => topic.includes('/'))
      .sort(),
  )
  for (const [methods, file] of Object.values(rows)) {
    expect(existsSync(join(top, `test/sandbox/rest/${file}.test.ts`))).toBe(true)
    for (const name of methods) {
      const method = name.split('.').reduce((value: unknown, key) => Reflect.get(Object(value), key), client)
      expect(method, name).toBeTypeOf('function')
    }
  }
})
