import { html, raw } from 'hono/html'
import type { Markup } from '../look/document.ts'

/** How the shop's page breaks one of its points on purpose, and repairs it. */
export type Breakage = ReturnType<typeof openBreakage>

/**
 * Breaks a point on purpose, by a wrong widget key in the proxy's config.
 *
 * @param check runs `check` on the point, and returns what it prints, in colour
 * @param apply configures the proxy with this widget key for the point, or with its own
 */
export function openBreakage(
  pointUrl: string,
  check: () => Promise<string>,
  apply: (widgetKey: string | undefined) => Promise<void>,
) {
  let isBroken = false
  return {
    pointUrl,
    isBroken: () => isBroken,
    async set(broken: boolean): Promise<void> {
      await apply(broken ? 'not-the-widget-key' : undefined)
      isBroken = broken
    },
    check,
  }
}

/** Renders the button; for a broken point, links to its failing check and to the output of `check`. */
export function renderBreakage({ pointUrl, isBroken }: Breakage): Markup {
  return html`<li class="panel breakage" id="break"${isBroken() ? html` data-broken` : ''}>
<h2>Break a point on purpose</h2>
<p>The point is <code>${new URL(pointUrl).pathname}</code>. See how a mistake in the setup shows, and what <code>check</code> reports.</p>
${isBroken() ? renderBroken(pointUrl) : html`<form method="post" action="/break"><button class="action quiet" name="broken" value="yes">Send a wrong widget key</button></form>`}</li>`
}

function renderBroken(pointUrl: string): Markup {
  return html`<p class="broken" role="status"><strong>Broken.</strong> The proxy now sends a widget key that the service does not know.</p>
<div class="row"><a class="action" href="${pointUrl}" target="_blank">Show the failing check</a>
<a class="action quiet" href="/break/check">See what check says</a>
<form method="post" action="/break"><button class="action quiet" name="broken" value="no">Repair it</button></form></div>`
}

/** Renders the output of `check` in the colours that it has at a terminal; 39 and 22 end one (ECMA-48). */
export function renderCheckReport({ pointUrl }: Breakage, report: string): Markup {
  const parts = report.split(/\u001b\[(\d+)m/)
  return html`<section class="verdict"><p class="kicker">The checked point</p><h1>What check says</h1>
<p class="lead">This is what the command prints on this machine:</p></section>
<section class="panel"><pre class="report" aria-label="Output of check"><code>$ npx continuation-point check ${pointUrl}
${parts.map((part, at) => (at % 2 === 0 ? part : raw(part === '39' || part === '22' ? '</span>' : `<span class="sgr${part}">`)))}</code></pre>
<p><a class="action" href="/#break">Back to the shop</a></p></section>`
}
