import { html } from 'hono/html'
import { pathMatches } from '../../site/cookie-match.ts'
import type { Content, Markup, Page } from '../look/document.ts'
import {
  renderSessionLinks,
  renderWidgetPanel,
  WIDGET_SCRIPT,
  WIDGET_STYLE,
  type WidgetSetup,
} from '../widget/widget.ts'
import { type Breakage, renderBreakage } from './breakage.ts'
import type { Brand, Good } from './goods.ts'
import { SHOP_COOKIES, type ShopCookie, type ShopVisit } from './shop-cookies.ts'

export interface ShopFront {
  readonly brand: Brand
  /** The URLs of its continuation points, to link to. */
  readonly points: readonly string[]
  readonly widget: WidgetSetup
  /** A shop on another site, whose continuation points the widget here ignores. */
  readonly sister: { readonly name: string; readonly url: string }
  readonly breakage?: Breakage | undefined
}

/** The home page: an introduction, the story in steps, the goods, and folded the cookies and the verification pages. */
export function homePage({ points, widget, brand, breakage }: ShopFront, visit: ShopVisit): Content {
  return {
    title: brand.headline,
    main: html`<section class="verdict hero"><p class="kicker">Demo customer site</p>
<h1>${brand.headline}</h1>
<p class="lead">This shop knows you by cookies that no script can read, so a co-browsing widget alone cannot carry them
into a session. The shop’s continuation points can. Shop and service are stand-ins; the proxy between them is the real
one.</p></section>
${renderVisit(visit)}
<ol class="story" aria-label="The story in steps">
<li class="panel"><h2>Start a session</h2>${renderWidgetPanel(widget)}</li>
<li class="panel"><h2>Look at what the agent sees</h2>${renderSessionLinks(widget)}</li>
${breakage === undefined ? '' : renderBreakage(breakage)}</ol>
<ul class="goods" aria-label="${brand.range}">${brand.goods.map(renderGood)}</ul>
${renderFold(
  'Your order',
  html`<label class="field">A note for the delivery<input name="delivery_note" value="Ring twice" autocomplete="off"></label>`,
)}
${renderFolds(points)}`,
  }
}

/** The checkout with what the basket cookie names. */
export function checkoutPage({ points }: ShopFront, visit: ShopVisit, inBasket: Good | undefined): Content {
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

function renderFolds(points: readonly string[]): Markup {
  const cookies = html`<p>This page’s script reads <code id="readable">nothing, while scripts are off</code></p>
<ul class="cookies">${SHOP_COOKIES.map((cookie) => renderCookie(cookie, points))}</ul>`
  const pages = html`<p>A verification page is what the service itself answers at a continuation point: its checks, and the cookies that
arrived.</p>
<ul class="points">${points.map(renderPoint)}</ul>`
  return html`${renderFold('Who sees which cookie', cookies)}
${renderFold('See what the service sees', pages)}`
}

function renderFold(title: string, content: Markup): Markup {
  return html`<details class="panel fold"><summary><h2>${title}</h2></summary>${content}</details>`
}

/** The answer for any other path. */
export const MISSING_PAGE: Content = {
  title: 'Not found',
  main: html`<section class="verdict"><p class="kicker">Demo customer site</p><h1>There is no such page</h1>
<p class="lead">The shop has a <a href="/">home page</a> and a <a href="/checkout">checkout</a>.</p></section>`,
}

/** A page in the look of its shop. */
export function inShop({ brand, sister }: ShopFront, { look }: ShopVisit, { title, main }: Content): Page {
  return {
    title: `${title} – ${brand.name}`,
    owner: brand.name,
    tag: 'demo shop',
    nav: html`
<nav aria-label="Shop"><a href="/">${brand.range}</a><a href="/checkout">Checkout</a><a href="${sister.url}">${sister.name}</a></nav>`,
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

function renderCookie({ name, path, httpOnly, purpose }: ShopCookie, points: readonly string[]): Markup {
  const carriers = points.map((url) => new URL(url).pathname).filter((each) => pathMatches(each, path))
  return html`<li><h3><code>${name}</code></h3><p>${purpose}</p><dl>
<div><dt>Set with</dt><dd><code>Path=${path}</code>${httpOnly ? html`, <code>HttpOnly</code>` : ''}</dd></div>
<div><dt>A script here</dt><dd data-cookie="${name}">did not run: scripts are off</dd></div>
<div><dt>Carried by the points</dt><dd>${carriers.length === 0 ? 'none' : carriers.map((each) => html`<code>${each}</code><br>`)}</dd></div>
</dl></li>`
}

function renderPoint(url: string): Markup {
  const { pathname } = new URL(url)
  const cookiePath = pathname.replace(/\/service_cookie_transfer\/$/, '') || '/'
  return html`<li><a class="action" href="${url}">Open the verification page<span class="unseen"> of ${pathname}</span></a>
<span>of <code>${pathname}</code>, for cookies on <code>${cookiePath}</code></span></li>`
}

const VISIT = [
  ['account', 'Signed in'],
  ['basket', 'Basket'],
  ['look', 'Look'],
] as const

/**
 * Shows what a script can read here, stores a wish list and the referrer as shops do, and polls the shop's view of the
 * visitor's cookies, so that what a session changed shows.
 */
const SHOP_SCRIPT = `(() => {
  'use strict'
  try {
    localStorage.shop_wishlist ??= 'reading-arm'
    sessionStorage.shop_entered_at ??= location.pathname
  } catch {
    // Storage is blocked.
  }

  const readable = document.getElementById('readable')
  const readCookies = () => {
    if (readable === null) return
    readable.textContent = document.cookie === '' ? 'no cookie' : document.cookie
    const names = document.cookie.split('; ').map((pair) => pair.split('=', 1)[0])
    for (const cell of document.querySelectorAll('[data-cookie]')) {
      cell.textContent = names.includes(cell.dataset.cookie) ? 'reads it' : 'cannot see it'
    }
  }

  let known
  const show = (visit) => {
    for (const cell of document.querySelectorAll('[data-visit]')) {
      const name = cell.dataset.visit
      const value = cell.querySelector('dd')
      if (value.textContent !== visit[name]) value.textContent = visit[name]
      if (known !== undefined && known[name] !== visit[name]) cell.dataset.changed = ''
    }
    document.body.dataset.look = visit.look
    known = visit
    readCookies()
  }

  const refresh = async () => {
    try {
      if (!document.hidden) show(await (await fetch('/checkout/visit', { cache: 'no-store' })).json())
    } catch {
      // The shop is gone; the page stays.
    }
    setTimeout(refresh, 1500)
  }
  if (document.querySelector('[data-visit]') !== null) refresh()

  readCookies()
})()
`

/** The shops' own colours, by brand and by the look that a visitor chose. */
const SHOP_STYLE = `
body[data-brand="oak"] { --hero: #fbe9c6; --hero-ink: #3d2a08; }
body[data-brand="birch"] {
  --accent: #86198f; --accent-wash: #f7e4f8; --hero: #ecd9f3; --hero-ink: #35103a;
}
body[data-brand="birch"] :is(h1, h2, .bar strong) { font-family: Georgia, "Times New Roman", serif; }
body[data-brand="birch"] .mark::before, body[data-brand="birch"] .mark::after { border-radius: 50%; }
body[data-look="cool"] { --hero: #d3e6f8; --hero-ink: #0c2942; --ground: #eaf1f8; }
@media (prefers-color-scheme: dark) {
  body[data-brand="oak"] { --hero: #33260d; --hero-ink: #fbe9c6; }
  body[data-brand="birch"] {
    --accent: #e4a8ee; --accent-ink: #2c0a31; --accent-wash: #3a1a40; --hero: #321938; --hero-ink: #f5ddf9;
  }
  body[data-look="cool"] { --hero: #122c44; --hero-ink: #d6e9fb; --ground: #0b1219; }
}
.hero { background: var(--hero); color: var(--hero-ink); border-radius: 1.25rem; padding: clamp(1.5rem, 5vw, 3rem); }
.hero :is(.kicker, .lead) { color: inherit; }
.hero .lead { opacity: 0.85; }
.hero a { color: inherit; }
.visit dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: 0.5rem 0.75rem; margin-block: 1rem 2rem; }
.visit dl > div { background: var(--surface); border: 1px solid var(--line); border-radius: 0.875rem; padding: 0.625rem 0.875rem; }
.visit dt { color: var(--soft); font-size: 0.8125rem; }
.visit dd { font-weight: 650; }
.visit dd::first-letter { text-transform: uppercase; }
.visit [data-changed] { border-color: var(--pass); background: var(--pass-wash); }
.visit [data-changed] dt::after { content: " – just changed"; color: var(--pass); font-weight: 650; }
.story { list-style: none; padding: 0; counter-reset: step; margin-bottom: 2rem; }
.story > li { counter-increment: step; display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: 0.25rem 1rem; border-width: 2px; }
.story > li > * { grid-column: 2; }
.story h2 { font-size: 1.375rem; }
.story > li::before { content: counter(step); display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%; background: var(--accent); color: var(--accent-ink); font-weight: 700; }
.fold summary { cursor: pointer; }
.fold h2 { display: inline; }
.basket.goods { max-width: 22rem; grid-template-columns: 1fr; margin-bottom: 2rem; }
.basket .good { display: block; }
.nothing { display: grid; place-items: center; aspect-ratio: 1.2; border: 2px dashed var(--line); border-radius: 0.875rem; color: var(--soft); }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1rem; }
.broken { color: var(--fail) !important; }
.breakage[data-mistake] { border: 2px solid var(--fail-line); background: var(--fail-wash); }
.report { margin-top: 0; overflow-x: auto; font-size: 0.875rem; white-space: pre; }
.report + p { margin-top: 1rem; }
@media (max-width: 26rem) {
  .visit dl { grid-template-columns: 1fr; }
  .visit dl > div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
}
.report mark { background: var(--fail-wash); color: var(--fail); font-weight: 650; }
`
