import { html } from 'hono/html'
import { type Markup, renderDocument, toScriptJson } from '../look/document.ts'
import type { Check, Inspected } from './verification.ts'

/** The verification page (spec 4.9, rule 9). Two boxes wait for the page's script, which knows what the browser knows. */
export function renderVerificationPage({ checks, listedUrls, received }: Inspected, prefix: string) {
  const [continuationOrigin] = received.continuationOrigins
  const failed = checks.filter(({ outcome }) => outcome === 'fail').length
  const headline =
    failed === 0 ? '2 passed, 2 wait for your browser' : `${failed} of ${checks.length} checks failed`
  const lead =
    failed === 0
      ? 'The service found no fault. Only your browser knows which address it requested, so two boxes wait for it.'
      : 'Each red box says what was found. Open its help, fix the setup, then reload this page.'
  return renderDocument({
    title: `${headline} – continuation point`,
    script: SCRIPT,
    main: html`<section class="verdict" data-verdict="${failed === 0 ? 'waiting' : 'fail'}">
<p class="kicker">Continuation point</p>
<div role="status" aria-live="polite"><h1>${headline}</h1>
<p class="lead">${lead}</p></div>
</section>
<section class="boxes" aria-label="Checks">${checks.map((check) => renderBox(check, prefix))}</section>
${renderArrived(received)}
<script type="application/json" id="verification">${toScriptJson({ continuationOrigin, listedUrls })}</script>`,
    footer: html`This is a stand-in, a mock service: it imitates what the co-browsing service documents, for demos and tests.
This page keeps no cookie and shows no cookie’s value.`,
  })
}

function renderBox({ check, outcome, description }: Check, prefix: string): Markup {
  const waits = outcome === 'pass' && (check === 'origin' || check === 'allowed')
  const title = check.charAt(0).toUpperCase() + check.slice(1).replace('-', ' ')
  return html`<article class="box" data-check="${check}" data-outcome="${outcome}"${waits ? html` data-waiting` : ''}>
<span class="state" aria-hidden="true"></span>
<h2>${title}</h2>
<span class="outcome">${waits ? 'Waiting' : outcome === 'pass' ? 'Passed' : 'Failed'}</span>
<div class="found"><p class="description">${description}</p>
${waits ? WAITING : ''}
<details class="help"${outcome === 'pass' ? html` hidden` : ''}>
<summary><span class="help-icon" aria-hidden="true">?</span>How to fix this<span class="unseen">: ${title}</span></summary>
<div class="help-text">${HELP[check](prefix)}<p>More: <code>docs/troubleshooting.md#red-box-${check}</code> of continuation-point</p></div></details></div>
</article>`
}

function renderArrived(received: Inspected['received']): Markup {
  const { method, target, host, continuationOrigins, widgetKey, cookies } = received
  return html`<section class="panel"><h2>What arrived</h2>
<dl class="facts">
<div><dt>Request</dt><dd><code>${method} ${target}</code></dd></div>
<div><dt>Host</dt><dd><code>${host}</code></dd></div>
<div><dt>X-Continuation-Origin</dt><dd>${continuationOrigins.length === 0 ? 'none' : continuationOrigins.map((value) => html`<code>${value}</code> `)}</dd></div>
<div><dt>X-Widget-Key</dt><dd>${widgetKey.lines === 0 ? 'none' : widgetKey.known ? 'a key that the service knows' : 'no key that the service knows'}</dd></div>
</dl>
<h3>Cookies that arrived</h3>
${
  cookies.length === 0
    ? html`<p>None. The browser had no cookie for this address, or the continuation point dropped them.</p>`
    : html`<p>All that the browser sends to this path, HttpOnly or not; cookies with another Path come through their own point. Only
names and sizes are shown.</p>
<ul class="row chips">${cookies.map(({ name, octets }) => html`<li><code>${name}</code> <span>${octets} bytes</span></li>`)}</ul>`
}
</section>`
}

const WAITING = html`<p class="waiting">As far as the service can tell. Your browser has yet to confirm it.</p>
<noscript><p class="waiting">Scripts are off, so it can’t: compare this with the address bar yourself, or allow scripts and reload.</p></noscript>`

/** How to fix a failed check, on whatever forwards the requests. */
const HELP: Readonly<Record<Check['check'], (prefix: string) => Markup>> = {
  forwarded: (prefix) => html`<ol>
<li>Open the address of your own site, not that of the service:
<code>https://www.example.com${prefix}</code>.</li>
<li>On your site forward every request below that path to the service, and set both <code>X-Widget-Key</code> and
<code>X-Continuation-Origin</code> on it.</li>
<li>Forward it with the host of the service in <code>Host</code>, not with that of your own site.</li>
<li>A rule that matches first (a redirect, a login, the site’s own 404) must not catch the path.</li>
</ol>
<p><code>continuation-point render nginx</code> prints what to paste into yours; apache, caddy and haproxy work the
same way.</p>`,
  origin: () => html`<ol>
<li>Set <code>X-Continuation-Origin</code> to scheme and host exactly as the browser shows them, with a port only when it
is not 443 for https or 80 for http, and no slash at the end: <code>https://www.example.com</code>.</li>
<li>http and https are different origins, as are two hosts: each needs a continuation point with its own value.</li>
<li>Behind a TLS terminator the forwarding server itself sees http; write <code>https</code> all the same.</li>
<li>Replace what a browser may have sent, do not add to it: the header has to arrive once.</li>
</ol>
<p>nginx: <code>proxy_set_header X-Continuation-Origin https://www.example.com;</code></p>`,
  'widget-key': () => html`<ol>
<li>Copy the widget key from the integration panel: it is the key in the widget code, not the REST key.</li>
<li>Set it as <code>X-Widget-Key</code>, without quotes, spaces or a line break. Replace what a browser may have sent:
the header has to arrive once.</li>
<li>With several accounts, each continuation point needs the key of its own account.</li>
</ol>
<p>nginx: <code>proxy_set_header X-Widget-Key &lt;WIDGET_KEY&gt;;</code></p>`,
  allowed: () => html`<ol>
<li>If another box is red, fix that one first.</li>
<li>In the account settings keep <code>cookie_transfer_enabled</code> and set <code>cookie_transfer_proxying</code> to
true.</li>
<li>Add this address to <code>cookie_transfer_urls</code> as the browser shows it, cookie path and last slash
included.</li>
</ol>
<p><code>continuation-point settings diff</code> shows what the account lacks, <code>settings apply</code> writes it.</p>`,
}

/** Compares what arrived with the URL that was requested, which only the browser knows, then counts again. */
const SCRIPT = `(() => {
  'use strict'
  const { continuationOrigin, listedUrls } = JSON.parse(document.getElementById('verification').textContent)
  const boxes = [...document.querySelectorAll('[data-check]')]
  const asked = location.origin + location.pathname

  const settle = (check, outcome, description) => {
    const box = boxes.find((candidate) => candidate.dataset.check === check)
    if (!('waiting' in box.dataset)) return
    delete box.dataset.waiting
    box.dataset.outcome = outcome
    box.querySelector('.outcome').textContent = outcome === 'pass' ? 'Passed' : 'Failed'
    box.querySelector('.description').textContent = description
    box.querySelector('.help').hidden = outcome === 'pass'
    for (const waiting of box.querySelectorAll('.waiting, noscript')) waiting.remove()
  }

  const sameOrigin = continuationOrigin === location.origin
  settle('origin', sameOrigin ? 'pass' : 'fail', sameOrigin
    ? 'X-Continuation-Origin is ' + continuationOrigin + ', the origin that your browser requested.'
    : 'X-Continuation-Origin is ' + continuationOrigin + ', but your browser requested ' + location.origin + '.')

  const listed = listedUrls.includes(asked)
  settle('allowed', sameOrigin && listed ? 'pass' : 'fail', !sameOrigin
    ? 'It needs a correct X-Continuation-Origin first.'
    : listed
      ? 'The account settings list ' + asked + '.'
      : 'Your browser requested ' + asked + '. For this origin, the account settings list only ' + listedUrls.join(' and ') + '.')

  const failed = boxes.filter((box) => box.dataset.outcome === 'fail').length
  const headline = failed === 0 ? 'All checks passed' : failed + ' of ' + boxes.length + ' checks failed'
  document.querySelector('.verdict').dataset.verdict = failed === 0 ? 'pass' : 'fail'
  document.querySelector('h1').textContent = headline
  document.querySelector('.lead').textContent = failed === 0
    ? asked + ' carries this site\\u2019s cookies to the service.'
    : 'Each red box says what was found. Open its help, fix the setup, then reload this page.'
  document.title = headline + ' \\u2013 continuation point'
})()
`
