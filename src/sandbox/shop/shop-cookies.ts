import type { CookieScope } from '../state/account.ts'
import { findGood } from './goods.ts'

/** The cookie scopes to list in the settings of an account for the shop on this host (name without port). */
export function shopScopes(host: string): readonly CookieScope[] {
  return SHOP_COOKIES.map(({ name, path, httpOnly }) => ({ name, domain: host, path, httponly: httpOnly }))
}

/** A cookie of the demo customer site; all are host-only, `SameSite=Lax` and last for the browser session. */
export type ShopCookie = (typeof SHOP_COOKIES)[number]

export const SHOP_COOKIES = [
  { name: 'shop_session', path: '/', httpOnly: true },
  { name: 'shop_basket', path: '/checkout', httpOnly: true },
  { name: 'shop_theme', path: '/', httpOnly: false },
] as const

export const [SESSION, BASKET, THEME] = SHOP_COOKIES

/** What a visitor's cookies mean to the shop, as texts for its pages. */
export type ShopVisit = ReturnType<typeof readVisit>

/** The cookies are untrusted: unknown values count as none. */
export function readVisit(session?: string, basket?: string, theme?: string) {
  const good = findGood(basket)
  return {
    account: ACCOUNTS.get(session?.split('.')[0] ?? '') ?? 'nobody',
    look: theme === 'cool' ? 'cool' : 'warm',
    basket: good === undefined ? 'empty' : `${good.name}, ${good.price}`,
  }
}

/** Names by the first part of the session cookie. */
const ACCOUNTS: ReadonlyMap<string, string> = new Map([
  ['robin', 'Robin'],
  ['robin-business', 'Robin, business account'],
])
