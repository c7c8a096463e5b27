import type { RequestListener } from 'node:http'
import { createClient } from '../api/index.ts'
import { parseConfig } from '../config/parse.ts'
import { resolveConfig } from '../forward/resolved-config.ts'
import { openProxy } from '../proxy/proxy.ts'
import { type FindPage, startSandbox } from '../sandbox/sandbox.ts'
import { shopScopes } from '../sandbox/shop/shop-cookies.ts'
import { demoAccount } from '../sandbox/state/account.ts'
import { ListenError, type Listener, type ListenerSettings, startListener } from '../serve/listener.ts'
import { type DemoPoint, openBreakage } from './breakage.ts'
import {
  demoSites,
  OTHER_SHOP,
  SERVICE_HOSTS,
  SHOP,
  SITES,
  toJoinUrl,
  toOrigin,
  toPointUrls,
} from './sites.ts'

export interface Demo {
  /** `http://www.shop.localhost:PORT`. */
  readonly siteOrigin: string
  /** A second shop on another site, `http://www.other.localhost:PORT`. */
  readonly otherOrigin: string
  /** The continuation points of the first shop. */
  readonly pointUrls: readonly string[]
  /** The stand-in service, `http://127.0.0.1:PORT`. */
  readonly serviceUrl: string
  /** Where the demo's agent joins a session by its PIN. */
  readonly joinUrl: string
  close(): Promise<void>
}

/**
 * Starts the demo.
 *
 * @param check runs `check` on a URL, and returns what it prints
 * @param port the sites' port; by default 8080, or a free one if that is in use
 * @param widgetKey the proxy's key; the stand-in accepts `demo-widget-key`
 * @throws ListenError if the given port can't be opened
 */
export async function startDemo(
  check: (url: string) => Promise<string>,
  port?: number,
  widgetKey = 'demo-widget-key',
): Promise<Demo> {
  // The sites need the port, which is known only once it is open.
  let sites: RequestListener = (_incoming, outgoing) => outgoing.writeHead(503).end()
  let findPage: FindPage = () => undefined
  const sandbox = await startSandbox({
    authorities: SERVICE_HOSTS,
    seed: { agents: [AGENT] },
    findPage: (startUrl) => findPage(startUrl),
  })
  const configFor = (points: readonly DemoPoint[]) => toDemoConfig(sandbox.url, points, widgetKey)
  const proxy = openProxy(await configFor(toPointUrls(SHOP, 80).map((url) => ({ url }))), () => {})
  let listener: Listener
  try {
    listener = await listenOn(port, (listening) =>
      startListener(listening, proxy, (incoming, outgoing) => sites(incoming, outgoing)),
    )
  } catch (error) {
    await Promise.all([proxy.destroy(), sandbox.close()])
    throw error
  }
  const pointUrls = SITES.flatMap((site) => toPointUrls(site, listener.port))
  const apply = async (points: readonly DemoPoint[]) => proxy.replace(await configFor(points))
  const breakage = openBreakage(sandbox.url, widgetKey, pointUrls, check, apply)
  await breakage.choose(undefined)
  const { agent_token: agentToken } = await createClient({
    baseUrl: `${sandbox.url}/v2`,
    apiKey: sandbox.account.apiKey,
  }).agents.createAccessToken({ agent_id: AGENT.agent_id })
  const shops = demoSites({ port: listener.port, pointUrls, servicePort: sandbox.port, agentToken, breakage })
  sites = (incoming, outgoing) =>
    breakage.isCareless(incoming.headers.host, incoming.url)
      ? breakage.careless(incoming, outgoing)
      : shops.listener(incoming, outgoing)
  findPage = shops.findPage
  sandbox.setAccount(
    demoAccount({
      cookie_transfer_urls: pointUrls,
      cookie_transfer_scopes: SITES.flatMap(({ host }) => shopScopes(host)),
      enable_cookie_backtransfer: true,
    }),
  )
  return {
    siteOrigin: toOrigin(SHOP, listener.port),
    otherOrigin: toOrigin(OTHER_SHOP, listener.port),
    pointUrls: toPointUrls(SHOP, listener.port),
    serviceUrl: sandbox.url,
    joinUrl: toJoinUrl(sandbox.port, agentToken),
    close: async () => {
      const drained = listener.drain()
      listener.destroy()
      await drained
      await Promise.all([proxy.destroy(), sandbox.close()])
    },
  }
}

async function toDemoConfig(serviceUrl: string, points: readonly DemoPoint[], widgetKey: string) {
  const parsed = parseConfig(JSON.stringify({ service: { url: serviceUrl }, widgetKey, points }), 'demo')
  if ('problems' in parsed) throw new Error('The config of the demo is broken')
  const loaded = await resolveConfig(parsed.config, {
    env: {},
    readFile: () => Promise.reject(new Error('No file')),
  })
  if ('problems' in loaded) throw new Error('The config of the demo is broken')
  return loaded.resolved
}

async function listenOn(
  port: number | undefined,
  start: (settings: ListenerSettings) => Promise<Listener>,
): Promise<Listener> {
  const settings = {
    host: '127.0.0.1',
    tls: undefined,
    headLimitBytes: 65_536,
    unfinishedHeadsLimitBytes: 16_777_216,
    headTimeoutMs: 30_000,
  }
  try {
    return await start({ ...settings, port: port ?? DEFAULT_PORT })
  } catch (error) {
    if (port !== undefined || !(error instanceof ListenError && error.code === 'EADDRINUSE')) throw error
    return start({ ...settings, port: 0 })
  }
}

/** The agent of the demo. */
const AGENT = { agent_id: 1, agent_name: 'Ada', agent_email: 'ada@shop.example', role: 'agent' } as const

export const DEFAULT_PORT = 8080
