import { findPlainHttp } from '../http/host.ts'
import { parseUrl } from '../http/url.ts'
import { type Agents, createAgents } from './agents.ts'
import { type Clients, createClients } from './clients.ts'
import { createHistory, type History } from './history.ts'
import { createOptions, type Options } from './options.ts'
import { createScreenshots, type Screenshots } from './screenshots.ts'
import { type ClientSettings, createSend } from './send.ts'
import { createServers, type Servers } from './servers.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

/**
 * The service's REST API, version 2. Names and types of fields are the service's own; timestamps are ISO 8601 in UTC,
 * durations whole seconds. Of an answer only what the call can't do without is checked, such as the id of what it created:
 * whatever the service adds, leaves out or sends in another type stays as it came.
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
  const root = parseRoot(settings.baseUrl)
  const send = createSend(root, settings)
  return {
    agents: createAgents(send),
    sessions: createSessions(send),
    options: createOptions(send),
    screenshots: createScreenshots(send),
    clients: createClients(send),
    servers: createServers(send),
    history: createHistory(send),
    webhooks: createWebhooks(send),
  }
}

/** Without a trailing slash. The messages don't quote the text, since it may contain a key. */
function parseRoot(text: string): string {
  const url = parseUrl(text)
  if (url === undefined) throw new TypeError('baseUrl is not an absolute URL')
  const { protocol, username, password, search, hash, origin, pathname } = url
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl is neither http nor https')
  if (`${username}${password}${search}${hash}` !== '')
    throw new TypeError('baseUrl carries credentials, a query or a fragment')
  const fault = findPlainHttp(url, 'the key')
  if (fault !== undefined) throw new TypeError(`baseUrl is ${fault}`)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
