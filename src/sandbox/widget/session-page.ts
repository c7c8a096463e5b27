import { html } from 'hono/html'
import { type Markup, renderDocument, toScriptJson } from '../look/document.ts'
import { type BackTransfer, judgeBackTransfer } from './back-transfer.ts'
import { type CarriedRow, toCarriedRows } from './carried-rows.ts'
import { SESSION_SCRIPT } from './session-script.ts'
import { SESSION_STYLE } from './session-style.ts'
import { siteOf } from './site-of.ts'
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
other below the prefix is a protocol of its own. Two names below localhost count as one site when their last two labels
are equal.</p></footer>`,
  })
}

interface Summary {
  readonly headline: string
  readonly lead: string
  readonly verdict: 'pass' | 'fail'
}

function toSummary(session: WidgetSession, rows: readonly CarriedRow[]): Summary {
  const missing = rows.filter(({ carried }) => carried === 'missing').length
  if (session.state === 'ended') return toEndedSummary(session)
  if (missing === 0) {
    return {
      headline: 'The whole visit is in the session',
      lead: 'The agent sees the customer’s page signed in, with the basket filled. The widget alone could not have carried the HttpOnly cookies: the continuation points did.',
      verdict: 'pass',
    }
  }
  return {
    headline: `${count(missing, 'cookie')} ${missing === 1 ? 'is' : 'are'} missing`,
    lead: session.options.cookie_transfer_proxying
      ? 'The points were called, but not everything that the account lists came along. Look at the verification page of each point.'
      : 'The continuation points are off, so only what a script can read came along: the agent sees a visitor who is not signed in.',
    verdict: 'fail',
  }
}

function toEndedSummary(session: WidgetSession): Summary {
  const changed = session.cookies.filter(({ change }) => change !== 'none')
  const sent = changed.filter(({ change }) => change !== 'changed').length
  if (changed.length === 0) {
    return {
      headline: 'The session is over',
      lead: 'It changed no cookie, so nothing had to go back.',
      verdict: 'pass',
    }
  }
  const judged = judgeBackTransfer(session)
  if (judged.verdict === 'goes-back' && sent === changed.length) {
    return {
      headline: `Over, and ${count(sent, 'cookie')} went back`,
      lead: 'The page asked the continuation points once more, and their answers set the changed cookies on the customer’s site.',
      verdict: 'pass',
    }
  }
  return {
    headline: `Over, and ${count(changed.length - sent, 'changed cookie')} stayed behind`,
    lead:
      judged.verdict === 'goes-back'
        ? 'Not every point answered, or scripts are off in this browser.'
        : explain(judged, session),
    verdict: 'fail',
  }
}

function renderCounts(rows: readonly CarriedRow[]): Markup {
  return html`<dl class="counts">${COUNTS.map(
    ({ carried, title }) => html`<div class="count" data-carried="${carried}"><dt>${title}</dt>
<dd>${rows.filter((row) => row.carried === carried).length}</dd></div>`,
  )}</dl>`
}

function renderCarried(rows: readonly CarriedRow[]): Markup {
  return html`<section class="panel" id="carried" aria-labelledby="carried-title"><h2 id="carried-title">What the session has</h2>
<table role="table" aria-labelledby="carried-title"><thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">What</th><th role="columnheader" scope="col">In the session</th><th role="columnheader" scope="col">How it came</th>
</tr></thead><tbody role="rowgroup">${rows.map(renderRow)}</tbody></table></section>`
}

function renderRow({ name, kind, value, carried, how, fate }: CarriedRow): Markup {
  return html`<tr role="row" data-name="${name}" data-carried="${carried}"><th role="rowheader" scope="row"><code>${name}</code><span>${kind}</span></th>
<td role="cell">${value === undefined ? html`<strong>missing</strong>` : html`<code>${value}</code>`}${fate === undefined ? '' : html`<span class="fate">${fate}</span>`}</td>
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
  return html`<section class="panel"><h2>End the session</h2><p>${explain(judged, session)}</p>
<form method="post" action="${path}/end" id="end"><button class="action">End session</button></form>
<noscript><p>Scripts are off: ending works, sending cookies back does not.</p></noscript>
<script type="application/json" id="restore">${toScriptJson(judged.verdict === 'stays' ? [] : toRestoreUrls(session))}</script></section>`
}

function toRestoreUrls({ id, points }: WidgetSession): readonly string[] {
  return points.map(({ url }, index) => `${url}restore?session=${id}&point=${index}`)
}

function renderEnded({ pageUrl }: WidgetSession): Markup {
  return html`<section class="panel"><h2>Back to the customer’s page</h2>
<p>It shows what it has now; the checkout knows the basket.</p>
<p><a class="action" href="${pageUrl}">Open ${new URL(pageUrl).host}</a></p></section>`
}

function renderPoints({ points, ignored, options, pageUrl }: WidgetSession): Markup {
  const called = options.cookie_transfer_proxying ? 'called' : 'not called: switched off'
  const site = siteOf(new URL(pageUrl).hostname)
  return html`<section class="panel"><h2>Continuation points of the account</h2>
<ul class="points">${points.map(({ url }) => html`<li data-point="${url}"><code>${url}</code> <span>${called}</span></li>`)}
${ignored.map((url) => html`<li data-ignored="${url}"><code>${url}</code> <span>ignored: not on ${site}, the site of the page</span></li>`)}</ul></section>`
}

function explain(judged: BackTransfer, { serviceOrigin, pageUrl }: WidgetSession): string {
  const [service, site] = [new URL(serviceOrigin).hostname, siteOf(new URL(pageUrl).hostname)]
  if (judged.verdict === 'goes-back') {
    return `Back-transfer is on, and the service runs under the customer’s domain, as ${service}. So this page may ask the points once more, and their answers set the changed cookies on ${site}.`
  }
  switch (judged.reason) {
    case 'switched-off':
      return 'Back-transfer is off (enable_cookie_backtransfer), so changed cookies end with the session.'
    case 'points-off':
      return 'The continuation points are off, and nothing else can set HttpOnly cookies on the customer’s site.'
    case 'foreign-service':
      return `The service runs as ${service}, which is not under ${site}: a browser keeps no cookie of a site that another one asked. Back-transfer needs the service on the customer’s own domain.`
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
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
