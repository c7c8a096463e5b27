import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  type ApiClient,
  ApiError,
  type ClientSettings,
  createClient,
  type Fetch,
  type FetchAnswer,
  Secret,
} from '../../src/api/index.ts'
import { closedPort } from '../support/front-ends/raw-front-end.ts'
import { agent } from './support/samples.ts'
import { type Respond, startStub } from './support/stub-service.ts'

const key = 'rest/key&4711'

/** How the key could appear: as it is, and as URLs spell it. */
const spellings = [key, encodeURIComponent(key), '4711']

/** The error of a call that must fail; each is checked not to contain the key. */
async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.catch((reason: unknown) => reason)
  if (!(error instanceof ApiError)) throw new Error('the call was to fail with an ApiError', { cause: error })
  const shown = [
    inspect(error, { depth: 9, showHidden: true, getters: true }),
    JSON.stringify(error),
    JSON.stringify(Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name))),
    String(error),
    String(error.stack),
    String(error.cause),
  ].join('\n')
  expect(spellings.filter((spelling) => shown.includes(spelling))).toEqual([])
  return error
}

const clientOf = (baseUrl: string, more: Partial<ClientSettings> = {}) =>
  createClient({ baseUrl, apiKey: key, retries: 0, ...more })

describe('responses that are not as documented', () => {
  test.each<readonly [string, Respond, string, string]>([
    ['malformed JSON', { body: '[{"agent_id": 1' }, 'malformed', 'the body is not JSON'],
    [
      'nested JSON',
      { body: `${'['.repeat(101)}${']'.repeat(101)}` },
      'malformed',
      'the body is nested more than 100 levels deep',
    ],
    [
      'JSON that is not even complete, and nested',
      { body: '['.repeat(101) },
      'malformed',
      'the body is nested more than 100 levels deep',
    ],
    ['a page of HTML', { body: '<!doctype html><p>rest/key&4711' }, 'malformed', 'the body is not JSON'],
    ['another type', { body: agent }, 'malformed', 'the body is not an array'],
    ['octets that are not UTF-8', rawBody(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), 'malformed', ''],
    ['a body that is compressed', { headers: { 'content-encoding': 'gzip' } }, 'malformed', 'not asked for'],
    ['a body that is cut off', truncated, 'connection', ''],
    ['an endless body', endless, 'too-large', ''],
  ])('%s', async (_name, respond, kind, clause) => {
    const { baseUrl } = await startStub(respond)
    const error = await errorOf(clientOf(baseUrl, { limitBytes: 4096 }).agents.list())
    expect(error).toMatchObject({ name: 'ApiError', kind, method: 'GET', path: '/agents/', status: 200 })
    expect(error.message).toContain(clause)
  })

  test.each<readonly [string, (client: ApiClient) => Promise<unknown>, string]>([
    ['2 MiB', ({ agents }) => agents.list(), 'more than 2097152 bytes'],
    ['8 MiB of the history', ({ history }) => history.pages().next(), 'more than 8388608 bytes'],
  ])('an answer of more than %s', async (_limit, call, clause) => {
    const { baseUrl } = await startStub({ body: `[${' '.repeat(9_000_000)}]` })
    const error = await errorOf(call(clientOf(baseUrl)))
    expect([error.kind, error.message]).toEqual(['too-large', expect.stringContaining(clause)])
  })

  test('an answer of more elements than a program can bear', async () => {
    const { baseUrl } = await startStub({ body: `[${'[],'.repeat(600_000)}[]]` })
    const error = await errorOf(clientOf(baseUrl).agents.list())
    expect([error.kind, error.detail]).toEqual(['malformed', 'the body has more than 100000 elements'])
  })

  test('a value that is not documented', async () => {
    const { baseUrl } = await startStub({ body: 'GENERATION-POSTPONED' })
    const error = await errorOf(clientOf(baseUrl).screenshots.create('1'))
    expect([error.kind, error.path]).toEqual(['malformed', '/sessions/1/screenshots/create/'])
  })

  test.each<readonly [string, (client: ApiClient) => Promise<unknown>]>([
    [
      'agent_id',
      ({ agents }) => agents.create({ username: 'ada', agent_email: 'a@b.example', password: 'p' }),
    ],
    ['agent_id', ({ agents }) => agents.get(1)],
    ['agent_token', ({ agents }) => agents.createAccessToken({ agent_id: 1 })],
    ['session_id', ({ sessions }) => sessions.create({ url: 'https://www.example.com/' })],
    ['session_id', ({ sessions }) => sessions.get('1')],
    ['client_key', ({ clients }) => clients.create({ company_name: 'Example' })],
    ['url', ({ screenshots }) => screenshots.latest('1')],
    ['id', ({ webhooks }) => webhooks.get(1)],
    ['array of results', ({ history }) => history.pages().next()],
    ['array of results', ({ webhooks }) => webhooks.pages().next()],
  ])('one without %s, which the call can’t do without (%#)', async (missing, call) => {
    for (const body of [{ results: null }, { [missing]: null }]) {
      const { baseUrl } = await startStub({ body })
      const error = await errorOf(call(clientOf(baseUrl)))
      expect([error.kind, error.detail]).toEqual(['malformed', `the body has no ${missing}`])
    }
  })
})

describe('statuses', () => {
  test.each([
    [400, 'invalid'],
    [401, 'credential'],
    [403, 'credential'],
    [404, 'not-found'],
    [409, 'refused'],
    [413, 'refused'],
    [422, 'invalid'],
    [429, 'rate-limit'],
    [500, 'failed'],
    [503, 'failed'],
  ] as const)('%i', async (status, kind) => {
    const { baseUrl } = await startStub({
      status,
      headers: { 'content-type': 'text/html', 'x-request-id': 'req-1' },
      body: '<h1>Oops</h1>',
    })
    const error = await errorOf(clientOf(baseUrl).agents.get(7))
    expect(error).toMatchObject({ kind, status, path: '/agents/7/', fieldErrors: {}, requestId: 'req-1' })
    expect(error.message).toContain(`GET /agents/7/: `)
    expect(error.message).not.toContain('Oops')
  })

  test('what the service says about fields is passed on without the key', async () => {
    const { baseUrl } = await startStub({
      status: 404,
      body: { errors: { agent_id: ['Agent not found', 1], api_key: [`not ${key}`], odd: 'text' } },
    })
    const error = await errorOf(clientOf(baseUrl).agents.createAccessToken({ agent_id: 1 }))
    expect(error.fieldErrors).toEqual({ agent_id: ['Agent not found'], api_key: ['not [secret]'] })
    expect(error.message).toContain('; it rejected agent_id, api_key (status 404)')
  })

  test('an endless error page still has its status', async () => {
    const { baseUrl } = await startStub((arrival, outgoing) => {
      outgoing.statusCode = 500
      return endless(arrival, outgoing)
    })
    expect(await errorOf(clientOf(baseUrl).agents.list())).toMatchObject({ kind: 'failed', status: 500 })
  })

  test.each([
    ['is read up to 64 KiB', 65_536, { agent_id: ['no'] }],
    ['is not read beyond', 65_537, {}],
  ])('an error page %s', async (_name, bytes, fieldErrors) => {
    const { baseUrl } = await startStub({
      status: 400,
      body: JSON.stringify({ errors: { agent_id: ['no'] } }).padEnd(bytes),
    })
    const error = await errorOf(clientOf(baseUrl).agents.list())
    expect([error.status, error.fieldErrors]).toEqual([400, fieldErrors])
  })

  test.each([
    ['a name', { 'x-request-id': 'a.Z/0:+=-_' }, 'a.Z/0:+=-_'],
    ['the other field', { 'request-id': 'req-2' }, 'req-2'],
    ['128 characters', { 'x-request-id': 'r'.repeat(128) }, 'r'.repeat(128)],
    ['129 characters', { 'x-request-id': 'r'.repeat(129) }, undefined],
    ['a sentence', { 'x-request-id': 'ask for Ada' }, undefined],
    ['markup', { 'x-request-id': '<b>req</b>' }, undefined],
    ['nothing', { 'x-request-id': '' }, undefined],
  ])('the service’s id of the request: %s', async (_name, headers, requestId) => {
    const { baseUrl } = await startStub({ status: 500, headers })
    expect((await errorOf(clientOf(baseUrl).agents.list())).requestId).toBe(requestId)
  })

  test('a client key is in no error', async () => {
    const { baseUrl } = await startStub({ status: 404 })
    const error = await errorOf(clientOf(baseUrl).clients.get('secret-client'))
    expect(error.path).toBe('/clients/all/{CLIENT_KEY}/')
    expect(inspect(error)).not.toContain('secret-client')
  })
})

describe('the key is removed from what the service quotes, in every spelling', () => {
  test.each([
    ['rest key&1', 'rest key&1 rest%20key%261 rest+key%261', '[secret] [secret] [secret]'],
    ['a/b', 'A%2fb a%2Fb', '[secret] [secret]'],
    ['s', 'glass', 'gla[secret][secret]'],
    ['%', '100 %25', '100 [secret]'],
    ['secret', 'a secret', 'a [secret]'],
    ['$&(.*', '$&(.* aaa', '[secret] aaa'],
  ])('%s', async (apiKey, message, redacted) => {
    const { baseUrl } = await startStub({ status: 400, body: { errors: { [message]: [message] } } })
    const error = await errorOf(clientOf(baseUrl, { apiKey }).agents.list())
    expect(error.fieldErrors).toEqual({ [redacted]: [redacted] })
  })
})

test('a request id that contains the key is ignored', async () => {
  const { baseUrl } = await startStub({ status: 401, headers: { 'x-request-id': 'of-rest-key-1' } })
  const error = await errorOf(clientOf(baseUrl, { apiKey: 'rest-key' }).servers.list())
  expect(error.requestId).toBeUndefined()
})

describe('a redirect is never followed', () => {
  test.each([301, 302, 303, 307, 308])('%i', async (status) => {
    const elsewhere = await startStub({ body: [] })
    const { baseUrl } = await startStub({ status, headers: { location: `${elsewhere.baseUrl}/agents/` } })
    expect(await errorOf(clientOf(baseUrl).agents.list())).toMatchObject({ kind: 'redirect', status })
    expect(elsewhere.arrivals).toEqual([])
  })
})

describe('no answer', () => {
  test('no listener', async () => {
    const error = await errorOf(clientOf(`http://127.0.0.1:${await closedPort()}/v2`).agents.list())
    expect(error).toMatchObject({ kind: 'connection', status: undefined })
    expect(error.message).toContain('(ECONNREFUSED)')
  })

  test('a body stalls', async () => {
    const { baseUrl } = await startStub((_arrival, outgoing) => {
      outgoing.writeHead(200).write('[')
      return undefined
    })
    const error = await errorOf(clientOf(baseUrl, { timeoutMs: 50 }).agents.list())
    expect(error.kind).toBe('timeout')
  })

  test('a custom fetch rejects with the URL in its message', async () => {
    const fetch = (url: string) => Promise.reject(new TypeError(`can't fetch ${url}`))
    const error = await errorOf(clientOf('http://127.0.0.1/v2', { fetch }).agents.list())
    expect(error).toMatchObject({ kind: 'connection' })
  })

  test('a fetch that does not observe its signal is left, and aborted', async () => {
    const signals: AbortSignal[] = []
    const fetch: Fetch = (_url, { signal }) => {
      signals.push(signal)
      return new Promise<FetchAnswer>(() => {})
    }
    const error = await errorOf(clientOf('http://127.0.0.1/v2', { fetch, timeoutMs: 20 }).agents.list())
    expect([error.kind, ...signals.map(({ aborted }) => aborted)]).toEqual(['timeout', true])
  })
})

describe('the caller aborts a call', () => {
  test('before it is sent', async () => {
    const { baseUrl, arrivals } = await startStub({ body: [] })
    const error = await errorOf(clientOf(baseUrl).agents.list({}, { signal: AbortSignal.abort() }))
    expect([error.kind, arrivals.length]).toEqual(['aborted', 0])
  })

  test.each(['call', 'client'])('while it is in progress, with the signal of the %s', async (whose) => {
    const abort = new AbortController()
    const { baseUrl } = await startStub(() => {
      abort.abort()
      return undefined
    })
    const [client, call] = whose === 'call' ? [{}, { signal: abort.signal }] : [{ signal: abort.signal }, {}]
    expect(await errorOf(clientOf(baseUrl, client).agents.list({}, call))).toMatchObject({ kind: 'aborted' })
  })
})

describe('keys', () => {
  test('without one, nothing that needs one is sent', async () => {
    const { baseUrl, arrivals } = await startStub({ body: [] })
    const client = createClient({ baseUrl })
    expect(await errorOf(client.agents.list())).toMatchObject({ kind: 'no-key' })
    expect(arrivals).toEqual([])
    expect(await client.servers.list()).toEqual([])
  })

  test.each<readonly [string, Secret | string]>([
    ['text', ''],
    ['secret', new Secret('')],
  ])('an empty %s counts as missing', async (_name, empty) => {
    const { baseUrl, arrivals } = await startStub({ body: {} })
    const client = createClient({ baseUrl, apiKey: empty })
    expect(await errorOf(client.agents.list())).toMatchObject({ kind: 'no-key' })
    expect(await errorOf(client.options.get({ widgetKey: empty }))).toMatchObject({ kind: 'no-key' })
    expect(arrivals).toEqual([])
    await clientOf(baseUrl).options.get({ widgetKey: empty })
    expect(arrivals[0]?.query).toEqual([['api_key', key]])
  })

  test('no client shows its key', () => {
    const client = clientOf('http://127.0.0.1/v2')
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('4711')
  })
})

describe('settings that no client accepts', () => {
  test.each<readonly [string, ClientSettings, string]>([
    ['no URL', { baseUrl: '/v2' }, 'baseUrl is not an absolute URL'],
    ['another scheme', { baseUrl: 'ftp://127.0.0.1/v2' }, 'baseUrl is neither http nor https'],
    ['credentials', { baseUrl: 'https://u:p@cobrowse.example.net/v2' }, 'baseUrl carries credentials'],
    ['a query', { baseUrl: `https://cobrowse.example.net/v2?api_key=${key}` }, 'a query'],
    ['plain http', { baseUrl: 'http://cobrowse.example.net/v2' }, 'baseUrl is plain http'],
    ['a key of another type', { baseUrl: 'http://localhost/v2', apiKey: 5 as never }, 'apiKey is neither'],
    ['half a key', { baseUrl: 'http://localhost/v2', apiKey: `${key}\uD800` }, 'apiKey holds half'],
    ['no time', { baseUrl: 'http://localhost/v2', timeoutMs: 0 }, 'timeoutMs is not a whole number'],
    ['less than no retry', { baseUrl: 'http://localhost/v2', retries: -1 }, 'retries is not a whole number'],
  ])('%s', (_name, settings, message) => {
    expect(() => createClient(settings)).toThrow(message)
    expect(() => createClient(settings)).not.toThrow(key)
  })
})

function rawBody(octets: Buffer): Respond {
  return (_arrival, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(octets)
    return undefined
  }
}

function truncated(_arrival: unknown, outgoing: ServerResponse): undefined {
  outgoing.writeHead(200, { 'content-length': 100 }).write('[', () => outgoing.destroy())
}

/** Writes for as long as the client reads. */
function endless(_arrival: unknown, outgoing: ServerResponse): undefined {
  const chunk = ' '.repeat(16_384)
  const write = () => {
    while (!outgoing.destroyed && outgoing.write(chunk));
  }
  outgoing.on('drain', write)
  write()
}
