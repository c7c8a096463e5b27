import type { CookieScope } from '../state/account.ts'

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
