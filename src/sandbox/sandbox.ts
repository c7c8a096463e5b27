import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ownAuthorities, sandboxApp } from './app.ts'
import { type Account, demoAccount } from './state/company.ts'
import { accountOf, openState, type StateOptions, setAccount } from './state/sandbox-state.ts'

export interface SandboxOptions extends StateOptions {
  /** Default 0, which picks a free port. */
  readonly port?: number
  /** Further authorities to answer to, each `HOST[:PORT]`. */
  readonly authorities?: readonly string[]
  /** Keys and settings, in place of the seed's. Without either the account has every default, as after `DELETE /company/options/`. */
  readonly account?: Account
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/**
 * Starts the stand-in service on plain http and loopback, with its state in memory.
 *
 * @throws Node's listen error (`code` EADDRINUSE, EACCES …), and TypeError for an authority that is not `HOST[:PORT]`
 */
export async function startSandbox(options: SandboxOptions = {}) {
  const { authorities = [], account, seed } = options
  // Throws before anything listens.
  ownAuthorities(0, authorities)
  const closing = new AbortController()
  // Without settings the account has every default; those of a seed are added to those of the demo account.
  const settings = seed?.settings && { ...demoAccount().settings, ...seed.settings }
  const state = openState({ ...options, seed: { ...seed, settings } }, closing.signal)
  if (account !== undefined) setAccount(state, account)
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_OCTETS })
  // By default Node silently drops fields beyond 2000.
  server.maxHeadersCount = 0
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const app = sandboxApp(state, ownAuthorities(port, authorities))
  // A Host or target of which @hono/node-server can't make a Request.
  const errorHandler = () => new Response('The Host or the request-target is malformed.\n', { status: 400 })
  // The globals stay: the demo runs the proxy in this process, which needs Node's own Response.
  server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler }))
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    prefix: state.prefix,
    /** The account as it was when the stand-in started. */
    account: accountOf(state, []),
    /** Replaces the account from the next request on, as an edit in the dashboard would. */
    setAccount: (account: Account) => setAccount(state, account),
    /** Stops listening and closes every connection. May be called twice. */
    close(): Promise<void> {
      closing.abort()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

const HEADER_LIMIT_OCTETS = 1024 * 1024
