import { randomBytes, randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { contentSecurityPolicy } from '../look/document.ts'
import { findGood } from './goods.ts'
import { BASKET, SESSION, type ShopCookie, THEME } from './shop-cookies.ts'
import { renderCheckout, renderHome, renderMissing, type ShopPoint } from './shop-page.ts'

export interface ShopOptions {
  /** The shop's continuation points, which its pages link to. */
  readonly points: readonly ShopPoint[]
}

/**
 * The demo customer site: a home page that sets a session, a basket and a look cookie, and a checkout that reads the
 * basket. It listens nowhere itself; what lies under its continuation points has to go to a proxy first.
 */
export function createShop({ points }: ShopOptions): Hono {
  const shop = new Hono({ strict: false })
  shop.use(async (c, next) => {
    c.header('Cache-Control', 'no-store')
    return next()
  })
  shop.get('/', (c) => {
    set(c, SESSION, getCookie(c, SESSION.name) ?? randomUUID())
    set(c, BASKET, 'oak-lamp')
    set(c, THEME, 'warm')
    return answer(c, (nonce) => renderHome(nonce, points))
  })
  shop.get('/checkout', (c) => {
    const good = findGood(getCookie(c, BASKET.name))
    return answer(c, (nonce) => renderCheckout(nonce, points, good))
  })
  shop.notFound((c) => {
    c.status(404)
    return answer(c, renderMissing)
  })
  return shop
}

function set(c: Context, { name, path, httpOnly }: ShopCookie, value: string): void {
  setCookie(c, name, value, { path, httpOnly, sameSite: 'Lax' })
}

async function answer(c: Context, render: (nonce: string) => Promise<string>): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  c.header('Content-Security-Policy', contentSecurityPolicy(nonce))
  c.header('X-Content-Type-Options', 'nosniff')
  return c.html(await render(nonce))
}
