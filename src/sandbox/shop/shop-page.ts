import { html } from 'hono/html'
import type { Markup, Page } from '../look/document.ts'
import { pathMatches } from '../state/visit.ts'
import { renderSessionLinks, renderWidgetPanel, type WidgetSetup } from '../widget/widget-panel.ts'
import { WIDGET_SCRIPT } from '../widget/widget-script.ts'
import { WIDGET_STYLE } from '../widget/widget-style.ts'
import { type Breakage, renderBreakage } from './breakage.ts'
import type { Brand, Good } from './goods.ts'
import type { ShopVisit } from './shop-cookies.ts'
import { SHOP_COOKIES, type ShopCookie } from './shop-cookies.ts'
import { SHOP_SCRIPT } from './shop-script.ts'
import { SHOP_STYLE } from './shop-style.ts'

export interface ShopFront {
  readonly brand: Brand
  /** The shop's continuation points, which its pages link to. */
  readonly points: readonly ShopPoint[]
  /** The co-browsing widget on its home page. */
  readonly widget: WidgetSetup | undefined
  /** A shop on another site, whose continuation points the widget here ignores. */
  readonly sister: { readonly name: string; readonly url: string } | undefined
  /** Its home page breaks a point on request. */
  readonly breakage: Breakage | undefined
}

export interface ShopPoint {
  readonly url: string
  /** The cookie path that the point serves: `/` or `/checkout`. */
  readonly cookiePath: string
}

export interface ShopPage {
  readonly title: string
  readonly main: Markup
}

/** The home page: an introduction, the story in steps, the goods, and folded the cookies and the verification pages. */
export function homePage({ points, widget, brand, breakage }: ShopFront, visit: ShopVisit): ShopPage {
  return {
    title: brand.headline,
    main: html`<section class="verdict hero"><p class="kicker">Demo customer site</p>
<h1>${brand.headline}</h1>
<p class="lead">This shop knows you by cookies that no script can read, so a co-browsing widget alone cannot carry them
into a session. The shop’s continuation points can. Shop and service are stand-ins; the proxy between them is the real
one.</p></section>
${renderVisit(visit)}
${widget === undefined ? '' : renderStory(widget, breakage)}
<ul class="goods" aria-label="${brand.range}">${brand.goods.map(renderGood)}</ul>
${renderFold(
  'Your order',
  html`<label class="field">A note for the delivery<input name="delivery_note" value="Ring twice" autocomplete="off"></label>`,
)}
${renderFolds(points)}`,
  }
}

/** The checkout with what the basket cookie names. */
export function checkoutPage({ points }: ShopFront, visit: ShopVisit, inBasket: Good | undefined): ShopPage {
  return {
    title: 'Checkout',
    main: html`<section class="verdict hero"><p class="kicker">Checkout</p>
<h1>${visit.account === 'nobody' ? 'You are signed out' : `Hello, ${visit.account}`}</h1>
<p class="lead">${inBasket === undefined ? html`Your basket is empty. <a href="/">Visit the shop</a> and it gets a first item.` : `In your basket: ${visit.basket}.`}</p></section>
${renderVisit(visit)}
<ul class="goods basket" aria-label="Basket">${inBasket === undefined ? html`<li class="nothing">Nothing in it</li>` : renderGood(inBasket)}</ul>
${renderFolds(points)}`,
  }
}

function renderStory(widget: WidgetSetup, breakage: Breakage | undefined): Markup {
  return html`<ol class="story" aria-label="The story in steps">
<li class="panel"><h2>Start a session</h2>${renderWidgetPanel(widget)}</li>
<li class="panel"><h2>Look at what the agent sees</h2>${renderSessionLinks(widget)}</li>
${breakage === undefined ? '' : renderBreakage(breakage)}</ol>`
}

function renderFolds(points: readonly ShopPoint[]): Markup {
  return html`${renderFold('Who sees which cookie', renderCookies(points))}
${renderFold('See what the service sees', renderPoints(points))}`
}

function renderFold(title: string, content: Markup): Markup {
  return html`<details class="panel fold"><summary><h2>${title}</h2></summary>${content}</details>`
}

/** The answer for any other path. */
export const MISSING_PAGE: ShopPage = {
  title: 'Not found',
  main: html`<section class="verdict"><p class="kicker">Demo customer site</p><h1>There is no such page</h1>
<p class="lead">The shop has a <a href="/">home page</a> and a <a href="/checkout">checkout</a>.</p></section>`,
}

/** A page in the look of its shop. */
export function inShop({ brand, sister }: ShopFront, { look }: ShopVisit, { title, main }: ShopPage): Page {
  return {
    title: `${title} – ${brand.name}`,
    owner: brand.name,
    tag: 'demo shop',
    nav: html`
<nav aria-label="Shop"><a href="/">${brand.range}</a><a href="/checkout">Checkout</a>${sister === undefined ? '' : html`<a href="${sister.url}">${sister.name}</a>`}</nav>`,
    main,
    footer: html`Nothing is sold here. This is the customer’s side of a demo of session continuation.`,
    script: `${SHOP_SCRIPT};${WIDGET_SCRIPT}`,
    style: WIDGET_STYLE + SHOP_STYLE,
    attributes: { brand: brand.id, look },
  }
}

/** The visitor's account, look and basket by their cookies; the script keeps it up to date. */
function renderVisit(visit: ShopVisit): Markup {
  return html`<section class="visit" aria-label="Your visit" aria-live="polite"><dl>${VISIT.map(
    ([name, title]) => html`<div data-visit="${name}"><dt>${title}</dt><dd>${visit[name]}</dd></div>`,
  )}</dl></section>`
}

function renderGood({ name, price, picture }: Good): Markup {
  return html`<li class="good"><svg viewBox="0 0 320 220" aria-hidden="true">${picture}</svg>
<div><strong>${name}</strong><span>${price}</span></div></li>`
}

function renderCookies(points: readonly ShopPoint[]): Markup {
  return html`<p>This page’s script reads <code id="readable">nothing, while scripts are off</code></p>
<ul class="cookies">${SHOP_COOKIES.map((cookie) => renderCookie(cookie, points))}</ul>`
}

function renderCookie(cookie: ShopCookie, points: readonly ShopPoint[]): Markup {
  const carriers = points.filter((point) => pathMatches(pathOf(point), cookie.path))
  return html`<li><h3><code>${cookie.name}</code></h3><p>${cookie.purpose}</p><dl>
<div><dt>Set with</dt><dd><code>Path=${cookie.path}</code>${cookie.httpOnly ? html`, <code>HttpOnly</code>` : ''}</dd></div>
<div><dt>A script here</dt><dd data-cookie="${cookie.name}">did not run: scripts are off</dd></div>
<div><dt>Carried by the points</dt><dd>${carriers.length === 0 ? 'none' : carriers.map((point) => html`<code>${pathOf(point)}</code><br>`)}</dd></div>
</dl></li>`
}

function renderPoints(points: readonly ShopPoint[]): Markup {
  return html`<p>A verification page is what the service itself answers at a continuation point: its checks, and the cookies that
arrived.</p>
<ul class="points">${points.map(renderPoint)}</ul>`
}

function renderPoint(point: ShopPoint): Markup {
  return html`<li><a class="action" href="${point.url}">Open the verification page<span class="unseen"> of ${pathOf(point)}</span></a>
<span>of <code>${pathOf(point)}</code>, for cookies on <code>${point.cookiePath}</code></span></li>`
}

function pathOf({ url }: ShopPoint): string {
  return new URL(url).pathname
}

const VISIT: readonly (readonly [name: keyof ShopVisit, title: string])[] = [
  ['account', 'Signed in'],
  ['basket', 'Basket'],
  ['look', 'Look'],
]
