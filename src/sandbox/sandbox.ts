import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { sandboxApp } from './app.ts'
import type { ControlPeers } from './control/refuse-control.ts'
import { accountOf, type FindPage, openState, replaceAccount, withAccount } from './seed/sandbox-state.ts'
import type { Seed } from './seed/seed.ts'
import { type Account, demoAccount } from './state/account.ts'
import type { Random } from './state/fresh.ts'
import { ownAuthorities, ownUrl, parseAddedAuthority } from './virtual-host.ts'

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0, which picks a free port. */
  readonly port?: number
  /** Further authorities to answer to, each `HOST[:PORT]`. */
  readonly authorities?: readonly string[]
  /** Path segment of the continuation end, with both slashes; default `/service_cookie_transfer/`. */
  readonly prefix?: string
  /** Keys and settings, in place of the seed's. Without either the account has every default, as after `DELETE /company/options/`. */
  readonly account?: Account
  /** What the stand-in starts with, from `parseSeed`; default: the demo account and nothing else. */
  readonly seed?: Seed
  /** Whether the REST API takes only 100 calls a minute from one address; default `on`. */
  readonly rateLimit?: 'on' | 'off'
  /** From which machines the controls at `/_sandbox/` may be used; default `loopback`, this one. They ask for no key. */
  readonly controls?: ControlPeers
  /** The time, in milliseconds since the epoch; default the real one. `POST /_sandbox/clock` changes it. */
  readonly nowMs?: () => number
  /** Pages of customers that a session can show; default: none. */
  readonly findPage?: FindPage
  /** The source of ids, keys and PINs; default: random ones that can't be guessed. */
  readonly random?: Random
}

export type { FindPage }

export interface Sandbox {
  /** `http://host:port`, no trailing slash. */
  readonly url: string
  readonly port: number
  /** The account as it was when the stand-in started. */
  readonly account: Account
  /** Replaces the account from the next request on, as an edit in the dashboard would. */
  setAccount(account: Account): void
  /** Stops listening and closes every connection. May be called twice. */
  close(): Promise<void>
}

/**
 * Starts the stand-in service on plain http, with its state in memory.
 *
 * @throws Node's listen error (`code` EADDRINUSE, EACCES …), and TypeError for an authority that is not `HOST[:PORT]`
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    host = '127.0.0.1',
    prefix = '/service_cookie_transfer/',
    rateLimit = 'on',
    controls = 'loopback',
  } = options
  const added = (options.authorities ?? []).map(parseAddedAuthority)
  const closing = new AbortController()
  const state = openState({
    seed: chooseSeed(options),
    callsPerMinute: rateLimit === 'on' ? CALLS_PER_MINUTE : Number.POSITIVE_INFINITY,
    closing: closing.signal,
    realMs: options.nowMs ?? Date.now,
    random: options.random ?? randomInt,
    findPage: options.findPage ?? (() => undefined),
  })
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_OCTETS })
  // By default Node silently drops fields beyond 2000.
  server.maxHeadersCount = 0
  const port = await listen(server, options.port ?? 0, host)
  const authorities = ownAuthorities(host, port, added)
  const app = sandboxApp(state, prefix, authorities, controls)
  // The globals stay: the demo runs the proxy in this process, which needs Node's own Response.
  server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: refuse }))
  return {
    url: ownUrl(host, port),
    port,
    account: accountOf(state, []),
    setAccount: (account) => replaceAccount(state, account),
    close() {
      closing.abort()
      return close(server)
    },
  }
}

/** Without settings the account has every default. The settings of a seed are added to those of the demo account. */
function chooseSeed({ seed = {}, account }: SandboxOptions): Seed {
  if (account !== undefined) return withAccount(seed, account)
  if (seed.settings === undefined) return seed
  return { ...seed, settings: { ...demoAccount().settings, ...seed.settings } }
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await once(server.listen(port, host), 'listening')
  return (server.address() as AddressInfo).port
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A request that @hono/node-server could not turn into a Request: a malformed Host or target. */
function refuse(): Response {
  return new Response('The Host or the request-target is malformed.\n', { status: 400 })
}

const CALLS_PER_MINUTE = 100
const HEADER_LIMIT_OCTETS = 1024 * 1024
