import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Content, type Reach, renderDocument } from '../look/document.ts'
import { type Breakage, renderCheckReport } from './breakage.ts'
import {
  BASKET,
  findGood,
  GOODS,
  readVisit,
  SESSION,
  SHOP_COOKIES,
  type ShopCookie,
  type ShopVisit,
  THEME,
} from './shop-cookies.ts'
import { checkoutPage, homePage, inShop } from './shop-page.ts'
import { type WidgetSetup, widgetReach } from './widget.ts'

/** The demo customer site. Requests to its continuation points have to go to a proxy. */
export function createShop(widget: WidgetSetup, breakage: Breakage): Hono {
  const [first] = GOODS
  const shop = new Hono({ strict: false })
  shop.use(async (c, next) => {
    c.header('Cache-Control', 'no-store')
    return next()
  })
  shop.get('/', (c) => {
    const session = getCookie(c, SESSION.name)
    const kept = session ?? `robin.${randomUUID()}`
    set(c, SESSION, kept)
    if (session === undefined) {
      set(c, BASKET, first.id)
      set(c, THEME, 'warm')
    }
    const basket = session === undefined ? first.id : undefined
    const visit = readVisit(kept, basket, getCookie(c, THEME.name))
    return answer(c, visit, homePage(widget, breakage, visit), { connect: widgetReach(widget) })
  })
  // Below /checkout, so that the browser sends every cookie of the shop.
  shop.get('/checkout/visit', (c) => c.json(visitOf(c)))
  shop.get('/checkout', (c) => {
    const visit = visitOf(c)
    return answer(c, visit, checkoutPage(visit, findGood(getCookie(c, BASKET.name))))
  })
  shop.post('/break', (c) => breakPoint(c, breakage))
  shop.get('/break/check', async (c) => {
    const main = renderCheckReport(breakage, await breakage.check())
    return answer(c, visitOf(c), { title: 'What check says', main })
  })
  shop.notFound((c) => c.text('There is no such page: the shop has / and /checkout.\n', 404))
  return shop
}

/** What the demo knows of its shop once its ports are open. */
interface ShopPlace extends Pick<WidgetSetup, 'points' | 'agentToken'> {
  readonly port: number
  readonly servicePort: number
  readonly breakage: Breakage
}

/** The demo's shop as a listener for node:http, behind a proxy that serves its points. Any other Host is redirected to it. */
export function openShop({ port, points, servicePort, agentToken, breakage }: ShopPlace) {
  const origin = `http://${SHOP_HOST}:${port}`
  const service = `http://${SERVICE_HOST}:${servicePort}`
  const shop = createShop(
    { widgetKey: 'demo-widget-key', pageUrl: `${origin}/`, points, service, steps: STEPS, agentToken },
    breakage,
  )
  const serve = getRequestListener(shop.fetch, { overrideGlobalObjects: false })
  const listener: RequestListener = (incoming, outgoing) => {
    if (incoming.headers.host?.toLowerCase() === new URL(origin).host) serve(incoming, outgoing)
    else outgoing.writeHead(302, { Location: `${origin}/` }).end()
  }
  return {
    origin,
    listener,
    /** Sessions of the shop show the checkout, where all of its cookies are sent. */
    findPage: (startUrl: string) =>
      new URL(startUrl).origin !== origin
        ? undefined
        : {
            url: `${origin}/checkout`,
            open: async (cookie: string) =>
              (await shop.request('/checkout', { headers: { Cookie: cookie } })).text(),
          },
  }
}

/** The shop's continuation URLs, for cookies on `/` and on `/checkout`. */
export function shopPoints(port: number, prefix: string): readonly string[] {
  return ['', '/checkout'].map((path) => `http://${SHOP_HOST}:${port}${path}${prefix}`)
}

/** Only the shop's own page may break a point; pages of other sites could send the form too. */
async function breakPoint(c: Context, breakage: Breakage): Promise<Response> {
  if ((c.req.header('sec-fetch-site') ?? 'same-origin') !== 'same-origin') return c.body(null, 403)
  const { broken } = await c.req.parseBody()
  await breakage.set(broken === 'yes')
  return c.redirect('/#break', 303)
}

function visitOf(c: Context): ShopVisit {
  return readVisit(...SHOP_COOKIES.map(({ name }) => getCookie(c, name)))
}

function set(c: Context, { name, path, httpOnly }: ShopCookie, value: string): void {
  setCookie(c, name, value, { path, httpOnly, sameSite: 'Lax' })
}

async function answer(c: Context, visit: ShopVisit, page: Content, reach?: Reach): Promise<Response> {
  const { text, fields } = await renderDocument(inShop(visit, page), reach)
  return c.html(text, { headers: fields })
}

export const SHOP_HOST = 'www.shop.localhost'

/** The service under the shop's own domain. */
export const SERVICE_HOST = 'cobrowse.shop.localhost'

const STEPS = [
  { label: `Put the ${GOODS[1].name} into the basket`, cookie: BASKET.name, value: GOODS[1].id },
  { label: 'Sign in with the business account', cookie: SESSION.name, value: 'robin-business' },
  { label: 'Choose the cool look', cookie: THEME.name, value: 'cool' },
]
