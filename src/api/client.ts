import type { Secret } from '../config/secret.ts'
import { canParseUrl } from '../http/can-parse-url.ts'
import { isLoopbackHost } from '../http/host.ts'
import { type Agents, toAgents } from './agents.ts'
import { type Budget, openBudget } from './budget.ts'
import { type Clients, toClients } from './clients.ts'
import { type History, toHistory } from './history.ts'
import { type Options, toOptions } from './options.ts'
import { toKey } from './request.ts'
import { type Screenshots, toScreenshots } from './screenshots.ts'
import { toSend } from './send.ts'
import { type Servers, toServers } from './servers.ts'
import { type Sessions, toSessions } from './sessions.ts'
import { type Clock, type Fetch, globalFetch, systemClock } from './transport.ts'
import { toWebhooks, type Webhooks } from './webhooks.ts'

export interface ClientSettings {
  /** The root of the REST API, `https://cobrowse.example.net/v2`. Plain http only on loopback: the key is in the URL. */
  readonly baseUrl: string
  /**
   * The account's REST key. Without one only the list of servers and `options.get` with a widget key can be called. An
   * empty one is none.
   */
  readonly apiKey?: Secret | string | undefined
  /** Default: the global one. It must follow no redirect when it is told so. */
  readonly fetch?: Fetch | undefined
  /** Milliseconds for one attempt, from connecting to the last octet of the answer. Default: 30 000. */
  readonly timeoutMs?: number | undefined
  /**
   * How often a GET is repeated after a broken connection, 429, 502, 503 or 504. Nothing but a GET is ever sent twice.
   * Default: 2.
   */
  readonly retries?: number | undefined
  /** What happens to a call beyond 100 in a minute: it waits for its turn, or it fails. Default: `wait`. */
  readonly pacing?: 'wait' | 'fail' | undefined
  /** Shared by clients that run at one address, since the service counts by address. Default: one's own. */
  readonly budget?: Budget | undefined
  /** Octets that an answer may have. Default: 32 MiB. */
  readonly limitBytes?: number | undefined
  /** Ends every call of this client. */
  readonly signal?: AbortSignal | undefined
  /** Time; for tests. */
  readonly clock?: Clock | undefined
}

/**
 * The service's REST API, version 2. Names and types of fields are the service's own; timestamps are ISO 8601 in UTC,
 * durations whole seconds. Fields and options that the service adds later are kept.
 *
 * A call fails with an `ApiError` and nothing else, but for an argument that can't be sent at all: that is a TypeError
 * when its type is wrong or it has no form in JSON, a RangeError when its value is wrong, and nothing has left then.
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
 * Opens a client. It holds no connection and needs no closing.
 *
 * @throws TypeError when `baseUrl` is no http(s) URL without credentials, query and fragment, or plain http elsewhere
 * than on loopback, or `apiKey` neither text nor a secret; RangeError when a number is out of range, or `apiKey` no
 * whole text
 */
export function createClient(settings: ClientSettings): ApiClient {
  const root = parseRoot(settings.baseUrl)
  const { apiKey, timeoutMs = 30_000, retries = 2, limitBytes = 33_554_432, clock = systemClock } = settings
  demandWhole({ timeoutMs, limitBytes }, 1)
  demandWhole({ retries }, 0)
  const send = toSend({
    root,
    apiKey: toKey(apiKey, 'apiKey'),
    fetch: settings.fetch ?? toDefaultFetch(root),
    timeoutMs,
    limitBytes,
    retries,
    pacing: settings.pacing ?? 'wait',
    budget: settings.budget ?? openBudget(),
    clock,
    random: Math.random,
    signal: settings.signal,
  })
  return {
    agents: toAgents(send),
    sessions: toSessions(send),
    options: toOptions(send),
    screenshots: toScreenshots(send, { clock, signal: settings.signal }),
    clients: toClients(send),
    servers: toServers(send),
    history: toHistory(send, root),
    webhooks: toWebhooks(send, root),
  }
}

/** The platform's own, but for names below `localhost`, which it would ask DNS for. What that takes is loaded late. */
function toDefaultFetch(root: string): Fetch {
  if (!new URL(root).hostname.endsWith('.localhost')) return globalFetch
  const opened = import('./transport-undici.ts').then(({ toLoopbackFetch }) => toLoopbackFetch())
  return async (url, init) => (await opened)(url, init)
}

/** Without a trailing slash. The messages don't quote the text: somebody may have put a key into it. */
function parseRoot(text: string): string {
  if (!canParseUrl(text)) throw new TypeError('baseUrl is not an absolute URL')
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl is neither http nor https')
  if (`${username}${password}${search}${hash}` !== '') {
    throw new TypeError('baseUrl carries credentials, a query or a fragment')
  }
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    throw new TypeError(
      'baseUrl is plain http on a host that is not loopback: the key would cross the network',
    )
  }
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** Timers of Node fire at once beyond 2^31 - 1 milliseconds. */
function demandWhole(numbers: Readonly<Record<string, number>>, least: number): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || value < least || value > 2 ** 31 - 1) {
      throw new RangeError(`${name} is not a whole number from ${least} to ${2 ** 31 - 1}`)
    }
  }
}
