import type { RequestListener } from 'node:http'
import type { FindPage } from '../sandbox/sandbox.ts'
import type { Breakage } from '../sandbox/shop/breakage.ts'
import { BIRCH_AND_BEAM, type Brand, findGood, OAK_AND_LUMEN } from '../sandbox/shop/goods.ts'
import { openShop, type Shop } from '../sandbox/shop/shop.ts'

/** A customer site of the demo. */
interface DemoSite {
  readonly brand: Brand
  readonly host: string
  /** The cookie paths that have a continuation point. */
  readonly cookiePaths: readonly string[]
  /** Host of the service under this site's domain. */
  readonly serviceHost: string
}

/**
 * The demo's sites as one listener, distinguished by Host; any other Host is redirected to the first. Of each site, sessions
 * show the checkout, where all of its cookies are sent.
 */
export function demoSites(demo: {
  readonly port: number
  readonly pointUrls: readonly string[]
  readonly servicePort: number
  /** The access token of the demo's agent. */
  readonly agentToken: string
  /** Of the first site's points. */
  readonly breakage: Breakage
}): { readonly listener: RequestListener; readonly findPage: FindPage } {
  const { port } = demo
  const shops = new Map(SITES.map((site) => [toHost(site, port), openSite(site, demo)]))
  const home = `${toOrigin(SHOP, port)}/`
  return {
    listener: (incoming, outgoing) => {
      const shop = shops.get(incoming.headers.host?.toLowerCase() ?? '')
      if (shop === undefined) outgoing.writeHead(302, { Location: home }).end()
      else shop.listener(incoming, outgoing)
    },
    findPage: (startUrl) => {
      const { origin, host } = new URL(startUrl)
      const shop = shops.get(host)
      return shop && { url: `${origin}/checkout`, open: (cookie) => shop.open('/checkout', cookie) }
    },
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

function openSite(
  site: DemoSite,
  { port, pointUrls, servicePort, agentToken, breakage }: Parameters<typeof demoSites>[0],
): Shop {
  const other = site === SHOP ? OTHER_SHOP : SHOP
  return openShop({
    brand: site.brand,
    breakage: site === SHOP ? breakage : undefined,
    points: toPointUrls(site, port).map((url, index) => ({
      url,
      cookiePath: site.cookiePaths[index] ?? '/',
    })),
    sister: { name: other.brand.name, url: `${toOrigin(other, port)}/` },
    widget: {
      widgetKey: 'demo-widget-key',
      pageUrl: `${toOrigin(site, port)}/`,
      pointUrls,
      agentToken,
      services: [
        { origin: `http://${site.serviceHost}:${servicePort}`, label: 'under this shop’s own domain' },
        { origin: `http://${SERVICE_HOST}:${servicePort}`, label: 'under a domain of its own' },
      ],
      steps: [
        {
          label: `Put the ${findGood(site.brand.better)?.name ?? ''} into the basket`,
          cookie: 'shop_basket',
          value: site.brand.better,
        },
        { label: 'Sign in with the business account', cookie: 'shop_session', value: 'robin-business' },
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
  brand: OAK_AND_LUMEN,
  host: 'www.shop.localhost',
  cookiePaths: ['/', '/checkout'],
  serviceHost: 'cobrowse.shop.localhost',
}

export const OTHER_SHOP: DemoSite = {
  brand: BIRCH_AND_BEAM,
  host: 'www.other.localhost',
  cookiePaths: ['/', '/checkout'],
  serviceHost: 'cobrowse.other.localhost',
}

export const SITES: readonly DemoSite[] = [SHOP, OTHER_SHOP]

/** The service under a domain of its own. */
const SERVICE_HOST = 'app.cobrowse.localhost'

/** Every Host that the demo's service accepts. */
export const SERVICE_HOSTS: readonly string[] = [SERVICE_HOST, ...SITES.map(({ serviceHost }) => serviceHost)]
