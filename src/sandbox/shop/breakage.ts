import { html } from 'hono/html'
import type { Markup } from '../look/document.ts'

/** A mistake that the demo can make in a continuation point. */
export type Mistake = 'wrong-key' | 'lost-host'

/** How the shop's page breaks one of its points on purpose, and repairs it. */
export interface Breakage {
  readonly pointUrl: string
  current(): Mistake | undefined
  /** `undefined` repairs the point. */
  choose(mistake: Mistake | undefined): Promise<void>
  /** What `check` prints about the point. */
  check(): Promise<string>
}

export function isMistake(word: string): word is Mistake {
  return Object.hasOwn(MISTAKES, word)
}

/** Renders the buttons; for a broken point, links to its red box and to the output of `check`. */
export function renderBreakage({ pointUrl, current }: Breakage): Markup {
  const mistake = current()
  return html`<li class="panel breakage" id="break"${mistake === undefined ? '' : html` data-mistake="${mistake}"`}>
<h2>Break a point on purpose</h2>
<p>The point is <code>${new URL(pointUrl).pathname}</code>. See how a mistake in the setup shows, and what <code>check</code> reports.</p>
${mistake === undefined ? renderChoices() : renderBroken(mistake, pointUrl)}</li>`
}

function renderChoices(): Markup {
  return html`<form method="post" action="/break" class="choices">${Object.entries(MISTAKES).map(
    ([name, { button }]) =>
      html`<button class="action quiet" name="mistake" value="${name}">${button}</button>`,
  )}</form>`
}

function renderBroken(mistake: Mistake, pointUrl: string): Markup {
  return html`<p class="broken" role="status"><strong>Broken.</strong> ${MISTAKES[mistake].text}</p>
<div class="choices"><a class="action" href="${pointUrl}" target="_blank">See its red box</a>
<a class="action" href="/break/check">See what check says</a>
<form method="post" action="/break"><button class="action quiet" name="mistake" value="">Repair it</button></form></div>`
}

/** Renders the output of `check` with its findings marked. */
export function renderCheckReport({ pointUrl }: Breakage, report: string): Markup {
  return html`<section class="verdict"><p class="kicker">The checked point</p><h1>What check says</h1>
<p class="lead">This is what the command prints on this machine:</p></section>
<section class="panel"><pre class="report" tabindex="0" aria-label="Output of check"><code>$ npx continuation-point check ${pointUrl}
${report.split('\n').map((line) => (FINDING.test(line) ? html`<mark>${line}</mark>\n` : `${line}\n`))}</code></pre>
<p><a class="action" href="/#break">Back to the shop</a></p></section>`
}

const FINDING = /^\S+ (?:error|warning) [a-z-]+\/[a-z-]+/

const MISTAKES: Readonly<Record<Mistake, { readonly button: string; readonly text: string }>> = {
  'wrong-key': {
    button: 'Send a wrong widget key',
    text: 'The proxy now sends a widget key that the service does not know.',
  },
  'lost-host': {
    button: 'Lose the service’s Host',
    text: 'A careless front end now forwards in place of the proxy: it leaves Host as the browser sent it.',
  },
}
