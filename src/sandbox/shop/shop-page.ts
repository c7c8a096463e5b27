import { html, raw } from 'hono/html'
import type { Content, Markup, Page } from '../look/document.ts'
import { type Breakage, renderBreakage } from './breakage.ts'
import { GOODS, type Good, type ShopVisit } from './shop-cookies.ts'
import { renderSessionLinks, renderWidgetPanel, WIDGET_SCRIPT, type WidgetSetup } from './widget.ts'

/** The home page: an introduction, the story in steps, the goods, and the verification pages. */
export function homePage(widget: WidgetSetup, breakage: Breakage, visit: ShopVisit): Content {
  return {
    title: 'Lamps for long evenings',
    main: html`<section class="verdict hero"><p class="kicker">Demo customer site</p>
<h1>Lamps for long evenings</h1>
<p class="lead">This shop knows you by cookies that no script can read, so a co-browsing widget alone cannot carry them
into a session. The shop’s continuation points can. Shop and service are stand-ins (mocks); the proxy between
them is the real one.</p></section>
${renderVisit(visit)}
<ol class="story" aria-label="The story in steps">
<li class="panel"><h2>Start a session</h2>${renderWidgetPanel(widget)}</li>
<li class="panel"><h2>Look at what the agent sees</h2>${renderSessionLinks(widget)}</li>
${renderBreakage(breakage)}</ol>
<ul class="goods" aria-label="Lamps">${GOODS.map(renderGood)}</ul>
<section class="panel"><h2>Your order</h2>
<label class="field">A note for the delivery<input name="delivery_note" value="Ring twice" autocomplete="off"></label></section>
<section class="panel"><h2>See what the service sees</h2>
<p>The service itself answers at a continuation point with its checks, and the cookies that arrived.</p>
<ul class="row">${widget.points.map((url) => html`<li><a class="action quiet" href="${url}">${raw(new URL(url).pathname.replaceAll('/', '/<wbr>'))}</a></li>`)}</ul></section>`,
  }
}

/** The checkout with what the basket cookie names. */
export function checkoutPage(visit: ShopVisit, inBasket: Good | undefined): Content {
  return {
    title: 'Checkout',
    main: html`<section class="verdict hero"><p class="kicker">Checkout</p>
<h1>${visit.account === 'nobody' ? 'You are signed out' : `Hello, ${visit.account}`}</h1>
<p class="lead">${inBasket === undefined ? html`Your basket is empty. <a href="/">Visit the shop</a> to add something.` : `In your basket: ${visit.basket}.`}</p></section>
${renderVisit(visit)}
<ul class="goods basket" aria-label="Basket">${inBasket === undefined ? html`<li class="nothing">Nothing in it</li>` : renderGood(inBasket)}</ul>`,
  }
}

/** A page in the look of the shop, which the visitor chose. */
export function inShop({ look }: ShopVisit, { title, main }: Content): Page {
  return {
    title: `${title} – Oak & Lumen`,
    owner: 'Oak & Lumen',
    tag: 'demo shop',
    nav: html`
<nav aria-label="Shop"><a href="/">Lamps</a><a href="/checkout">Checkout</a></nav>`,
    main,
    footer: html`Nothing is sold here. This is the customer’s side of a demo of session continuation.`,
    script: `${SHOP_SCRIPT};${WIDGET_SCRIPT}`,
    style: SHOP_STYLE,
    look,
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

const VISIT = [
  ['account', 'Signed in'],
  ['basket', 'Basket'],
  ['look', 'Look'],
] as const

/** Stores what shops store in a browser, and polls the shop's view of the visitor's cookies: what a session changed shows. */
const SHOP_SCRIPT = `(() => {
  'use strict'
  try {
    localStorage.shop_wishlist ??= 'reading-arm'
    sessionStorage.shop_entered_at ??= location.pathname
  } catch {
    // Storage is blocked.
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
})()
`

/** The shop's own colours, by the look that a visitor chose. */
const SHOP_STYLE = `
body { --hero: #fbe9c6; --hero-ink: #3d2a08; --evidence: #8a2a8a; }
body[data-look="cool"] { --hero: #d3e6f8; --hero-ink: #0c2942; --ground: #eaf1f8; }
@media (prefers-color-scheme: dark) {
  body { --hero: #33260d; --hero-ink: #fbe9c6; --evidence: #e3a1e3; }
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
#widget-form { display: grid; gap: 1rem; margin-top: 1rem; justify-items: start; }
#widget-status { color: var(--ink); font-weight: 600; margin-block: 0.75rem 0.25rem; }
.basket.goods { max-width: 22rem; grid-template-columns: 1fr; margin-bottom: 2rem; }
.basket .good { display: block; }
.nothing { display: grid; place-items: center; aspect-ratio: 1.2; border: 2px dashed var(--line); border-radius: 0.875rem; color: var(--soft); }
.broken { color: var(--fail) !important; }
.breakage[data-broken] { border: 2px solid var(--fail-line); background: var(--fail-wash); }
.breakage > form { margin-top: 1rem; }
.report { font-size: 0.875rem; white-space: pre-wrap; }
.report + p { margin-top: 1rem; }
@media (max-width: 26rem) {
  .visit dl { grid-template-columns: 1fr; }
  .visit dl > div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
}
.sgr1 { font-weight: 700; }
.sgr2 { color: var(--soft); }
.sgr31 { color: var(--fail); font-weight: 700; }
.sgr32 { color: var(--pass); }
.sgr33 { color: var(--wait); }
.sgr34, .sgr36 { color: var(--accent); }
.sgr35 { color: var(--evidence); }
`
