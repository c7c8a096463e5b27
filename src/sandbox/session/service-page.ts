import type { Context } from 'hono'
import { html } from 'hono/html'
import { type Markup, type Reach, renderDocument } from '../look/document.ts'
import { WINDOW_SCRIPT } from './window-script.ts'
import { WINDOW_STYLE } from './window-style.ts'

/** A page of the service itself: what agents and visitors see of a session. */
export interface ServicePage {
  readonly title: string
  readonly main: Markup
}

export async function sendPage(
  c: Context,
  status: 200 | 400 | 403 | 404 | 409 | 410,
  { title, main }: ServicePage,
  reach?: Reach,
): Promise<Response> {
  const page = {
    title: `${title} – co-browsing session`,
    owner: 'Co-browsing service',
    tag: 'stand-in',
    main,
    footer: html`This is a stand-in: there is no real co-browsing behind it. The calls of its widget to its continuation end
are its own protocol, not the service’s.`,
    script: WINDOW_SCRIPT,
    style: WINDOW_STYLE,
  }
  const { text, fields } = await renderDocument(page, reach)
  return c.html(text, status, fields)
}
