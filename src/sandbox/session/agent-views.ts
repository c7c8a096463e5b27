import { html } from 'hono/html'
import type { Markup } from '../look/document.ts'
import type { CustomerPage } from '../seed/sandbox-state.ts'
import type { Visit, VisitCookie } from '../state/visit.ts'
import { listSent } from '../state/visit-cookies.ts'

/** How the agent sees the customer's page: with all that the session has, or with what the widget alone has read. */
type View = keyof typeof VIEWS

export function isView(word: string): word is View {
  return Object.hasOwn(VIEWS, word)
}

/** Opens the page with the cookies of that view. */
export function openView(view: View, page: CustomerPage, visit: Visit): Promise<string> {
  const sent = listSent(visit, page.url).filter(VIEWS[view].carries)
  return page.open(sent.map(({ scope, value }) => `${scope.name}=${value}`).join('; '))
}

/** The fields of a view: a picture of the page, without its scripts, for the session's window alone. */
export const VIEW_FIELDS = {
  'Cache-Control': 'no-store',
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
}

/** Renders what the agent sees of the customer's page; beside it what the widget alone would show, if that is less. */
export function renderViews(path: string, { url }: CustomerPage, visit: Visit): Markup {
  const byPoints = visit.cookies.some(({ carriedBy }) => typeof carriedBy === 'object')
  const views = byPoints ? (['session', 'widget'] as const) : (['widget'] as const)
  const { host, pathname } = new URL(url)
  return html`<section class="views" aria-label="What the agent sees">${views.map((view) => {
    const sent = listSent(visit, url).filter(VIEWS[view].carries)
    return html`<figure data-view="${view}"><figcaption><h2>${VIEWS[view].title}</h2>
<p>${sent.length === 0 ? 'The shop got no cookie' : html`The shop got ${sent.map(({ scope }) => html`<code>${scope.name}</code> `)}`}</p></figcaption>
<div class="glass"><p><code>${host}${pathname}</code></p>
<iframe src="${path}/views/${view}" title="${VIEWS[view].title}" sandbox inert></iframe></div></figure>`
  })}</section>`
}

const VIEWS = {
  session: { title: 'With continuation points', carries: () => true },
  widget: {
    title: 'Without them',
    carries: ({ carriedBy }: VisitCookie) => carriedBy === 'widget',
  },
} as const
