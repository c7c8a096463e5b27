import { html } from 'hono/html'
import type { CookieScope } from '../state/company.ts'

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

export type Good = (typeof GOODS)[number]

/** Finds what a basket cookie names. The cookie is untrusted. */
export function findGood(id: string | undefined): Good | undefined {
  return GOODS.find((good) => good.id === id)
}

/** The first is in the basket of a new visitor, the second is what an agent puts there. */
export const GOODS = [
  {
    id: 'oak-lamp',
    name: 'Oak table lamp',
    price: '€ 89',
    picture: html`<path d="M118 78h84l22 66H96z" fill="#f2b134"/><rect x="153" y="144" width="14" height="48" fill="#9a6b3f"/><rect x="120" y="190" width="80" height="12" rx="6" fill="#7b5330"/>`,
  },
  {
    id: 'globe-pendant',
    name: 'Globe pendant',
    price: '€ 124',
    picture: html`<path d="M158 0h4v84h-4z" fill="#6d7f79"/><circle cx="160" cy="132" r="52" fill="#ffd98a"/><path d="M140 76h40v14h-40z" fill="#0f766e"/>`,
  },
  {
    id: 'reading-arm',
    name: 'Reading arm',
    price: '€ 156',
    picture: html`<path d="M106 202V118l84-58" fill="none" stroke="#0f766e" stroke-width="10" stroke-linejoin="round" stroke-linecap="round"/><path d="m176 40 52 34-34 36-32-42z" fill="#f2b134"/><rect x="66" y="196" width="80" height="12" rx="6" fill="#2b8f86"/>`,
  },
] as const

/** Names by the first part of the session cookie. */
const ACCOUNTS: ReadonlyMap<string, string> = new Map([
  ['robin', 'Robin'],
  ['robin-business', 'Robin, business account'],
])
