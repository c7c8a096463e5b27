import type { RequestListener } from 'node:http'
import { shopListener } from '../sandbox/shop/shop-listener.ts'

/** A customer site of the demo. */
export interface DemoSite {
  readonly name: string
  readonly host: string
  /** The cookie paths that have a continuation point. */
  readonly cookiePaths: readonly string[]
  /** What the service is called when it runs under this site's domain. */
  readonly serviceHost: string
}

/** The demo's sites as one listener, told apart by Host; a name that is none of theirs leads to the first. */
export function demoSites(demo: {
  readonly port: number
  readonly pointUrls: readonly string[]
  readonly servicePort: number
  /** The access token of the demo's agent. */
  readonly agentToken: string
}): RequestListener {
  const { port } = demo
  const listeners = new Map(SITES.map((site) => [toHost(site, port), toShopListener(site, demo)]))
  const home = `${toOrigin(SHOP, port)}/`
  return (incoming, outgoing) => {
    const listener = listeners.get(incoming.headers.host?.toLowerCase() ?? '')
    if (listener === undefined) outgoing.writeHead(302, { Location: home }).end()
    else listener(incoming, outgoing)
  }
}

export function toOrigin(site: DemoSite, port: number): string {
  return `http://${toHost(site, port)}`
}

/** The continuation URLs of a site, in the order of its cookie paths. */
export function toPointUrls(site: DemoSite, port: number): readonly string[] {
  return site.cookiePaths.map(
    (path) => `${toOrigin(site, port)}${path === '/' ? '' : path}/service_cookie_transfer/`,
  )
}

function toShopListener(
  site: DemoSite,
  { port, pointUrls, servicePort, agentToken }: Parameters<typeof demoSites>[0],
): RequestListener {
  const other = site === SHOP ? OTHER_SHOP : SHOP
  return shopListener({
    name: site.name,
    points: toPointUrls(site, port).map((url, index) => ({
      url,
      cookiePath: site.cookiePaths[index] ?? '/',
    })),
    sister: { name: other.name, url: `${toOrigin(other, port)}/` },
    widget: {
      widgetKey: 'demo-widget-key',
      pageUrl: `${toOrigin(site, port)}/`,
      pointUrls,
      agentUrl: toJoinUrl(servicePort, agentToken),
      services: [
        { origin: `http://${site.serviceHost}:${servicePort}`, label: 'under this shop’s own domain' },
        { origin: `http://${SERVICE_HOST}:${servicePort}`, label: 'under a domain of its own' },
      ],
      steps: [
        { label: 'Put the globe pendant into the basket', cookie: 'shop_basket', value: 'globe-pendant' },
        { label: 'Sign in anew', cookie: 'shop_session', value: 'signed-in-anew' },
        { label: 'Choose the cool look', cookie: 'shop_theme', value: 'cool' },
      ],
    },
  })
}

/** Where the demo's agent joins a session by its PIN. */
export function toJoinUrl(servicePort: number, agentToken: string): string {
  return `http://${SERVICE_HOST}:${servicePort}/join?agent_token=${agentToken}`
}

function toHost({ host }: DemoSite, port: number): string {
  return port === 80 ? host : `${host}:${port}`
}

export const SHOP: DemoSite = {
  name: 'Oak & Lumen',
  host: 'www.shop.localhost',
  cookiePaths: ['/', '/checkout'],
  serviceHost: 'cobrowse.shop.localhost',
}

export const OTHER_SHOP: DemoSite = {
  name: 'Birch & Beam',
  host: 'www.other.localhost',
  cookiePaths: ['/', '/checkout'],
  serviceHost: 'cobrowse.other.localhost',
}

export const SITES: readonly DemoSite[] = [SHOP, OTHER_SHOP]

/** The service under a domain of its own. */
const SERVICE_HOST = 'app.cobrowse.localhost'

/** Every name that the demo's service answers to. */
export const SERVICE_HOSTS: readonly string[] = [SERVICE_HOST, ...SITES.map(({ serviceHost }) => serviceHost)]
