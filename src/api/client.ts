import type { Secret } from '../config/secret.ts'
import { canParseUrl } from '../http/can-parse-url.ts'
import { findPlainHttp } from '../http/host.ts'
import { type Agents, createAgents } from './agents.ts'
import { type Budget, openBudget } from './budget.ts'
import { type Clients, createClients } from './clients.ts'
import { createHistory, type History } from './history.ts'
import { createOptions, type Options } from './options.ts'
import { parseKey } from './request.ts'
import { requireWhole } from './schema.ts'
import { createScreenshots, type Screenshots } from './screenshots.ts'
import { createSend } from './send.ts'
import { createServers, type Servers } from './servers.ts'
import { sessionOptions, tolerantOptions } from './session-options.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { type Clock, type Fetch, globalFetch, systemClock } from './transport.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export interface ClientSettings {
  /** The root of the REST API, `https://cobrowse.example.net/v2`. Plain http only on loopback: the key is in the URL. */
  readonly baseUrl: string
  /**
   * The account's REST key. Without one, or with an empty one, only the list of servers and `options.get` with a widget key can
   * be called.
   */
  readonly apiKey?: Secret | string | undefined
  /** Default: the global one. It has to honour `redirect: 'manual'`. */
  readonly fetch?: Fetch | undefined
  /** Milliseconds for one attempt, from connecting to the last byte of the answer. Default: 30 000. */
  readonly timeoutMs?: number | undefined
  /**
   * How often a GET is repeated after a broken connection, 429, 502, 503 or 504, and anything else after 429 alone, which
   * says that it was not carried out.
   * Default: 2.
   */
  readonly retries?: number | undefined
  /** Whether a call beyond 100 in a minute waits for its turn or fails. Default: `wait`. */
  readonly pacing?: 'wait' | 'fail' | undefined
  /** Share it among clients at the same IP address, since the service counts by address. Default: a budget of its own. */
  readonly budget?: Budget | undefined
  /** The largest answer in bytes. Default: 32 MiB. */
  readonly limitBytes?: number | undefined
  /** Aborts every call of this client. */
  readonly signal?: AbortSignal | undefined
  /** For tests. */
  readonly clock?: Clock | undefined
}

/**
 * The service's REST API, version 2. Names and types of fields are the service's own; timestamps are ISO 8601 in UTC,
 * durations whole seconds. Fields and options that the service adds later are kept.
 *
 * A call fails with an `ApiError`. The only exception is an argument that can't be sent: a TypeError if its type is wrong or
 * it can't be written as JSON, a RangeError if its value is wrong, both before anything is sent.
 */
export interface ApiClient {
  readonly agents: Agents
  readonly sessions: Sessions
  readonly options: Options
  readonly screenshots: Screenshots
  readonly clients: Clients
  readonly servers: Servers
  readonly history: History
  readonly webhooks: Webhooks
}

/**
 * Creates a client. It doesn't have to be closed.
 *
 * @throws TypeError if `baseUrl` is not an http(s) URL, has credentials, a query or a fragment, or is plain http on a host
 * other than loopback, or if `apiKey` is neither a string nor a Secret; RangeError if a number is out of range, or `apiKey`
 * contains half of a surrogate pair
 *
 * @example
 * import { createClient } from 'continuation-point/api'
 *
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
 * const { leader_link } = await client.sessions.create({ url: 'https://www.example.com/' })
 * for await (const { session_id } of client.history.list({ tags: ['vip'] })) console.log(session_id)
 */
export function createClient(settings: ClientSettings): ApiClient {
  return openClient(settings, sessionOptions)
}

/** Like `createClient`, but one broken entry in a list of the options does not spoil the answer: it stays as it is. */
export function createTolerantClient(settings: ClientSettings): ApiClient {
  return openClient(settings, tolerantOptions)
}

function openClient(settings: ClientSettings, optionsSchema: typeof sessionOptions): ApiClient {
  const root = parseRoot(settings.baseUrl)
  const {
    fetch = chooseFetch(root),
    timeoutMs = 30_000,
    retries = 2,
    pacing = 'wait',
    budget = openBudget(),
    limitBytes = defaultLimitBytes,
    signal,
    clock = systemClock,
  } = settings
  requireWhole({ timeoutMs, limitBytes }, 1)
  requireWhole({ retries }, 0)
  const apiKey = parseKey(settings.apiKey, 'apiKey')
  const send = createSend({
    root,
    apiKey,
    fetch,
    timeoutMs,
    retries,
    pacing,
    budget,
    limitBytes,
    signal,
    clock,
  })
  return {
    agents: createAgents(send),
    sessions: createSessions(send),
    options: createOptions(send, optionsSchema),
    screenshots: createScreenshots(send, { clock, signal }),
    clients: createClients(send),
    servers: createServers(send),
    history: createHistory(send, root),
    webhooks: createWebhooks(send, root),
  }
}

/** The global fetch; for names below `localhost`, which that would look up in DNS, undici's, loaded when needed. */
function chooseFetch(root: string): Fetch {
  if (!new URL(root).hostname.endsWith('.localhost')) return globalFetch
  const opened = import('./transport-undici.ts').then(({ createLoopbackFetch }) => createLoopbackFetch())
  return async (url, init) => (await opened)(url, init)
}

/** Without a trailing slash. The messages don't quote the text, since it may contain a key. */
function parseRoot(text: string): string {
  if (!canParseUrl(text)) throw new TypeError('baseUrl is not an absolute URL')
  const url = new URL(text)
  const { protocol, username, password, search, hash, origin, pathname } = url
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl is neither http nor https')
  if (`${username}${password}${search}${hash}` !== '') {
    throw new TypeError('baseUrl carries credentials, a query or a fragment')
  }
  const fault = findPlainHttp(url, 'the key')
  if (fault !== undefined) throw new TypeError(`baseUrl is ${fault}`)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** The largest answer in bytes, if the settings give no other limit. */
export const defaultLimitBytes = 33_554_432
