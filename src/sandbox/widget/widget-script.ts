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
    const agent = document.getElementById('widget-agent')
    if (agent !== null) agent.href = begun.follower_link + '?agent_token=' + setup.agentToken
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
