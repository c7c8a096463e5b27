import { findGood } from './goods.ts'

/** What a visitor's cookies mean to the shop, in words for its pages. */
export interface ShopVisit {
  readonly account: string
  readonly look: Look
  readonly basket: string
}

export type Look = 'warm' | 'cool'

/** The cookies are untrusted: unknown values count as none. */
export function toShopVisit(cookies: {
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
