import { html } from 'hono/html'
import { type Markup, renderDocument } from '../look/document.ts'
import { GOODS, type Good } from './goods.ts'
import { SHOP_COOKIES, type ShopCookie } from './shop-cookies.ts'
import { SHOP_SCRIPT } from './shop-script.ts'

/** What the shop knows of one of its continuation points. */
export interface ShopPoint {
  readonly url: string
  /** The cookie path that the point serves: `/` or `/checkout`. */
  readonly cookiePath: string
}

/** Renders the home page: what the demo shows, the goods, the cookies and the ways to the verification pages. */
export function renderHome(nonce: string, points: readonly ShopPoint[]): Promise<string> {
  return renderShop(
    nonce,
    'Lamps for long evenings',
    html`<section class="verdict"><p class="kicker">Demo customer site</p>
<h1>Lamps for long evenings</h1>
<p class="lead">This shop keeps you signed in with cookies that no script can read, so a co-browsing widget alone cannot
carry them into a session. Its continuation points lie on the shop’s own site, so the browser attaches every cookie
there, and the proxy forwards the request to the service. Shop and service are stand-ins; the proxy between them is the
real one.</p></section>
<ul class="goods" aria-label="Lamps">${GOODS.map(renderGood)}</ul>
${renderCookies(points)}
${renderPoints(points)}`,
  )
}

/** Renders the checkout with what the basket cookie names. */
export function renderCheckout(
  nonce: string,
  points: readonly ShopPoint[],
  good: Good | undefined,
): Promise<string> {
  return renderShop(
    nonce,
    'Checkout',
    html`<section class="verdict"><p class="kicker">Demo customer site</p>
<h1>Checkout</h1>
<p class="lead">${good === undefined ? html`Your basket is empty. <a href="/">Visit the lamps</a> and one is put into it.` : html`In your basket: ${good.name}, ${good.price}. The shop knows it from a cookie that goes only to addresses below <code>/checkout</code>.`}</p></section>
${renderCookies(points)}
${renderPoints(points)}`,
  )
}

/** Renders the answer to every other address. */
export function renderMissing(nonce: string): Promise<string> {
  return renderShop(
    nonce,
    'Not found',
    html`<section class="verdict"><p class="kicker">Demo customer site</p><h1>There is no such page</h1>
<p class="lead">The shop has its <a href="/">lamps</a> and a <a href="/checkout">checkout</a>.</p></section>`,
  )
}

function renderShop(nonce: string, title: string, main: Markup): Promise<string> {
  return renderDocument({
    title: `${title} – Oak & Lumen`,
    nonce,
    script: SHOP_SCRIPT,
    body: html`<header class="bar"><span class="mark" aria-hidden="true"></span>
<strong>Oak &amp; Lumen</strong><span class="tag">demo shop</span>
<nav aria-label="Shop"><a href="/">Lamps</a><a href="/checkout">Checkout</a></nav></header>
<main>${main}</main>
<footer><p>Nothing is sold here. This is the customer’s side of a demo of session continuation.</p></footer>`,
  })
}

function renderGood({ name, price, picture }: Good): Markup {
  return html`<li class="good"><svg viewBox="0 0 320 220" aria-hidden="true">${picture}</svg>
<div><strong>${name}</strong><span>${price}</span></div></li>`
}

function renderCookies(points: readonly ShopPoint[]): Markup {
  return html`<section class="panel"><h2>Who sees which cookie</h2>
<p>This page’s script reads <code id="readable">nothing, while scripts are off</code></p>
<ul class="cookies">${SHOP_COOKIES.map((cookie) => renderCookie(cookie, points))}</ul></section>`
}

function renderCookie(cookie: ShopCookie, points: readonly ShopPoint[]): Markup {
  const carriers = points.filter((point) => carries(point, cookie))
  return html`<li><h3><code>${cookie.name}</code></h3><p>${cookie.purpose}</p><dl>
<div><dt>Set with</dt><dd><code>Path=${cookie.path}</code>${cookie.httpOnly ? html`, <code>HttpOnly</code>` : ''}</dd></div>
<div><dt>A script here</dt><dd data-cookie="${cookie.name}">was not asked: scripts are off</dd></div>
<div><dt>Carried by the points</dt><dd>${carriers.length === 0 ? 'none' : carriers.map((point) => html`<code>${pathOf(point)}</code><br>`)}</dd></div>
</dl></li>`
}

/** Path-match, RFC 6265 section 5.1.4, as far as these few paths need it. */
function carries({ cookiePath }: ShopPoint, { path }: ShopCookie): boolean {
  return path === '/' || cookiePath === path || cookiePath.startsWith(`${path}/`)
}

function renderPoints(points: readonly ShopPoint[]): Markup {
  return html`<section class="panel"><h2>See what the service sees</h2>
<p>A verification page is what the service itself answers at a continuation point: its checks, and the cookies that
came along.</p>
<ul class="points">${points.map(renderPoint)}</ul></section>`
}

function renderPoint(point: ShopPoint): Markup {
  return html`<li><a class="action" href="${point.url}">Open the verification page<span class="unseen"> of ${pathOf(point)}</span></a>
<span>of <code>${pathOf(point)}</code>, for cookies on <code>${point.cookiePath}</code></span></li>`
}

function pathOf({ url }: ShopPoint): string {
  return new URL(url).pathname
}
