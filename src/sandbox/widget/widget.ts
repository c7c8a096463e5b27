import { html } from 'hono/html'
import { type Markup, toScriptJson } from '../look/document.ts'
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
  readonly agentToken: string
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
  (each) => html`<label class="choice"><input type="checkbox" role="switch" name="${each.option}" checked>
<span><strong>${each.title}</strong> ${each.text} <code>${each.option}</code></span></label>`,
)}</fieldset>
<fieldset><legend>The service runs</legend>
${services.map(
  (
    each,
  ) => html`<label class="choice"><input type="radio" name="service" value="${each.origin}"${each === services[0] ? html` checked` : ''}>
<span><strong>${each.label}</strong> <code>${new URL(each.origin).host}</code></span></label>`,
)}</fieldset></div></details>
</form>
<noscript><p>Scripts are off, so there is no widget.</p></noscript>
<p id="widget-status" role="status"></p>
<details id="widget-called" hidden><summary>Calls of the widget</summary><ol id="widget-calls" aria-label="Calls of the widget"></ol></details>
<script type="application/json" id="widget-setup">${toScriptJson({ widgetKey, steps, agentToken })}</script>
</div>`
}

/** Renders the way into the windows of the session, once it has started. */
export function renderSessionLinks({ pageUrl }: WidgetSetup): Markup {
  return html`<p id="widget-waiting">There is nothing to see yet: start a session first.</p>
<div id="widget-session" hidden>
<p class="windows"><a class="action" id="widget-agent" href="${pageUrl}" target="_blank">Open the agent’s window</a>
<a class="action quiet" id="widget-window" href="${pageUrl}" target="_blank">Open your window of the session</a></p>
<p>PIN for another agent <code class="pin" id="widget-pin"></code></p></div>`
}

/** The origins that the widget requests: those of the points and of the service. */
export function widgetReach({ pageUrl, pointUrls, services }: WidgetSetup): readonly string[] {
  return [...separatePoints(pageUrl, pointUrls).called, ...services].map(({ origin }) => origin)
}

/**
 * The widget stand-in in a customer's page: starts a session with what a script can read, then calls each continuation point
 * that the service lists, so that the browser attaches every cookie. It shows each call once it is answered.
 */
export const WIDGET_SCRIPT = `(() => {
  'use strict'
  const panel = document.getElementById('widget')
  if (panel === null) return
  const setup = JSON.parse(document.getElementById('widget-setup').textContent)
  const form = document.getElementById('widget-form')
  const status = document.getElementById('widget-status')
  const called = document.getElementById('widget-called')
  const calls = document.getElementById('widget-calls')
  const started = document.getElementById('widget-session')
  const waiting = document.getElementById('widget-waiting')
  const button = form.querySelector('button')
  // The session outlives a reload of the page, and the tab keeps the way to it.
  const KEPT = 'continuation-point-session'

  const readCookies = () =>
    document.cookie
      .split('; ')
      .map((pair) => ({ name: pair.split('=', 1)[0], value: pair.slice(pair.indexOf('=') + 1) }))
      .filter(({ name }) => name !== '')

  const readStorage = (kind) => {
    try {
      return Object.entries(window[kind])
        .filter(([name]) => name !== KEPT)
        .map(([name, value]) => ({ kind, name, value }))
    } catch {
      return []
    }
  }

  const readFields = () =>
    [...document.querySelectorAll('input[name], select[name], textarea[name]')]
      .filter((field) => !panel.contains(field) && field.type !== 'password')
      .map(({ name, value }) => ({ kind: 'form field', name, value }))

  const tell = (request, outcome) => {
    const line = document.createElement('li')
    const code = document.createElement('code')
    code.textContent = request
    line.append(code, ' ', outcome)
    calls.append(line)
  }

  const begin = async (service) => {
    const body = {
      widgetKey: setup.widgetKey,
      pageUrl: location.href,
      options: {
        cookie_transfer_proxying: form.elements.cookie_transfer_proxying.checked,
        enable_cookie_backtransfer: form.elements.enable_cookie_backtransfer.checked,
      },
      cookies: readCookies(),
      entries: [...readStorage('localStorage'), ...readStorage('sessionStorage'), ...readFields()],
      steps: setup.steps,
    }
    const answer = await fetch(service + '/_widget/sessions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    tell('POST ' + service + '/_widget/sessions', String(answer.status))
    if (!answer.ok) throw new Error()
    return answer.json()
  }

  const ask = async (method, url, call, query) => {
    const request = method + ' ' + new URL(url).pathname + call
    try {
      const answer = await fetch(url + call + query, { method, credentials: 'include', cache: 'no-store', redirect: 'error' })
      const { widget } = await answer.json()
      const stored = widget.stored === undefined ? '' : ', ' + (widget.stored.join(' and ') || 'nothing new')
      tell(request, answer.status + stored + (widget.refused === undefined ? '' : ', ' + widget.refused))
      return answer.ok
    } catch {
      tell(request, 'no response, or none that this page may read')
      return false
    }
  }

  const transfer = async ({ session, points }) => {
    let carried = 0
    for (const [index, url] of points.entries()) {
      const query = '?session=' + session + '&point=' + index
      if (!(await ask('GET', url, 'init', query))) continue
      if (!(await ask('POST', url, 'create', query))) continue
      if (await ask('GET', url, 'store', query)) carried += 1
    }
    return carried
  }

  const showLinks = (begun) => {
    document.getElementById('widget-window').href = begun.url
    document.getElementById('widget-pin').textContent = begun.pin
    document.getElementById('widget-agent').href = begun.follower_link + '?agent_token=' + setup.agentToken
    started.hidden = false
    waiting.hidden = true
  }

  const start = async () => {
    calls.replaceChildren()
    called.hidden = false
    started.hidden = true
    waiting.hidden = false
    status.textContent = 'Starting\\u2026'
    try {
      const begun = await begin(form.elements.service.value)
      const carried = await transfer(begun)
      called.open = carried < begun.points.length
      sessionStorage.setItem(KEPT, JSON.stringify(begun))
      showLinks(begun)
      status.textContent = begun.points.length === 0
        ? 'The session has started. No continuation point was called: they are off, or none is on this page\\u2019s own origin.'
        : 'The session has started. ' + carried + ' of ' + begun.points.length + ' continuation points brought cookies along.'
    } catch {
      status.textContent = 'There is no session: the service did not answer, or it refused.'
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    await start()
    button.disabled = false
  })
  button.disabled = false
  const kept = sessionStorage.getItem(KEPT)
  if (kept !== null) showLinks(JSON.parse(kept))
})()
`

export const WIDGET_STYLE = `
#widget-form { display: grid; gap: 1rem; margin-top: 1rem; justify-items: start; }
#widget summary { cursor: pointer; color: var(--accent); font-weight: 600; }
#widget .settings { display: grid; gap: 1.5rem 2.5rem; margin-block: 1rem; }
fieldset { border: 0; padding: 0; min-width: 0; display: grid; gap: 0.75rem; }
legend { padding: 0; font-size: 0.875rem; color: var(--soft); margin-bottom: 0.5rem; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0.75rem; align-items: start; cursor: pointer; }
.choice code { color: var(--soft); }
.choice input { accent-color: var(--accent); width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; cursor: pointer; }
.choice input[role="switch"] { appearance: none; width: 2.5rem; height: 1.4rem; border-radius: 99px; border: 2px solid var(--soft); background: var(--surface); position: relative; }
.choice input[role="switch"]::before { content: ""; position: absolute; inset-block: 0.15rem; inset-inline-start: 0.15rem; aspect-ratio: 1; border-radius: 50%; background: var(--soft); }
.choice input[role="switch"]:checked { background: var(--accent); border-color: var(--accent); }
.choice input[role="switch"]:checked::before { background: var(--accent-ink); inset-inline: auto 0.15rem; }
#widget-status { color: var(--ink); font-weight: 600; margin-block: 0.75rem 0.25rem; }
#widget-calls { padding-inline-start: 1.5rem; margin-top: 0.5rem; color: var(--soft); font-size: 0.875rem; }
.windows { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block: 0.75rem; }
@media (min-width: 46rem) {
  #widget .settings { grid-template-columns: 1fr 1fr; }
  #widget fieldset { align-content: start; }
}
@media (forced-colors: active) {
  .choice input[role="switch"] { appearance: auto; }
}
`

const SWITCHES = [
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
