import type { Context } from 'hono'
import { html } from 'hono/html'
import { type Content, type Reach, renderDocument } from '../look/document.ts'

/** Sends a page of the service itself: what agents and visitors see of a session. */
export async function sendPage(
  c: Context,
  status: 200 | 400 | 403 | 404 | 410,
  { title, main }: Content,
  reach?: Reach,
): Promise<Response> {
  const page = {
    title: `${title} – co-browsing session`,
    main,
    footer: html`This is a stand-in, a mock service: there is no real co-browsing behind it. Its widget talks to it in a protocol of its own,
not in the service’s.`,
    script: SCRIPT,
    style: STYLE,
  }
  const { text, fields } = await renderDocument(page, reach)
  return c.html(text, status, fields)
}

/**
 * Reloads a window once its stamp changes. Of a session that is over, the visitor's asks each point to send changed cookies
 * back; only the Set-Cookie lines of the answers matter.
 */
const SCRIPT = `(() => {
  'use strict'
  const live = document.getElementById('live')
  if (live === null) return
  const { stamp, restore } = JSON.parse(live.textContent)

  const giveBack = async () => {
    for (const url of restore) {
      try {
        await fetch(url, { method: 'POST', credentials: 'include', redirect: 'error' })
      } catch {
        // The other points may still answer.
      }
    }
  }

  const watch = async () => {
    try {
      const answer = await fetch(location.pathname + '/state', { cache: 'no-store' })
      if (answer.status === 404 || (await answer.json()).stamp !== stamp) return location.reload()
    } catch {
      // The service may come back.
    }
    setTimeout(watch, 700)
  }

  giveBack().then(watch)
})()
`

const STYLE = `
.join { display: grid; gap: 0.25rem; justify-items: start; }
.join .field { width: 100%; }
.join .action { margin-top: 1rem; }
.refusal { color: var(--fail) !important; font-weight: 600; }
.state-of { margin-bottom: 1rem; }
.people { list-style: none; padding: 0; }
.views { display: grid; gap: 1.25rem; margin-bottom: 1.5rem; }
.views figure { --tone: var(--fail); min-width: 0; display: grid; grid-template-rows: auto 1fr; gap: 0.75rem; }
.views [data-view="session"] { --tone: var(--pass); }
.views h2 { color: var(--tone); }
.views p { color: var(--soft); font-size: 0.875rem; }
.glass { border: 2px solid var(--tone); border-radius: 0.875rem; overflow: hidden; background: var(--surface); box-shadow: var(--shadow); }
.glass p { padding: 0.375rem 1rem; border-bottom: 1px solid var(--line); }
.glass p::before { content: "\\25CF \\25CF \\25CF"; letter-spacing: 0.15em; margin-inline-end: 0.75rem; color: var(--line); }
.glass iframe { display: block; border: 0; width: 100%; height: 26rem; }
table { width: 100%; border-collapse: collapse; margin-top: 0.75rem; font-size: 0.9375rem; }
thead th { color: var(--soft); font-size: 0.8125rem; font-weight: 600; }
th, td { text-align: start; vertical-align: top; padding: 0.75rem 1rem 0.75rem 0; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
tbody th { font-weight: 600; }
td:last-child { font-size: 0.8125rem; }
tbody th span, .fate { display: block; color: var(--soft); font-size: 0.8125rem; font-weight: 400; }
.fate { font-weight: 600; }
.fate[data-fate="sent-back"] { color: var(--pass); }
.fate[data-fate="lost"] { color: var(--fail); }
.way { display: inline-block; background: var(--ground); color: var(--soft); border: 1px solid var(--line); border-radius: 99px; padding: 0 0.6rem; margin-inline-end: 0.5rem; font-size: 0.8125rem; font-weight: 650; }
tr[data-carried="point"] .way { background: var(--accent-wash); color: var(--accent); border-color: currentcolor; }
tr[data-carried="missing"] .way { background: var(--fail-wash); color: var(--fail); border-color: var(--fail-line); }
.none { color: var(--fail); font-size: 0.875rem; }
.steps p { flex-basis: 100%; }
.panel .action { margin-top: 0.75rem; }
.steps .action { margin-top: 0; font-size: 0.9375rem; }
@media (min-width: 46rem) {
  .views:has(figure + figure) { grid-template-columns: 1fr 1fr; }
  .glass iframe { height: 49rem; }
  table { table-layout: fixed; }
  thead th:first-child, thead th:nth-child(2) { width: 29%; }
}
@media (min-width: 60rem) { .glass iframe { height: 44rem; } }
@media (max-width: 45.99rem) {
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { padding-block: 0.75rem; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; padding-bottom: 0; }
  th, td { border: 0; padding: 0.125rem 0; }
}
`
