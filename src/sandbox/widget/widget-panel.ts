import { html } from 'hono/html'
import { type Markup, type Reach, toScriptJson } from '../look/document.ts'
import { separatePoints, type VisitStart } from '../state/visit.ts'

/** The widget stand-in as a customer's page embeds it. */
export interface WidgetSetup {
  /** As in the widget code, which every visitor can read. */
  readonly widgetKey: string
  readonly pageUrl: string
  /** Every continuation URL of the account. */
  readonly pointUrls: readonly string[]
  /** The service's addresses to choose from; the first is the default. */
  readonly services: readonly { readonly origin: string; readonly label: string }[]
  /** What a session can do to the page's cookies. */
  readonly steps: VisitStart['steps']
  /** The access token of an agent, for a link to their window of the session. */
  readonly agentToken?: string
}

/** Renders the widget in a customer's page, for `WIDGET_SCRIPT`: where a session starts. */
export function renderWidgetPanel(setup: WidgetSetup): Markup {
  const { widgetKey, services, steps, agentToken } = setup
  return html`<div id="widget">
<p>A session carries this visit to the service: the widget takes what a script can read, the continuation points bring
the rest.</p>
<form id="widget-form" autocomplete="off">
<button class="action" disabled>Start session</button>
<details><summary>Settings of the session</summary>
<div class="settings"><fieldset><legend>The session uses</legend>
${SWITCHES.map(
  ({
    option,
    title,
    text,
  }) => html`<label class="choice"><input type="checkbox" role="switch" name="${option}" checked>
<span><strong>${title}</strong> ${text} <code>${option}</code></span></label>`,
)}</fieldset>
<fieldset><legend>The service runs</legend>
${services.map(
  (
    { origin, label },
    index,
  ) => html`<label class="choice"><input type="radio" name="service" value="${origin}"${index === 0 ? html` checked` : ''}>
<span><strong>${label}</strong> <code>${new URL(origin).host}</code></span></label>`,
)}</fieldset></div></details>
</form>
<noscript><p>Scripts are off, so there is no widget.</p></noscript>
<p id="widget-status" role="status"></p>
<details id="widget-called" hidden><summary>Calls of the widget</summary><ol id="widget-calls" aria-label="Calls of the widget"></ol></details>
<script type="application/json" id="widget-setup">${toScriptJson({ widgetKey, steps, agentToken })}</script>
</div>`
}

/** Renders the way into the windows of the session, once it has started. */
export function renderSessionLinks({ pageUrl, agentToken }: WidgetSetup): Markup {
  return html`<p id="widget-waiting">There is nothing to see yet: start a session first.</p>
<div id="widget-session" hidden>
<p class="windows">${agentToken === undefined ? '' : html`<a class="action" id="widget-agent" href="${pageUrl}" target="_blank">Open the agent’s window</a>`}
<a class="action quiet" id="widget-window" href="${pageUrl}" target="_blank">Open your window of the session</a></p>
<p>PIN for another agent <code class="pin" id="widget-pin"></code></p></div>`
}

/** What the page's policy has to allow the widget: the points and the service. */
export function widgetReach({ pageUrl, pointUrls, services }: WidgetSetup): Reach {
  const points = separatePoints(pageUrl, pointUrls).called.map(({ origin }) => origin)
  return { connect: [...points, ...services.map(({ origin }) => origin)] }
}

const SWITCHES: readonly { readonly option: string; readonly title: string; readonly text: string }[] = [
  {
    option: 'cookie_transfer_proxying',
    title: 'Continuation points.',
    text: 'They bring the cookies that no script can read.',
  },
  {
    option: 'enable_cookie_backtransfer',
    title: 'Back-transfer.',
    text: 'Cookies that change in the session come back at its end.',
  },
]
