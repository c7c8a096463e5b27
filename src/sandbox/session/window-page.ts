import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { type Content, type Markup, toScriptJson } from '../look/document.ts'
import type { CustomerPage } from '../state/sandbox-state.ts'
import { isActive, isVisitor, may, type Participant, type Session } from '../state/session.ts'
import type { Visit, VisitCookie } from '../state/visit.ts'
import { isAwaitingReturn, listSent } from '../state/visit-cookies.ts'
import { type CarriedRow, judgeCarried, summarise } from './summary.ts'

export interface SessionWindow {
  readonly session: Session
  readonly participant: Participant
}

/** Renders a session for one of its participants, with the customer's page where it is at hand. */
export function renderWindow(window: SessionWindow, page: CustomerPage | undefined): Content {
  const { session, participant } = window
  const { visit } = session
  const { headline, lead, verdict } = summarise(session)
  return {
    title: headline,
    main: html`<section class="verdict" data-verdict="${verdict}"><p class="kicker">Session window: ${nameOf(participant, session)}</p>
<h1>${headline}</h1><p class="lead">${lead}</p></section>
${page === undefined || visit === undefined ? '' : renderViews(participant.path, page, visit)}
${isActive(session) ? renderControls(window) : renderEnded(window)}
${renderState(window)}
${visit === undefined ? '' : renderCarried(judgeCarried(visit, session))}
${isActive(session) && may('agent_can_end_session', session, participant) ? renderEnd(window) : ''}
${renderLive(window)}`,
  }
}

/** A stamp of everything in a page that other windows can change. */
export function hashVisible({ participants, visit, endMs }: Session): string {
  const cookies = visit?.cookies.map(({ value, change }) => [value, change])
  const seen = JSON.stringify([participants.length, endMs ?? null, cookies ?? []])
  return createHash('sha256').update(seen).digest('base64url')
}

export const NO_WINDOW: Content = {
  title: 'There is no such session',
  main: html`<section class="verdict"><p class="kicker">Session</p><h1>There is no such session</h1>
<p class="lead">Sessions live in memory: this one is from before the stand-in was started or reset. Start another on the
customer’s page, or <a href="/join">join one by its PIN</a>.</p></section>`,
}

function renderState({ session, participant }: SessionWindow): Markup {
  const { formattedId, pin, participants } = session
  return html`<section class="panel state-of" aria-labelledby="state-title"><h2 id="state-title">Session ${formattedId}${isActive(session) ? '' : ' (expired)'}</h2>
<dl class="facts">
<div><dt>PIN</dt><dd><code class="pin">${pin}</code> ${explainPin(session, participant)}</dd></div>
<div><dt>Participants</dt><dd><ul class="people">${participants.map((each) => html`<li data-participant="${each.role}">${nameOf(each, session)}, ${each.role === 'leader' ? 'leads' : 'follows'}${each === participant ? html` <strong>(this window)</strong>` : ''}</li>`)}</ul></dd></div>
</dl></section>`
}

function explainPin(session: Session, participant: Participant): Markup | string {
  if (!isActive(session)) return html`<span>(expired)</span>`
  if (!isVisitor(participant)) return ''
  return html`<span>an agent joins with it at <a href="/join?pin=${session.pin}" target="_blank">/join</a></span>`
}

function nameOf({ agentId, role }: Participant, { company }: Session): string {
  if (agentId !== undefined)
    return `${company.agents.get(agentId)?.agent_name ?? 'an agent who was deleted'}, agent`
  return role === 'leader' ? 'the visitor' : 'a guest'
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
<td role="cell"><span class="way">${carried.charAt(0).toUpperCase() + carried.slice(1)}</span>${how}</td></tr>`
}

function renderControls({ session, participant: { path }, participant }: SessionWindow): Markup | string {
  const { visit } = session
  if (!may('allow_control_switching', session, participant)) {
    return html`<section class="panel"><h2>You are watching</h2>
<p>The leader controls the session, and agents do while <code>allow_control_switching</code> is on.</p></section>`
  }
  if (visit === undefined || visit.steps.length === 0) return ''
  const has = (name: string) =>
    visit.cookies.some(({ scope, value }) => scope.name === name && value !== undefined)
  return html`<section class="panel"><h2>Continue in the session</h2>
<p>Each button changes a cookie as the shop would.</p>
<div class="row steps">${visit.steps.map(({ label, cookie }, index) =>
    has(cookie)
      ? html`<form method="post" action="${path}/steps/${index}"><button class="action quiet">${label}</button></form>`
      : html`<p><button class="action quiet" disabled>${label}</button> The session has no <code>${cookie}</code>.</p>`,
  )}</div></section>`
}

function renderEnd({ session: { visit }, participant: { path } }: SessionWindow): Markup {
  const fate =
    visit?.noReturn === undefined
      ? 'The visitor’s window then asks the points once more, and their answers set the changed cookies on the customer’s site.'
      : `${visit.noReturn}: changed cookies end with the session.`
  return html`<section class="panel"><h2>End the session</h2><p>${visit === undefined ? 'Either side may end it.' : fate}</p>
<form method="post" action="${path}/end" id="end"><button class="action">End session</button></form>
<noscript><p>Scripts are off: ending works, sending cookies back does not.</p></noscript></section>`
}

function renderEnded({ session: { url }, participant }: SessionWindow): Markup {
  if (!isVisitor(participant)) {
    return html`<section class="panel"><h2>Another session</h2>
<p>The customer’s cookies are in the customer’s browser, not in this one.</p>
<p><a class="action" href="/join">Join a session by its PIN</a></p></section>`
  }
  return html`<section class="panel"><h2>Back to the customer’s page</h2>
<p>See there what became of its cookies.</p>
<p><a class="action" href="${url}">Open ${new URL(url).host}</a></p></section>`
}

/** What the script needs while the page may change. Only the visitor's browser has the cookies to send back. */
function renderLive({ session, participant }: SessionWindow): Markup | string {
  const { id, visit } = session
  const awaiting = visit !== undefined && isAwaitingReturn(visit) ? visit.points : []
  if (!isActive(session) && awaiting.length === 0) return ''
  const calls = !isActive(session) && isVisitor(participant) ? awaiting : []
  const restore = calls.map(({ href }, index) => `${href}restore?session=${id}&point=${index}`)
  return html`<script type="application/json" id="live">${toScriptJson({ stamp: hashVisible(session), restore })}</script>`
}

/** How the agent sees the customer's page: with all that the session has, or with what the widget alone has read. */
type View = keyof typeof VIEWS

export function isView(word: string): word is View {
  return Object.hasOwn(VIEWS, word)
}

/** Without the page's scripts: its frame may run none, and browsers complain of those that they block. */
export async function openView(view: View, page: CustomerPage, visit: Visit): Promise<string> {
  const sent = listSent(visit, page.url).filter(VIEWS[view].carries)
  const text = await page.open(sent.map(({ scope, value }) => `${scope.name}=${value}`).join('; '))
  return text.replace(/<script\b.*?<\/script>/gs, '')
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
function renderViews(path: string, { url }: CustomerPage, visit: Visit): Markup {
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
  widget: { title: 'Without them', carries: ({ carriedBy }: VisitCookie) => carriedBy === 'widget' },
} as const
