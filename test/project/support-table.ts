/** What the stand-in does about one endpoint or topic. Sentences, in Markdown, with no line feed. */
export interface Support {
  /** `METHOD /path/` of an endpoint, or the name of a topic. */
  readonly topic: string
  /** What it chose itself, where the documentation is silent. */
  readonly ours?: string
  /** What is documented, or may be expected, and is missing. */
  readonly missing?: string
}

/** Every endpoint, in the order of the API's description, then what concerns them all. */
export const supportTable: readonly Support[] = [
  {
    topic: 'GET /agents/',
    ours: 'An agent is online unless the seed says otherwise.',
  },
  {
    topic: 'POST /agents/',
    ours: 'Addresses are unique. A new agent is available.',
    missing: 'The password is ignored: there is no login.',
  },
  {
    topic: 'GET /agents/{AGENT_ID}/',
    ours: '`last_login` of an agent who never had a token is the time of creation.',
  },
  {
    topic: 'PUT /agents/{AGENT_ID}/',
  },
  {
    topic: 'DELETE /agents/{AGENT_ID}/',
  },
  {
    topic: 'POST /agents/access-token/',
    ours: '`POST /_sandbox/agent-token` says whether a token is active.',
  },
  {
    topic: 'GET /sessions/',
    ours: 'The newest first. A session must match every filter.',
  },
  {
    topic: 'POST /sessions/',
    ours: 'The limits of the plan apply. A link leads to a window that shows who is there.',
    missing: 'The window shows no page.',
  },
  {
    topic: 'GET /sessions/{ID}/',
  },
  {
    topic: 'POST /sessions/{ID}/end/',
    ours: 'A repeated call changes nothing.',
  },
  {
    topic: 'GET /company/options/',
    ours: 'Answers names of both sets, or of one (`optionNames` of the seed). Plans come from the seed; `client_basic` fixes three options, `client_enterprise` none.',
  },
  {
    topic: 'POST /company/options/',
    ours: 'Decides the defaults, and which names of both sets mean the same option. An unknown option is 400.',
  },
  { topic: 'PATCH /company/options/', ours: 'As with POST.' },
  { topic: 'DELETE /company/options/' },
  {
    topic: 'GET /sessions/{ID}/screenshots/latest/',
    missing: 'The image only shows the session’s id.',
  },
  {
    topic: 'POST /sessions/{ID}/screenshots/create/',
    ours: 'The window is 1280 pixels wide (`windowWidth` of the seed).',
  },
  {
    topic: 'GET /clients/{RESELLER}/',
    ours: '403 with the key of an account that is not a reseller. The default reseller key is `demo-reseller-key`.',
  },
  {
    topic: 'POST /clients/{RESELLER}/',
    ours: 'At most 10 agents. Any plan name is accepted.',
  },
  { topic: 'GET /clients/{RESELLER}/{CLIENT_KEY}/' },
  {
    topic: 'POST /clients/{RESELLER}/{CLIENT_KEY}/',
    ours: 'A pattern is letters, digits, `*`, `.`, `-` and a port.',
    missing: 'Domains restrict nothing.',
  },
  {
    topic: 'PUT /clients/{RESELLER}/{CLIENT_KEY}/',
    ours: 'Fields that are left out keep their values.',
  },
  {
    topic: 'DELETE /clients/{RESELLER}/{CLIENT_KEY}/',
    ours: 'The client’s keys stop working at once.',
  },
  {
    topic: 'GET /servers/',
    ours: 'Two servers with documentation addresses, or the seed’s; `ips` is a list with commas.',
  },
  {
    topic: 'GET /history/',
    ours: 'The newest first, `pageSize` of the seed on a page.',
  },
  { topic: 'GET /webhooks/' },
  {
    topic: 'POST /webhooks/',
    ours: 'One POST with `category`, `webhook_id`, `company_id`, `sent_at` and `session`, to any registered URL; 10 s, no redirect. `GET /_sandbox/deliveries` shows the outcome.',
  },
  { topic: 'GET /webhooks/{WEBHOOK_ID}/' },
  { topic: 'PUT /webhooks/{WEBHOOK_ID}/' },
  { topic: 'DELETE /webhooks/{WEBHOOK_ID}/' },
  {
    topic: 'Authentication',
    ours: '401 without a key and with an unknown one.',
    missing: 'Permissions of agent roles.',
  },
  {
    topic: 'Errors',
    ours: '400 for a wrong, missing or unknown field, 404 for an unknown id, 405, 413 above 1 MiB, 415 for a body that is not JSON. An answer lists all faults.',
  },
  {
    topic: 'Rate',
    ours: 'The minute runs on the stand-in’s clock.',
  },
  {
    topic: 'Continuation',
    ours: 'What a widget says to the service and to the points: `/_widget/sessions`, `init`, `create`, `store` and `restore`. Everything else below the prefix answers JSON that says what arrived.',
  },
]
