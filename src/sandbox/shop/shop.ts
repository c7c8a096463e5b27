import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Reach, renderDocument } from '../look/document.ts'
import { widgetReach } from '../widget/widget-panel.ts'
import { type Breakage, isMistake, renderCheckReport } from './breakage.ts'
import { findGood, OAK_AND_LUMEN } from './goods.ts'
import { BASKET, readVisit, SESSION, type ShopCookie, type ShopVisit, THEME } from './shop-cookies.ts'
import { checkoutPage, homePage, inShop, MISSING_PAGE, type ShopFront, type ShopPage } from './shop-page.ts'

export type ShopOptions = Partial<ShopFront> & Pick<ShopFront, 'points'>

/**
 * The demo customer site: a home page that sets a session cookie, on the first visit a basket and a look too, and a
 * checkout that reads the basket. It doesn't listen itself; requests to its continuation points have to go to a proxy.
 */
export function createShop({ brand = OAK_AND_LUMEN, points, widget, sister, breakage }: ShopOptions): Hono {
  const front: ShopFront = { brand, points, widget, sister, breakage }
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
      set(c, BASKET, brand.first)
      set(c, THEME, 'warm')
    }
    const visit = readVisit({
      session: kept,
      basket: session === undefined ? brand.first : undefined,
      theme: getCookie(c, THEME.name),
    })
    return answer(c, front, visit, homePage(front, visit), widget === undefined ? {} : widgetReach(widget))
  })
  // Below /checkout, so that the browser sends every cookie of the shop.
  shop.get('/checkout/visit', (c) => c.json(visitOf(c)))
  shop.get('/checkout', (c) => {
    const visit = visitOf(c)
    return answer(c, front, visit, checkoutPage(front, visit, findGood(getCookie(c, BASKET.name))))
  })
  if (breakage !== undefined) {
    shop.post('/break', (c) => breakPoint(c, breakage))
    shop.get('/break/check', async (c) => {
      const main = renderCheckReport(breakage, await breakage.check())
      return answer(c, front, visitOf(c), { title: 'What check says', main })
    })
  }
  shop.notFound((c) => {
    c.status(404)
    return answer(c, front, visitOf(c), MISSING_PAGE)
  })
  return shop
}

export interface Shop {
  /** For node:http, behind a proxy that serves the continuation points. */
  readonly listener: RequestListener
  /** Its page at a path, as a visitor with these cookies gets it. */
  open(path: string, cookie: string): Promise<string>
}

export function openShop(options: ShopOptions): Shop {
  const shop = createShop(options)
  return {
    listener: getRequestListener(shop.fetch, { overrideGlobalObjects: false }),
    open: async (path, cookie) => (await shop.request(path, { headers: { Cookie: cookie } })).text(),
  }
}

/** Only the shop's own page may break a point; pages of other sites could send the form too. */
async function breakPoint(c: Context, breakage: Breakage): Promise<Response> {
  if ((c.req.header('sec-fetch-site') ?? 'same-origin') !== 'same-origin') return c.body(null, 403)
  const { mistake } = await c.req.parseBody()
  const word = typeof mistake === 'string' ? mistake : ''
  if (word !== '' && !isMistake(word)) return c.body(null, 400)
  await breakage.choose(isMistake(word) ? word : undefined)
  return c.redirect('/#break', 303)
}

function visitOf(c: Context): ShopVisit {
  const [session, basket, theme] = [SESSION, BASKET, THEME].map(({ name }) => getCookie(c, name))
  return readVisit({ session, basket, theme })
}

function set(c: Context, { name, path, httpOnly }: ShopCookie, value: string): void {
  setCookie(c, name, value, { path, httpOnly, sameSite: 'Lax' })
}

async function answer(
  c: Context,
  front: ShopFront,
  visit: ShopVisit,
  page: ShopPage,
  { connect = [] }: Reach = {},
): Promise<Response> {
  const reach: Reach = { connect: ["'self'", ...connect], form: "'self'" }
  const { text, fields } = await renderDocument(inShop(front, visit, page), reach)
  return c.html(text, { headers: fields })
}
