import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '../../src/api/index.ts'
import { routes } from '../../src/sandbox/rest/answer-rest.ts'
import { wrapMarkdown } from '../support/wrap-markdown.ts'
import { top } from './source-tree.ts'

/** What the client and the stand-in have for an endpoint or a topic. Sentences are Markdown, with no line feed. */
type Row = readonly [
  methods: readonly string[],
  /** What the stand-in chose itself, where the documentation is silent. */
  ours?: string | undefined,
  /** What is documented, or may be expected, and is missing. */
  missing?: string,
]

/** By `METHOD /path/` of an endpoint, in the order of the API's description, then by what concerns them all. */
const table: Readonly<Record<string, Row>> = {
  'GET /agents/': [['agents.list'], 'Online unless the seed says otherwise.'],
  'POST /agents/': [['agents.create'], 'Addresses are unique.', 'Passwords.'],
  'GET /agents/{AGENT_ID}/': [['agents.get']],
  'PUT /agents/{AGENT_ID}/': [['agents.update']],
  'DELETE /agents/{AGENT_ID}/': [['agents.delete']],
  'POST /agents/access-token/': [['agents.createAccessToken']],
  'GET /sessions/': [['sessions.list', 'sessions.listOfClient'], 'The newest first.'],
  'POST /sessions/': [['sessions.create'], undefined, 'The page, in the window of a link.'],
  'GET /sessions/{ID}/': [['sessions.get']],
  'POST /sessions/{ID}/end/': [['sessions.end'], 'A repeated call changes nothing.'],
  'GET /company/options/': [
    ['options.get'],
    'Names of both sets, or of one (`optionNames` of the seed). The plan `client_basic` fixes three options.',
  ],
  'POST /company/options/': [['options.replace'], 'Decides the defaults, and which names mean the same.'],
  'PATCH /company/options/': [['options.change']],
  'DELETE /company/options/': [['options.reset']],
  'GET /sessions/{ID}/screenshots/latest/': [['screenshots.latest'], 'Shows the session’s id alone.'],
  'POST /sessions/{ID}/screenshots/create/': [['screenshots.create'], 'The window has 1280 pixels.'],
  'GET /clients/{RESELLER}/': [['clients.list'], 'Also under `/clients/demo-reseller-key/`, the old path.'],
  'POST /clients/{RESELLER}/': [['clients.create'], 'At most 10 agents; any plan name.'],
  'GET /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.get']],
  'POST /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.setDomains'], undefined, 'Domains restrict nothing.'],
  'PUT /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.update'], 'Other missing fields keep their values.'],
  'DELETE /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.delete'], 'The client’s keys stop working.'],
  'GET /servers/': [['servers.list'], 'Two with documentation addresses, or the seed’s.'],
  'GET /history/': [['history.list', 'history.pages'], 'The newest first, `pageSize` of the seed on a page.'],
  'GET /webhooks/': [['webhooks.list', 'webhooks.pages']],
  'POST /webhooks/': [
    ['webhooks.create'],
    'Sends also `webhook_id`, `company_id` and `sent_at`; 10 s, no redirect.',
  ],
  'GET /webhooks/{WEBHOOK_ID}/': [['webhooks.get']],
  'PUT /webhooks/{WEBHOOK_ID}/': [['webhooks.replace', 'webhooks.setEnabled']],
  'DELETE /webhooks/{WEBHOOK_ID}/': [['webhooks.delete']],
  Authentication: [[], '401 for a missing or unknown key.', 'Permissions of roles.'],
  Errors: [[], '400, 404, 405, 413 above 1 MiB, 415 for neither JSON nor a form, with all faults.'],
  Continuation: [
    [],
    'A widget calls `/_widget/sessions` at the service, `store` and `restore` at the points. Everything else below the prefix answers with what arrived, as JSON.',
  ],
}

const page = join(top, 'docs/rest-api.md')
const between =
  /(<!-- endpoints, written by test\/project\/endpoint-table\.test\.ts -->\n)[\s\S]*?(<!-- \/endpoints -->)/

function renderList(): string {
  const lines = Object.entries(table).map(([topic, [methods, ours, missing]]) => {
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

it('every endpoint of the stand-in has a client method that exists', () => {
  const client: unknown = createClient({ baseUrl: 'http://127.0.0.1:1/v2', apiKey: 'key' })
  const topics = Object.keys(table)
  const endpoints = routes.map(({ method, path }) => `${method} ${path}`)
  expect(topics.filter((topic) => topic.includes('/')).sort()).toEqual(endpoints.sort())
  for (const name of Object.values(table).flatMap(([methods]) => methods)) {
    const method = name.split('.').reduce((value: unknown, key) => Reflect.get(Object(value), key), client)
    expect(method, name).toBeTypeOf('function')
  }
})
