import type { Place } from './front-end-text.ts'
import type { Change, SetUp } from './set-up.ts'

/** Mistakes of the pages, with which the points themselves are right. */
export const pages: readonly SetUp[] = [
  onPage('a page whose policy keeps the widget from the point', {
    rule: 'page/csp',
    cause: 'keeps the widget from http://www.shop.localhost',
    broken: () => ({
      parts: { page: `add_header Content-Security-Policy "default-src 'none'; img-src *";` },
    }),
    fixed: () => ({
      parts: {
        page: `add_header Content-Security-Policy "default-src 'none'; img-src *; connect-src 'self'";`,
      },
    }),
    says: "Add 'self' to connect-src",
  }),
  onPage('a policy in the markup of the page', {
    rule: 'page/csp',
    cause: 'keeps the widget from http://www.shop.localhost',
    broken: () => toMarkup('connect-src https://cdn.example'),
    fixed: () => toMarkup("connect-src https://cdn.example 'self'"),
    says: "Add 'self' to connect-src",
  }),
  onPage('a page that is gone', {
    rule: 'page/unreachable',
    cause: 'The page answers 410',
    broken: () => ({ parts: { page: 'return 410;' } }),
    fixed: () => ({ parts: { page: '' } }),
    says: 'or bring this one back',
  }),
  onPage('a cookie whose path moved', {
    rule: 'cookie/drift',
    cause: 'sets this cookie otherwise',
    broken: () => ({ parts: { page: SID_ON_SHOP } }),
    fixed: (place) => ({
      parts: { page: SID_ON_SHOP },
      config: toShop(place),
      served: [toShopPoint(place)],
      account: {
        cookie_transfer_urls: [place.point, toShopPoint(place)],
        cookie_transfer_scopes: toShop(place).cookies,
      },
    }),
    says: '"path": "/shop", "httponly": true',
  }),
  onPage('a cookie that lost HttpOnly', {
    rule: 'cookie/drift',
    cause: 'sets this cookie otherwise',
    broken: () => ({ parts: { page: 'add_header Set-Cookie "sid=secret; Path=/";' } }),
    fixed: () => ({ parts: { page: 'add_header Set-Cookie "sid=secret; Path=/; HttpOnly";' } }),
    says: '"httponly": false to this entry of "cookies", or correct the site',
  }),
]

const SID_ON_SHOP = 'add_header Set-Cookie "sid=secret; Path=/shop; HttpOnly";'

function toMarkup(policy: string): Change {
  const meta = `<meta http-equiv=Content-Security-Policy content=\\"${policy}\\">`
  return { parts: { page: `return 200 "<!doctype html>${meta}<title>Shop</title>";` } }
}

function toShop(place: Place) {
  const cookies = [{ name: 'sid', domain: place.host, path: '/shop', httponly: true }]
  return { cookies, points: [place.point, toShopPoint(place)] }
}

function toShopPoint({ origin, point }: Place): string {
  return point.replace(origin, `${origin}/shop`)
}

type Given = Pick<SetUp, 'rule' | 'cause' | 'broken' | 'fixed' | 'says'>

function onPage(name: string, given: Given): SetUp {
  return { name, server: 'nginx', through: 'serve', scheme: 'http', ...given }
}
