import type { CookieScope } from '../state/account.ts'
import { findGood } from './goods.ts'

/** A cookie of the demo customer site; all are host-only, `SameSite=Lax` and last for the browser session. */
export interface ShopCookie {
  readonly name: string
  readonly path: string
  readonly httpOnly: boolean
  readonly purpose: string
}

/** The cookie scopes to list in the settings of an account for the shop on this host (name without port). */
export function shopScopes(host: string): readonly CookieScope[] {
  return SHOP_COOKIES.map(({ name, path, httpOnly }) => ({ name, domain: host, path, httponly: httpOnly }))
}

export const SESSION: ShopCookie = {
  name: 'shop_session',
  path: '/',
  httpOnly: true,
  purpose: 'keeps you signed in',
}
export const BASKET: ShopCookie = {
  name: 'shop_basket',
  path: '/checkout',
  httpOnly: true,
  purpose: 'knows what you buy',
}
export const THEME: ShopCookie = {
  name: 'shop_theme',
  path: '/',
  httpOnly: false,
  purpose: 'remembers the look',
}

export const SHOP_COOKIES: readonly ShopCookie[] = [SESSION, BASKET, THEME]

/** What a visitor's cookies mean to the shop, as texts for its pages. */
export interface ShopVisit {
  readonly account: string
  readonly look: Look
  readonly basket: string
}

export type Look = 'warm' | 'cool'

/** The cookies are untrusted: unknown values count as none. */
export function readVisit(cookies: {
  readonly session: string | undefined
  readonly basket: string | undefined
  readonly theme: string | undefined
}): ShopVisit {
  const good = findGood(cookies.basket)
  return {
    account: ACCOUNTS.get(cookies.session?.split('.')[0] ?? '') ?? 'nobody',
    look: cookies.theme === 'cool' ? 'cool' : 'warm',
    basket: good === undefined ? 'empty' : `${good.name}, ${good.price}`,
  }
}

/** Names by the first part of the session cookie. */
const ACCOUNTS: ReadonlyMap<string, string> = new Map([
  ['robin', 'Robin'],
  ['robin-business', 'Robin, business account'],
])
