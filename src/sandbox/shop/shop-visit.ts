import { findGood } from './goods.ts'

/** What the shop makes of a visitor's cookies, in words for its pages. */
export interface ShopVisit {
  readonly account: string
  readonly look: Look
  readonly basket: string
}

export type Look = 'warm' | 'cool'

/** Anyone may have written these cookies, so what they don't know counts as nothing. */
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

/** By the first part of a session cookie, whose it is. */
const ACCOUNTS: ReadonlyMap<string, string> = new Map([
  ['robin', 'Robin'],
  ['robin-business', 'Robin, business account'],
])
