import { html } from 'hono/html'
import { toSite } from '../../site/site.ts'
import { type Markup, renderDocument, toScriptJson } from '../look/document.ts'
import { judgeBackTransfer } from './back-transfer.ts'
import { type CarriedRow, toCarriedRows } from './carried-rows.ts'
import { SESSION_SCRIPT } from './session-script.ts'
import { SESSION_STYLE } from './session-style.ts'
import { explainBackTransfer, toSummary } from './session-summary.ts'
import type { WidgetSession } from './widget-session.ts'

/** Renders a session as an agent sees it: what was carried and how, what it does to cookies, and its end. */
export function renderSession(nonce: string, session: WidgetSession, path: string): Promise<string> {
  const rows = toCarriedRows(session)
  const { headline, lead, verdict } = toSummary(session, rows)
  return renderServicePage(
    nonce,
    headline,
    html`<section class="verdict" data-verdict="${verdict}"><p class="kicker">Session, the agent’s view</p>
<h1>${headline}</h1><p class="lead">${lead}</p></section>
${renderCounts(rows)}
${renderCarried(rows)}
${session.state === 'running' ? html`${renderSteps(session, path)}${renderEnd(session, path)}` : renderEnded(session)}
${renderPoints(session)}`,
  )
}

/** Renders the answer to the address of a session that isn't there. */
export function renderNoSession(nonce: string): Promise<string> {
  return renderServicePage(
    nonce,
    'There is no such session',
    html`<section class="verdict"><p class="kicker">Session</p><h1>There is no such session</h1>
<p class="lead">Sessions live in memory: this one is from before the stand-in was started or reset, or it was one of too
many. Start another on the customer’s page.</p></section>`,
  )
}

function renderServicePage(nonce: string, title: string, main: Markup): Promise<string> {
  return renderDocument({
    title: `${title} – co-browsing session`,
    nonce,
    script: SESSION_SCRIPT,
    style: SESSION_STYLE,
    body: html`<header class="bar"><span class="mark" aria-hidden="true"></span>
<strong>Co-browsing service</strong><span class="tag">stand-in</span></header>
<main>${main}</main>
<footer><p>This is a stand-in without any co-browsing behind it. What its widget and its continuation end say to each
other below the prefix is a protocol of its own. Names are of one site when the Public Suffix List gives them one registrable
domain.</p></footer>`,
  })
}

function renderCounts(rows: readonly CarriedRow[]): Markup {
  return html`<dl class="counts">${COUNTS.map(({ carried, title }) => {
    const count = rows.filter((row) => row.carried === carried).length
    return html`<div class="count" data-count="${carried} ${count}"><dt>${title}</dt><dd>${count}</dd></div>`
  })}</dl>`
}

function renderCarried(rows: readonly CarriedRow[]): Markup {
  return html`<section class="panel" id="carried" aria-labelledby="carried-title"><h2 id="carried-title">What the session has</h2>
<table role="table" aria-labelledby="carried-title"><thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">What</th><th role="columnheader" scope="col">In the session</th><th role="columnheader" scope="col">How it came</th>
</tr></thead><tbody role="rowgroup">${rows.map(renderRow)}</tbody></table></section>`
}

function renderRow({ name, kind, value, carried, how, fate }: CarriedRow): Markup {
  return html`<tr role="row" data-name="${name}" data-carried="${carried}"><th role="rowheader" scope="row"><code>${name}</code><span>${kind}</span></th>
<td role="cell">${value === undefined ? html`<span class="none">nothing</span>` : html`<code>${value}</code>`}${fate === undefined ? '' : html`<span class="fate" data-fate="${fate.outcome}">${fate.text}</span>`}</td>
<td role="cell"><span class="way">${WAYS[carried]}</span>${how}</td></tr>`
}

function renderSteps({ steps, cookies }: WidgetSession, path: string): Markup {
  if (steps.length === 0) return html``
  const has = (name: string) => cookies.some(({ scope, value }) => scope.name === name && value !== undefined)
  return html`<section class="panel"><h2>Go on in the session</h2>
<p>There is no page to browse here. Each button does to a cookie what the customer’s site would.</p>
<div class="steps">${steps.map(({ label, cookie }, index) =>
    has(cookie)
      ? html`<form method="post" action="${path}/steps/${index}"><button class="action quiet">${label}</button></form>`
      : html`<p><button class="action quiet" disabled>${label}</button> The session has no <code>${cookie}</code>.</p>`,
  )}</div></section>`
}

function renderEnd(session: WidgetSession, path: string): Markup {
  const judged = judgeBackTransfer(session)
  return html`<section class="panel"><h2>End the session</h2><p>${explainBackTransfer(judged, session)}</p>
<form method="post" action="${path}/end" id="end"><button class="action">End session</button></form>
<noscript><p>Scripts are off: ending works, sending cookies back does not.</p></noscript>
<script type="application/json" id="restore">${toScriptJson(judged.verdict === 'stays' ? [] : toRestoreUrls(session))}</script></section>`
}

function toRestoreUrls({ id, points }: WidgetSession): readonly string[] {
  return points.map(({ url }, index) => `${url}restore?session=${id}&point=${index}`)
}

function renderEnded({ pageUrl }: WidgetSession): Markup {
  return html`<section class="panel"><h2>Back to the customer’s page</h2>
<p>See there what became of its cookies.</p>
<p><a class="action" href="${pageUrl}">Open ${new URL(pageUrl).host}</a></p></section>`
}

function renderPoints(session: WidgetSession): Markup {
  const { points, ignored, pageUrl } = session
  const site = toSite(new URL(pageUrl).hostname)
  return html`<section class="panel"><h2>Continuation points of the account</h2>
<ul class="sites">${points.map(({ url }, index) => html`<li data-point="${url}"><span class="way">${toUse(session, index)}</span><code>${url}</code></li>`)}
${ignored.map((url) => html`<li data-ignored="${url}"><span class="way">ignored</span><code>${url}</code> <span>is not on ${site}, the site of the page</span></li>`)}</ul></section>`
}

function toUse({ options, asked }: WidgetSession, pointIndex: number): string {
  if (!options.cookie_transfer_proxying) return 'off'
  return asked.get(pointIndex) === 'store' ? 'called' : 'no answer'
}

const COUNTS: readonly { readonly carried: CarriedRow['carried']; readonly title: string }[] = [
  { carried: 'widget', title: 'by the widget alone' },
  { carried: 'point', title: 'only through the points' },
  { carried: 'missing', title: 'missing' },
]

const WAYS: Readonly<Record<CarriedRow['carried'], string>> = {
  widget: 'Widget',
  point: 'Point',
  missing: 'Missing',
}
