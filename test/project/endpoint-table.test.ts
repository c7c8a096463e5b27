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
  'GET /agents/': [['agents.list'], 'An agent is online unless the seed says otherwise.'],
  'POST /agents/': [
    ['agents.create'],
    'Addresses are unique. A new agent is available.',
    'The password is ignored: there is no login.',
  ],
  'GET /agents/{AGENT_ID}/': [
    ['agents.get'],
    'Before the first token, `last_login` is the time of creation.',
  ],
  'PUT /agents/{AGENT_ID}/': [['agents.update']],
  'DELETE /agents/{AGENT_ID}/': [['agents.delete']],
  'POST /agents/access-token/': [['agents.createAccessToken']],
  'GET /sessions/': [
    ['sessions.list', 'sessions.listOfClient'],
    'Those that match every filter, the newest first.',
  ],
  'POST /sessions/': [
    ['sessions.create'],
    'The limits of the plan apply. A link leads to a window that shows who is there.',
    'The window shows no page.',
  ],
  'GET /sessions/{ID}/': [['sessions.get']],
  'POST /sessions/{ID}/end/': [['sessions.end'], 'A repeated call changes nothing.'],
  'GET /company/options/': [
    ['options.get'],
    'Names of both sets, or of one (`optionNames` of the seed). Plans come from the seed; `client_basic` fixes three options, `client_enterprise` none.',
  ],
  'POST /company/options/': [
    ['options.replace'],
    'Decides the defaults, and which names of both sets mean the same option.',
  ],
  'PATCH /company/options/': [['options.change'], 'As with POST.'],
  'DELETE /company/options/': [['options.reset']],
  'GET /sessions/{ID}/screenshots/latest/': [
    ['screenshots.latest'],
    undefined,
    'The image only shows the session’s id.',
  ],
  'POST /sessions/{ID}/screenshots/create/': [
    ['screenshots.create'],
    'The window is 1280 pixels wide (`windowWidth` of the seed).',
  ],
  'GET /clients/{RESELLER}/': [
    ['clients.list'],
    '403 with a key that is not a reseller’s. The default reseller key is `demo-reseller-key`.',
  ],
  'POST /clients/{RESELLER}/': [['clients.create'], 'At most 10 agents. Any plan name is accepted.'],
  'GET /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.get']],
  'POST /clients/{RESELLER}/{CLIENT_KEY}/': [
    ['clients.setDomains'],
    'Patterns are letters, digits, `*`, `.`, `-` and a port.',
    'Domains restrict nothing.',
  ],
  'PUT /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.update'], 'Missing fields keep their values.'],
  'DELETE /clients/{RESELLER}/{CLIENT_KEY}/': [['clients.delete'], 'The client’s keys stop working at once.'],
  'GET /servers/': [
    ['servers.list'],
    'Two servers with documentation addresses, or the seed’s; `ips` is a list with commas.',
  ],
  'GET /history/': [['history.list', 'history.pages'], 'The newest first, `pageSize` of the seed on a page.'],
  'GET /webhooks/': [['webhooks.list', 'webhooks.pages']],
  'POST /webhooks/': [
    ['webhooks.create'],
    'One POST with `category`, `webhook_id`, `company_id`, `sent_at` and `session`, to any registered URL; 10 s, no redirect. `GET /_sandbox/deliveries` shows the outcome.',
  ],
  'GET /webhooks/{WEBHOOK_ID}/': [['webhooks.get']],
  'PUT /webhooks/{WEBHOOK_ID}/': [['webhooks.replace']],
  'DELETE /webhooks/{WEBHOOK_ID}/': [['webhooks.delete']],
  Authentication: [[], '401 without a key and with an unknown one.', 'Permissions of agent roles.'],
  Errors: [
    [],
    '400 for a wrong, missing or unknown field, 404 for an unknown id, 405, 413 above 1 MiB, 415 for a body that is neither JSON nor a form. An answer lists all faults.',
  ],
  Rate: [[], 'The minute runs on the stand-in’s clock.'],
  Continuation: [
    [],
    'What a widget says to the service and the points: `/_widget/sessions`, `store` and `restore`. Everything else below the prefix answers with what arrived, as JSON.',
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
