import { PAGE, type Place } from './front-end-text.ts'
import { type Change, type SetUp, setUp } from './set-up.ts'

const TWO_COOKIES =
  'add_header Set-Cookie "sid=secret; Path=/; HttpOnly"; add_header Set-Cookie "PHPSESSID=secret; Path=/; HttpOnly"; add_header Set-Cookie "AWSALB=a; Path=/; HttpOnly";'
const SID_ON_SHOP = 'add_header Set-Cookie "sid=secret; Path=/shop; HttpOnly; Secure; Partitioned";'

/** Mistakes of the pages, with which the points themselves are right. */
export const pages: readonly SetUp[] = [
  setUp('a page whose policy keeps the widget from the point', 'nginx', {
    rule: 'page/csp',
    cause: "blocks the widget's calls to http://www.shop.localhost",
    broken: { page: `add_header Content-Security-Policy "default-src 'none'; img-src *";` },
    fixed: {
      page: `add_header Content-Security-Policy "default-src 'none'; img-src *; connect-src 'self'";`,
    },
    says: "Add 'self' to connect-src",
  }),
  setUp('a start page that redirects to a page whose policy keeps the widget from the point', 'nginx', {
    rule: 'page/csp',
    cause: "blocks the widget's calls to http://www.shop.localhost",
    broken: () => toRedirect("connect-src 'none'"),
    fixed: () => toRedirect("connect-src 'self'"),
    says: "Add 'self' to connect-src",
  }),
  setUp('a page without the widget', 'nginx', {
    rule: 'page/widget',
    cause: "The widget isn't in this page",
    broken: { html: '<!doctype html><title>Shop</title>' },
    fixed: { html: PAGE },
    says: 'paste the widget code',
  }),
  setUp('a page that redirects in a circle', 'nginx', {
    rule: 'page/unreachable',
    cause: 'redirects in a circle',
    broken: { page: 'return 302 /;' },
    says: 'Stop the redirect',
  }),
  setUp('a page that redirects to another site', 'nginx', {
    rule: 'page/unreachable',
    cause: 'redirects to another site, http://www.other.localhost',
    broken: { page: 'return 302 http://www.other.localhost/;' },
    says: 'List the page that visitors end up on, http://www.other.localhost/',
  }),
  setUp('a page that is gone', 'nginx', {
    rule: 'page/unreachable',
    cause: 'The page answers 410',
    broken: { page: 'return 410;' },
    says: 'or bring this one back',
  }),
  setUp('a cookie whose path moved', 'nginx', {
    rule: 'cookie/drift',
    cause: 'sets this cookie differently',
    broken: { page: SID_ON_SHOP },
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
    shows: ['www.shop.localhost /shop HttpOnly Partitioned'],
  }),
  setUp('a session cookie that is not in the config', 'nginx', {
    rule: 'cookie/unlisted',
    cause: 'does not list: PHPSESSID',
    broken: { page: TWO_COOKIES },
    fixed: (place) => {
      const cookies = toBoth(place)
      return {
        parts: { page: TWO_COOKIES },
        config: { cookies },
        account: { cookie_transfer_scopes: cookies },
      }
    },
    says: '{ "name": "PHPSESSID", "domain": "www.shop.localhost", "path": "/", "httponly": true }',
  }),
  setUp('a cookie that lost HttpOnly', 'nginx', {
    rule: 'cookie/drift',
    cause: 'sets this cookie differently',
    broken: { page: 'add_header Set-Cookie "sid=secret; Path=/";' },
    fixed: { page: 'add_header Set-Cookie "sid=secret; Path=/; HttpOnly";' },
    says: '"httponly": false in this entry of "cookies", or correct the site',
  }),
]

function toBoth({ host }: Place) {
  return ['sid', 'PHPSESSID'].map((name) => ({ name, domain: host, path: '/', httponly: true }))
}

function toRedirect(policy: string): Change {
  const english = `location = /en/ { default_type text/html; add_header Content-Security-Policy "${policy}"; return 200 '${PAGE}'; }`
  return { parts: { page: 'return 302 /en/;', site: english } }
}

function toShop(place: Place) {
  const cookies = [{ name: 'sid', domain: place.host, path: '/shop', httponly: true }]
  return { cookies, points: [place.point, toShopPoint(place)] }
}

function toShopPoint({ origin, point }: Place): string {
  return point.replace(origin, `${origin}/shop`)
}
