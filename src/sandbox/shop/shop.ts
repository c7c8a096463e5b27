import { randomBytes, randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { contentSecurityPolicy, type Reach } from '../look/document.ts'
import { widgetReach } from '../widget/widget-panel.ts'
import { findGood } from './goods.ts'
import { BASKET, SESSION, type ShopCookie, THEME } from './shop-cookies.ts'
import { renderCheckout, renderHome, renderMissing, type ShopFront } from './shop-page.ts'

export type ShopOptions = Partial<ShopFront> & Pick<ShopFront, 'points'>

/**
 * The demo customer site: a home page that sets a session cookie, on the first visit a basket and a look too, and a
 * checkout that reads the basket. It listens nowhere itself; what lies under its continuation points has to go to a proxy first.
 */
export function createShop({ name = 'Oak & Lumen', points, widget, sister }: ShopOptions): Hono {
  const front: ShopFront = { name, points, widget, sister }
  const shop = new Hono({ strict: false })
  shop.use(async (c, next) => {
    c.header('Cache-Control', 'no-store')
    return next()
  })
  shop.get('/', (c) => {
    const session = getCookie(c, SESSION.name)
    set(c, SESSION, session ?? randomUUID())
    if (session === undefined) {
      set(c, BASKET, 'oak-lamp')
      set(c, THEME, 'warm')
    }
    return answer(c, (nonce) => renderHome(nonce, front), widget === undefined ? {} : widgetReach(widget))
  })
  shop.get('/checkout', (c) => {
    const good = findGood(getCookie(c, BASKET.name))
    return answer(c, (nonce) => renderCheckout(nonce, front, good))
  })
  shop.notFound((c) => {
    c.status(404)
    return answer(c, (nonce) => renderMissing(nonce, front))
  })
  return shop
}

function set(c: Context, { name, path, httpOnly }: ShopCookie, value: string): void {
  setCookie(c, name, value, { path, httpOnly, sameSite: 'Lax' })
}

async function answer(
  c: Context,
  render: (nonce: string) => Promise<string>,
  reach: Reach = {},
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  c.header('Content-Security-Policy', contentSecurityPolicy(nonce, reach))
  c.header('X-Content-Type-Options', 'nosniff')
  return c.html(await render(nonce))
}
