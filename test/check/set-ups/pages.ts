import { PAGE, type Place } from './front-end-text.ts'
import type { Change, SetUp } from './set-up.ts'

/** Mistakes of the pages, with which the points themselves are right. */
export const pages: readonly SetUp[] = [
  onPage('a page whose policy keeps the widget from the point', {
    rule: 'page/csp',
    cause: "blocks the widget's calls to http://www.shop.localhost",
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
    cause: "blocks the widget's calls to http://www.shop.localhost",
    broken: () => toMarkup('connect-src https://cdn.example'),
    fixed: () => toMarkup("connect-src https://cdn.example 'self'"),
    says: "Add 'self' to connect-src",
  }),
  onPage('a start page that redirects to a page whose policy keeps the widget from the point', {
    rule: 'page/csp',
    cause: "blocks the widget's calls to http://www.shop.localhost",
    broken: () => toRedirect("connect-src 'none'"),
    fixed: () => toRedirect("connect-src 'self'"),
    says: "Add 'self' to connect-src",
  }),
  onPage('a page without the widget', {
    rule: 'page/widget',
    cause: "The widget isn't in this page",
    broken: () => ({ parts: { html: '<!doctype html><title>Shop</title>' } }),
    fixed: () => ({ parts: { html: PAGE } }),
    says: 'Paste the widget code',
  }),
  onPage('a page whose widget is in a comment', {
    rule: 'page/widget',
    cause: "The widget isn't in this page",
    broken: () => ({ parts: { html: `<!-- ${PAGE} -->` } }),
    fixed: () => ({ parts: { html: PAGE } }),
    says: 'Paste the widget code',
  }),
  onPage('a page that redirects in a circle', {
    rule: 'page/unreachable',
    cause: 'redirects in a circle',
    broken: () => ({ parts: { page: 'return 302 /;' } }),
    fixed: () => ({ parts: { page: '' } }),
    says: 'Stop the redirect',
  }),
  onPage('a page that redirects to another site', {
    rule: 'page/unreachable',
    cause: 'redirects to another site, http://www.other.localhost',
    broken: () => ({ parts: { page: 'return 302 http://www.other.localhost/;' } }),
    fixed: () => ({ parts: { page: '' } }),
    says: 'List the page that visitors end up on, http://www.other.localhost/',
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
    cause: 'sets this cookie differently',
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
    shows: ['www.shop.localhost /shop HttpOnly Partitioned'],
  }),
  onPage('a session cookie that is not in the config', {
    rule: 'cookie/unlisted',
    cause: 'does not list: PHPSESSID',
    broken: () => ({ parts: { page: TWO_COOKIES } }),
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
  onPage('a cookie that lost HttpOnly', {
    rule: 'cookie/drift',
    cause: 'sets this cookie differently',
    broken: () => ({ parts: { page: 'add_header Set-Cookie "sid=secret; Path=/";' } }),
    fixed: () => ({ parts: { page: 'add_header Set-Cookie "sid=secret; Path=/; HttpOnly";' } }),
    says: '"httponly": false in this entry of "cookies", or correct the site',
  }),
]

const TWO_COOKIES =
  'add_header Set-Cookie "sid=secret; Path=/; HttpOnly"; add_header Set-Cookie "PHPSESSID=secret; Path=/; HttpOnly"; add_header Set-Cookie "AWSALB=a; Path=/; HttpOnly";'
const SID_ON_SHOP = 'add_header Set-Cookie "sid=secret; Path=/shop; HttpOnly; Secure; Partitioned";'

function toBoth({ host }: Place) {
  return ['sid', 'PHPSESSID'].map((name) => ({ name, domain: host, path: '/', httponly: true }))
}

function toMarkup(policy: string): Change {
  const meta = `<meta http-equiv=Content-Security-Policy content=\\"${policy}\\">`
  return { parts: { page: `return 200 "${PAGE.replaceAll('"', '\\"')}${meta}";` } }
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

type Given = Pick<SetUp, 'rule' | 'cause' | 'broken' | 'fixed' | 'says' | 'shows'>

function onPage(name: string, given: Given): SetUp {
  return { name, server: 'nginx', through: 'serve', scheme: 'http', ...given }
}
