import type { RequestListener } from 'node:http'
import { createClient } from '../api/index.ts'
import { parseConfig } from '../config/parse.ts'
import { resolveConfig } from '../forward/resolved-config.ts'
import { type ContinuationProxy, openProxy } from '../proxy/proxy.ts'
import { type FindPage, startSandbox } from '../sandbox/sandbox.ts'
import { type Breakage, type DemoPoint, openBreakage } from '../sandbox/shop/breakage.ts'
import { BIRCH_AND_BEAM, OAK_AND_LUMEN } from '../sandbox/shop/goods.ts'
import { openShop } from '../sandbox/shop/shop.ts'
import { shopScopes } from '../sandbox/shop/shop-cookies.ts'
import { demoAccount } from '../sandbox/state/account.ts'
import { ListenError, type Listener, startListener } from '../serve/listener.ts'

export type Demo = Awaited<ReturnType<typeof startDemo>>

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
) {
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
    listener = await listenOn(port, proxy, (incoming, outgoing) => sites(incoming, outgoing))
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
  sites = breakage.before(shops.listener)
  findPage = shops.findPage
  sandbox.setAccount(
    demoAccount({
      cookie_transfer_urls: pointUrls,
      cookie_transfer_scopes: SITES.flatMap((site) => shopScopes(toHost(site))),
      enable_cookie_backtransfer: true,
    }),
  )
  return {
    /** `http://www.shop.localhost:PORT`. */
    siteOrigin: toOrigin(SHOP, listener.port),
    /** A second shop on another site, `http://www.other.localhost:PORT`. */
    otherOrigin: toOrigin(OTHER_SHOP, listener.port),
    /** The continuation points of the first shop. */
    pointUrls: toPointUrls(SHOP, listener.port),
    /** The stand-in service, `http://127.0.0.1:PORT`. */
    serviceUrl: sandbox.url,
    /** Where the demo's agent joins a session by its PIN. */
    joinUrl: `http://${SERVICE_HOST}:${sandbox.port}/join?agent_token=${agentToken}`,
    async close(): Promise<void> {
      const drained = listener.drain()
      listener.destroy()
      await drained
      await Promise.all([proxy.destroy(), sandbox.close()])
    },
  }
}

async function toDemoConfig(serviceUrl: string, points: readonly DemoPoint[], widgetKey: string) {
  const parsed = parseConfig(JSON.stringify({ service: { url: serviceUrl }, widgetKey, points }), 'demo')
  const readFile = () => Promise.reject(new Error('No file'))
  const loaded = 'problems' in parsed ? parsed : await resolveConfig(parsed.config, { env: {}, readFile })
  if ('problems' in loaded) throw new Error('The config of the demo is broken')
  return loaded.resolved
}

async function listenOn(
  port: number | undefined,
  proxy: ContinuationProxy,
  site: RequestListener,
): Promise<Listener> {
  const settings = {
    host: '127.0.0.1',
    tls: undefined,
    headLimitBytes: 65_536,
    unfinishedHeadsLimitBytes: 16_777_216,
    headTimeoutMs: 30_000,
  }
  try {
    return await startListener({ ...settings, port: port ?? DEFAULT_PORT }, proxy, site)
  } catch (error) {
    if (port !== undefined || !(error instanceof ListenError && error.code === 'EADDRINUSE')) throw error
    return startListener({ ...settings, port: 0 }, proxy, site)
  }
}

interface DemoParts {
  readonly port: number
  readonly pointUrls: readonly string[]
  readonly servicePort: number
  /** The access token of the demo's agent. */
  readonly agentToken: string
  /** Of the first site's points. */
  readonly breakage: Breakage
}

/**
 * The demo's sites as one listener, distinguished by Host; any other Host is redirected to the first. Of each site, sessions
 * show the checkout, where all of its cookies are sent.
 */
function demoSites(parts: DemoParts) {
  const { port } = parts
  const shops = new Map(SITES.map((site) => [new URL(toOrigin(site, port)).host, openSite(site, parts)]))
  const listener: RequestListener = (incoming, outgoing) => {
    const shop = shops.get(incoming.headers.host?.toLowerCase() ?? '')
    if (shop === undefined) outgoing.writeHead(302, { Location: `${toOrigin(SHOP, port)}/` }).end()
    else shop.listener(incoming, outgoing)
  }
  const findPage: FindPage = (startUrl) => {
    const { origin, host } = new URL(startUrl)
    const shop = shops.get(host)
    return shop && { url: `${origin}/checkout`, open: (cookie) => shop.open('/checkout', cookie) }
  }
  return { listener, findPage }
}

function toHost({ domain }: DemoSite): string {
  return `www.${domain}`
}

function toOrigin(site: DemoSite, port: number): string {
  return `http://${toHost(site)}${port === 80 ? '' : `:${port}`}`
}

/** The continuation URLs of a site, for cookies on `/` and on `/checkout`. */
function toPointUrls(site: DemoSite, port: number): readonly string[] {
  return ['', '/checkout'].map((path) => `${toOrigin(site, port)}${path}/service_cookie_transfer/`)
}

function openSite(site: DemoSite, { port, pointUrls, servicePort, agentToken, breakage }: DemoParts) {
  const { brand, domain } = site
  const [, better] = brand.goods
  const other = site === SHOP ? OTHER_SHOP : SHOP
  return openShop({
    brand,
    breakage: site === SHOP ? breakage : undefined,
    points: toPointUrls(site, port),
    sister: { name: other.brand.name, url: `${toOrigin(other, port)}/` },
    widget: {
      widgetKey: 'demo-widget-key',
      pageUrl: `${toOrigin(site, port)}/`,
      pointUrls,
      agentToken,
      services: [
        { origin: `http://cobrowse.${domain}:${servicePort}`, label: 'under this shop’s own domain' },
        { origin: `http://${SERVICE_HOST}:${servicePort}`, label: 'under a domain of its own' },
      ],
      steps: [
        { label: `Put the ${better.name} into the basket`, cookie: 'shop_basket', value: better.id },
        { label: 'Sign in with the business account', cookie: 'shop_session', value: 'robin-business' },
        { label: 'Choose the cool look', cookie: 'shop_theme', value: 'cool' },
      ],
    },
  })
}

/** `domain`: of the site, `www.` before it, and of the service under the site's domain, `cobrowse.` before it. */
const SHOP = { brand: OAK_AND_LUMEN, domain: 'shop.localhost' }

const OTHER_SHOP = { brand: BIRCH_AND_BEAM, domain: 'other.localhost' }

const SITES = [SHOP, OTHER_SHOP]

type DemoSite = (typeof SITES)[number]

/** The service under a domain of its own. */
const SERVICE_HOST = 'app.cobrowse.localhost'

const SERVICE_HOSTS: readonly string[] = [SERVICE_HOST, ...SITES.map(({ domain }) => `cobrowse.${domain}`)]

const AGENT = { agent_id: 1, agent_name: 'Ada', agent_email: 'ada@shop.example', role: 'agent' } as const

export const DEFAULT_PORT = 8080
