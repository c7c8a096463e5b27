import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { type Markup, pageFields, type Reach, renderDocument } from '../look/document.ts'
import { WINDOW_SCRIPT } from './window-script.ts'
import { WINDOW_STYLE } from './window-style.ts'

/** Renders a page of the service itself: what agents and visitors see of a session. */
export function renderServicePage(nonce: string, title: string, main: Markup): Promise<string> {
  return renderDocument({
    title: `${title} – co-browsing session`,
    nonce,
    script: WINDOW_SCRIPT,
    style: WINDOW_STYLE,
    body: html`<header class="bar"><span class="mark" aria-hidden="true"></span>
<strong>Co-browsing service</strong><span class="tag">stand-in</span></header>
<main>${main}</main>
<footer><p>This is a stand-in: there is no real co-browsing behind it. The calls of its widget to its continuation end
are its own protocol, not the service’s.</p></footer>`,
  })
}

export async function sendPage(
  c: Context,
  status: 200 | 400 | 403 | 404 | 409 | 410,
  render: (nonce: string) => Promise<string>,
  reach: Reach = {},
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64')
  return c.html(await render(nonce), status, pageFields(nonce, reach))
}
