import { html } from 'hono/html'
import { type Markup, toScriptJson } from '../look/document.ts'
import { calledPoints, type VisitStart } from '../state/visit.ts'

/** The widget stand-in as a customer's page embeds it. */
export interface WidgetSetup {
  /** As in the widget code, which every visitor can read. */
  readonly widgetKey: string
  readonly pageUrl: string
  /** Every continuation URL of the account. */
  readonly points: readonly string[]
  /** The service's origin, for browsers. */
  readonly service: string
  /** What a session can do to the page's cookies. */
  readonly steps: VisitStart['steps']
  /** The access token of an agent, for a link to their window of the session. */
  readonly agentToken: string
}

/** Renders the widget in a customer's page, for `WIDGET_SCRIPT`: where a session starts. */
export function renderWidgetPanel({ widgetKey, service, steps, agentToken }: WidgetSetup): Markup {
  return html`<div id="widget">
<p>A session carries this visit to the service: the widget takes what a script can read, the continuation points bring
the rest.</p>
<form id="widget-form"><button class="action" disabled>Start session</button></form>
<noscript><p>Scripts are off, so there is no widget.</p></noscript>
<p id="widget-status" role="status"></p>
<script type="application/json" id="widget-setup">${toScriptJson({ widgetKey, service, steps, agentToken })}</script>
</div>`
}

/** Renders the way into the windows of the session, once it has started. */
export function renderSessionLinks({ pageUrl }: WidgetSetup): Markup {
  return html`<p id="widget-waiting">There is nothing to see yet: start a session first.</p>
<div id="widget-session" hidden>
<div class="row"><a class="action" id="widget-agent" href="${pageUrl}" target="_blank">Open the agent’s window</a>
<a class="action quiet" id="widget-window" href="${pageUrl}" target="_blank">Open your window of the session</a></div>
<p>PIN for another agent <code class="pin" id="widget-pin"></code></p></div>`
}

/** The origins that the widget requests: those of the points and of the service. */
export function widgetReach({ pageUrl, points, service }: WidgetSetup): readonly string[] {
  return [...calledPoints(pageUrl, points).map(({ origin }) => origin), service]
}

/**
 * The widget stand-in in a customer's page: starts a session with what a script can read, then calls each continuation point
 * that the service lists, so that the browser attaches every cookie.
 */
export const WIDGET_SCRIPT = `(() => {
  'use strict'
  const panel = document.getElementById('widget')
  if (panel === null) return
  const setup = JSON.parse(document.getElementById('widget-setup').textContent)
  const form = document.getElementById('widget-form')
  const status = document.getElementById('widget-status')
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

  const begin = async () => {
    const body = {
      widgetKey: setup.widgetKey,
      pageUrl: location.href,
      cookies: readCookies(),
      entries: [...readStorage('localStorage'), ...readStorage('sessionStorage'), ...readFields()],
      steps: setup.steps,
    }
    const answer = await fetch(setup.service + '/_widget/sessions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error()
    return answer.json()
  }

  const transfer = async ({ session, points }) => {
    let [carried, refusal] = [0, '']
    for (const [index, url] of points.entries()) {
      try {
        const call = url + 'store?session=' + session + '&point=' + index
        const answer = await fetch(call, { credentials: 'include', cache: 'no-store', redirect: 'error' })
        const { widget } = await answer.json()
        if (widget.refused === undefined) carried += 1
        else refusal = ' ' + widget.refused
      } catch {
        // No response, or none that this page may read.
      }
    }
    return carried + ' of ' + points.length + ' continuation points brought cookies along.' + refusal
  }

  const showLinks = (begun) => {
    document.getElementById('widget-window').href = begun.url
    document.getElementById('widget-pin').textContent = begun.pin
    document.getElementById('widget-agent').href = begun.follower_link + '?agent_token=' + setup.agentToken
    started.hidden = false
    waiting.hidden = true
    document.getElementById('widget-agent').hidden = false
    button.classList.add('quiet')
    watch(begun)
  }

  const watch = async (begun) => {
    const pin = document.getElementById('widget-pin')
    try {
      const answer = await fetch(begun.url + '/state', { cache: 'no-store' })
      const { expired } = await answer.json()
      // Another session may have started meanwhile.
      if (pin.textContent !== begun.pin) return
      if (!expired) return setTimeout(watch, 1500, begun)
    } catch {
      // So does a service that has forgotten the session.
    }
    pin.textContent = begun.pin + ' (expired)'
    document.getElementById('widget-agent').hidden = true
    button.classList.remove('quiet')
  }

  const start = async () => {
    started.hidden = true
    waiting.hidden = false
    status.className = ''
    status.textContent = 'Starting\\u2026'
    try {
      const begun = await begin()
      const outcome = await transfer(begun)
      sessionStorage.setItem(KEPT, JSON.stringify(begun))
      showLinks(begun)
      if (!/^(\\d+) of \\1 /.test(outcome)) status.className = 'broken'
      status.textContent = begun.points.length === 0
        ? 'The session has started. No continuation point was called: they are off, or none is on this page\\u2019s site.'
        : 'The session has started. ' + outcome
    } catch {
      status.className = 'broken'
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
