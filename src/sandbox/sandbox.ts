import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type Account, demoAccount } from './account.ts'
import { type SandboxState, sandboxApp } from './app.ts'
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
  /** Default: the demo account without any continuation URL. */
  readonly account?: Account
}

export interface Sandbox {
  /** `http://host:port`, no trailing slash. */
  readonly url: string
  readonly port: number
  /** Replaces the account from the next request on, as an edit in the dashboard would. */
  setAccount(account: Account): void
  /** Stops listening and ends every connection; closing twice is harmless. */
  close(): Promise<void>
}

/**
 * Starts the stand-in service on plain http; its state lives in memory and ends with it.
 *
 * @throws Node's listen error (`code` EADDRINUSE, EACCES …), and TypeError for an authority that is no `HOST[:PORT]`
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', prefix = '/service_cookie_transfer/' } = options
  const added = (options.authorities ?? []).map(parseAddedAuthority)
  const state: SandboxState = { account: options.account ?? demoAccount() }
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_OCTETS })
  // Past its default number of lines Node drops fields without a word.
  server.maxHeadersCount = 0
  const port = await listen(server, options.port ?? 0, host)
  const app = sandboxApp(state, ownAuthorities(host, port, added), prefix)
  // The globals stay as they are: the demo runs the proxy in this process, and it needs Node's own Response.
  server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: refuse }))
  return {
    url: ownUrl(host, port),
    port,
    setAccount(account) {
      state.account = account
    },
    close: () => close(server),
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
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

const HEADER_LIMIT_OCTETS = 1024 * 1024
