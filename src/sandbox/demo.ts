import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startSandbox } from './sandbox.ts'
import { openBreakage } from './shop/breakage.ts'
import { openShop, SERVICE_HOST, SHOP_HOST, shopPoints } from './shop/shop.ts'
import { shopScopes } from './shop/shop-cookies.ts'
import { demoAccount } from './state/company.ts'
import { DEFAULT_PREFIX, type FindPage } from './state/sandbox-state.ts'

/** Runs `check` on a point whose path ends with this prefix, and returns what it prints. */
export type Check = (url: string, prefix: string) => Promise<string>

export type Demo = Awaited<ReturnType<typeof startDemo>>

interface DemoOptions {
  readonly port?: number | undefined
  readonly prefix?: string | undefined
  readonly widgetKey?: string
}

/** What is real in the demo. It comes from outside: the stand-in shares no code with what it tests. */
interface Real {
  openPoints(config: {
    readonly service: { readonly url: string; readonly prefix: string }
    readonly widgetKey: string
    readonly points: (string | { readonly url: string; readonly widgetKey: string })[]
  }): Promise<{
    listener(incoming: IncomingMessage, outgoing: ServerResponse, next: () => void): void
    close(): Promise<void>
  }>
  createClient(settings: { readonly baseUrl: string; readonly apiKey: string }): {
    readonly agents: {
      createAccessToken(agent: { readonly agent_id: number }): Promise<{ readonly agent_token: string }>
    }
  }
  readonly check: Check
}

/**
 * Starts the shop and the stand-in service, with the real proxy between them.
 *
 * @param port the shop's port; by default 8080, or a free one if that is in use
 * @param widgetKey the proxy's key; the stand-in accepts `demo-widget-key`
 * @throws Node's listen error if the given port can't be opened
 */
export async function startDemo(
  { openPoints, createClient, check }: Real,
  { port, prefix = DEFAULT_PREFIX, widgetKey = 'demo-widget-key' }: DemoOptions,
) {
  const server = createServer({ maxHeaderSize: HEADER_LIMIT_OCTETS })
  await listenOn(server, port)
  const sitePort = (server.address() as AddressInfo).port
  let findPage: FindPage = () => undefined
  const sandbox = await startSandbox({
    authorities: [SERVICE_HOST],
    prefix,
    seed: { agents: [AGENT] },
    findPage: (startUrl) => findPage(startUrl),
  })
  const pointUrls = shopPoints(sitePort, prefix)
  const [firstUrl = '', ...otherUrls] = pointUrls
  const openWith = (firstKey: string) =>
    openPoints({
      service: { url: sandbox.url, prefix },
      widgetKey,
      points: [{ url: firstUrl, widgetKey: firstKey }, ...otherUrls],
    })
  let points = await openWith(widgetKey)
  const breakage = openBreakage(
    firstUrl,
    () => check(firstUrl, prefix),
    async (wrongKey) => {
      const before = points
      points = await openWith(wrongKey ?? widgetKey)
      await before.close()
    },
  )
  const client = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: sandbox.account.apiKey })
  const { agent_token: agentToken } = await client.agents.createAccessToken({ agent_id: AGENT.agent_id })
  const shop = openShop({
    port: sitePort,
    points: pointUrls,
    servicePort: sandbox.port,
    agentToken,
    breakage,
  })
  findPage = shop.findPage
  sandbox.setAccount(
    demoAccount({
      cookie_transfer_urls: pointUrls,
      cookie_transfer_scopes: shopScopes(SHOP_HOST),
      enable_cookie_backtransfer: true,
    }),
  )
  server.on('request', (incoming, outgoing) =>
    points.listener(incoming, outgoing, () => shop.listener(incoming, outgoing)),
  )
  return {
    /** `http://www.shop.localhost:PORT`. */
    siteOrigin: shop.origin,
    pointUrls,
    /** The stand-in service, `http://127.0.0.1:PORT`. */
    serviceUrl: sandbox.url,
    /** Where the demo's agent joins a session by its PIN. */
    joinUrl: `http://${SERVICE_HOST}:${sandbox.port}/join?agent_token=${agentToken}`,
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await Promise.all([points.close(), sandbox.close()])
    },
  }
}

async function listenOn(server: Server, port: number | undefined): Promise<void> {
  try {
    await once(server.listen(port ?? DEFAULT_PORT, '127.0.0.1'), 'listening')
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await once(server.listen(0, '127.0.0.1'), 'listening')
  }
}

const AGENT = { agent_id: 1, agent_name: 'Ada', agent_email: 'ada@shop.example', role: 'agent' } as const

const HEADER_LIMIT_OCTETS = 65_536

export const DEFAULT_PORT = 8080
