import { randomUUID } from 'node:crypto'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Content, renderDocument } from '../look/document.ts'
import { widgetReach } from '../widget/widget.ts'
import { type Breakage, isMistake, renderCheckReport } from './breakage.ts'
import { findGood } from './goods.ts'
import {
  BASKET,
  readVisit,
  SESSION,
  SHOP_COOKIES,
  type ShopCookie,
  type ShopVisit,
  THEME,
} from './shop-cookies.ts'
import { checkoutPage, homePage, inShop, MISSING_PAGE, type ShopFront } from './shop-page.ts'

/** The demo customer site. Requests to its continuation points have to go to a proxy. */
export function createShop(front: ShopFront): Hono {
  const { widget, breakage } = front
  const [first] = front.brand.goods
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
    return answer(c, front, visit, homePage(front, visit), widgetReach(widget))
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

export function openShop(front: ShopFront) {
  const shop = createShop(front)
  return {
    /** For node:http, behind a proxy that serves the continuation points. */
    listener: getRequestListener(shop.fetch, { overrideGlobalObjects: false }),
    /** Its page at a path, as a visitor with these cookies gets it. */
    open: async (path: string, cookie: string) =>
      (await shop.request(path, { headers: { Cookie: cookie } })).text(),
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
  return readVisit(...SHOP_COOKIES.map(({ name }) => getCookie(c, name)))
}

function set(c: Context, { name, path, httpOnly }: ShopCookie, value: string): void {
  setCookie(c, name, value, { path, httpOnly, sameSite: 'Lax' })
}

/** @param connect origins that the page's script requests, besides its own */
async function answer(
  c: Context,
  front: ShopFront,
  visit: ShopVisit,
  page: Content,
  connect: readonly string[] = [],
): Promise<Response> {
  const reach = { connect: ["'self'", ...connect], form: "'self'" } as const
  const { text, fields } = await renderDocument(inShop(front, visit, page), reach)
  return c.html(text, { headers: fields })
}
