/** What the stand-in does about one endpoint or topic. Sentences, in Markdown, with no line feed. */
export interface Support {
  /** `METHOD /path/` of an endpoint, or the name of a topic. */
  readonly topic: string
  /** What it does as the service documents it. */
  readonly documented: string
  /** What it chose itself, where the documentation is silent. */
  readonly ours?: string
  /** What is documented, or may be expected, and is missing. */
  readonly missing?: string
}

/** Every endpoint, in the order of the API's description, then what concerns them all. */
export const supportTable: readonly Support[] = [
  {
    topic: 'GET /agents/',
    documented: '`free` asks for agents that are available and online.',
    ours: 'An agent is online unless the seed says otherwise.',
  },
  {
    topic: 'POST /agents/',
    documented: 'Without `role` a regular agent; `agent_id` is a string here and an integer elsewhere.',
    ours: 'Addresses are unique. A new agent is available.',
    missing: 'The password is ignored: there is no login.',
  },
  {
    topic: 'GET /agents/{AGENT_ID}/',
    documented: 'All fields of an agent.',
    ours: '`last_login` of an agent who never had a token is the time of creation.',
  },
  {
    topic: 'PUT /agents/{AGENT_ID}/',
    documented: 'The response has four fields. Without `role` it becomes `agent`, the default.',
  },
  {
    topic: 'DELETE /agents/{AGENT_ID}/',
    documented: 'The response is a confirmation.',
  },
  {
    topic: 'POST /agents/access-token/',
    documented:
      'One active token for 86400 s; kept on repetition, renewed when forced or when less than 5 minutes are left. Creates an agent of an unknown address; `role` of a known one is ignored. 404 with `errors.agent_id`.',
    ours: '`POST /_sandbox/agent-token` says whether a token is active.',
  },
  {
    topic: 'GET /sessions/',
    documented: 'All filters; `clientkey` of a reseller’s client gives five fields.',
    ours: 'The newest first. A session must match every filter.',
  },
  {
    topic: 'POST /sessions/',
    documented:
      'Any option by either name, `leader_link`, unique formatted id, PIN unique among active sessions. Closed if the leader link is not opened within 2 minutes.',
    ours: 'The limits of the plan apply. A link leads to a window that shows who is there.',
    missing: 'The window shows no page.',
  },
  {
    topic: 'GET /sessions/{ID}/',
    documented: 'Formatted or unformatted id.',
  },
  {
    topic: 'POST /sessions/{ID}/end/',
    documented: 'Fills `end_time` and `duration`.',
    ours: 'A repeated call changes nothing.',
  },
  {
    topic: 'GET /company/options/',
    documented: 'Limits of the plan applied; the widget key is accepted.',
    ours: 'Answers names of both sets, or of one (`optionNames` of the seed). Plans come from the seed; `client_basic` fixes three options, `client_enterprise` none.',
  },
  {
    topic: 'POST /company/options/',
    documented: 'What is missing goes back to its default.',
    ours: 'The defaults, and which names of the two sets mean the same option. An unknown option is 400.',
  },
  { topic: 'PATCH /company/options/', documented: 'Changes only what is given.', ours: 'As with POST.' },
  { topic: 'DELETE /company/options/', documented: '200 without content.' },
  {
    topic: 'GET /sessions/{ID}/screenshots/latest/',
    documented: 'Asking keeps the generation going.',
    missing: 'The image only shows the session’s id.',
  },
  {
    topic: 'POST /sessions/{ID}/screenshots/create/',
    documented: 'Interval raised to 5 s, size capped to the window, three texts.',
    ours: 'The window is 1280 pixels wide (`windowWidth` of the seed).',
  },
  {
    topic: 'GET /clients/{RESELLER}/',
    documented: '`all`, or the reseller’s key as before 2018-03-19.',
    ours: '403 with the key of an account that is not a reseller. The default reseller key is `demo-reseller-key`.',
  },
  {
    topic: 'POST /clients/{RESELLER}/',
    documented: 'Each client has keys of its own, which work at once.',
    ours: 'At most 10 agents. Any plan name is accepted.',
  },
  { topic: 'GET /clients/{RESELLER}/{CLIENT_KEY}/', documented: 'Six fields.' },
  {
    topic: 'POST /clients/{RESELLER}/{CLIENT_KEY}/',
    documented: 'Sets the domains.',
    ours: 'A pattern is letters, digits, `*`, `.`, `-` and a port.',
    missing: 'Domains restrict nothing.',
  },
  {
    topic: 'PUT /clients/{RESELLER}/{CLIENT_KEY}/',
    documented: 'The fields of both descriptions, answers three.',
    ours: 'Fields that are left out keep their values.',
  },
  {
    topic: 'DELETE /clients/{RESELLER}/{CLIENT_KEY}/',
    documented: 'The response is a confirmation.',
    ours: 'The client’s keys stop working at once.',
  },
  {
    topic: 'GET /servers/',
    documented: 'No key.',
    ours: 'Two servers with documentation addresses, or the seed’s; `ips` is a list with commas.',
  },
  {
    topic: 'GET /history/',
    documented:
      'All filters, stackable; `null` literals; `tags` repeatable; dates half-open; `next` and `previous` carry `page`.',
    ours: 'The newest first, `pageSize` of the seed on a page.',
  },
  { topic: 'GET /webhooks/', documented: 'Pages with `count`.' },
  {
    topic: 'POST /webhooks/',
    documented:
      '201. `session.started` is delivered to enabled webhooks, the certificate verified if so flagged.',
    ours: 'One POST with `category`, `webhook_id`, `company_id`, `sent_at` and `session`, to any registered URL; 10 s, no redirect. `GET /_sandbox/deliveries` shows the outcome.',
  },
  { topic: 'GET /webhooks/{WEBHOOK_ID}/', documented: 'All fields.' },
  { topic: 'PUT /webhooks/{WEBHOOK_ID}/', documented: 'All four fields are required.' },
  { topic: 'DELETE /webhooks/{WEBHOOK_ID}/', documented: '204.' },
  {
    topic: 'Authentication',
    documented: 'Query parameter `api_key`, or `API_KEY`.',
    ours: '401 without a key and with an unknown one.',
    missing: 'Permissions of agent roles.',
  },
  {
    topic: 'Errors',
    documented: 'The body `{"errors": {field: [message]}}`.',
    ours: '400 for a wrong, missing or unknown field, 404 for an unknown id, 405, 413 above 1 MiB, 415 for a body that is not JSON. An answer lists all faults.',
  },
  {
    topic: 'Rate',
    documented: '100 calls a minute from one address.',
    ours: 'The minute runs on the stand-in’s clock.',
  },
  {
    topic: 'Continuation',
    documented:
      'The verification page and its four checks. A session that a widget starts is a session of the API. Back-transfer after its end.',
    ours: 'What a widget says to the service and to the points: `/_widget/sessions`, `init`, `create`, `store` and `restore`. Everything else below the prefix answers JSON that says what arrived.',
  },
]
