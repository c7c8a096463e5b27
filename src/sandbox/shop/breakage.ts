import { type RequestListener, request } from 'node:http'
import { html } from 'hono/html'
import type { Markup } from '../look/document.ts'

/** A continuation point of the demo, for the proxy's config. */
export interface DemoPoint {
  readonly url: string
  readonly widgetKey?: string
}

/** How the shop's page breaks one of its points on purpose, and repairs it. */
export type Breakage = ReturnType<typeof openBreakage>

/**
 * Breaks the first point on purpose, by a wrong widget key in the proxy's config or by a misconfigured front end.
 *
 * @param check runs `check` on a URL, and returns what it prints
 * @param apply configures the proxy with these points
 */
export function openBreakage(
  serviceUrl: string,
  widgetKey: string,
  pointUrls: readonly string[],
  check: (url: string) => Promise<string>,
  apply: (points: readonly DemoPoint[]) => Promise<void>,
) {
  const [pointUrl = '', ...others] = pointUrls
  const { host, pathname } = new URL(pointUrl)
  const careless = carelessFrontEnd(serviceUrl, widgetKey, pointUrl)
  let mistake: Mistake | undefined
  return {
    pointUrl,
    current: () => mistake,
    /** `undefined` repairs the point. */
    async choose(chosen: Mistake | undefined): Promise<void> {
      const point =
        chosen === 'wrong-key' ? { url: pointUrl, widgetKey: 'not-the-widget-key' } : { url: pointUrl }
      await apply([...(chosen === 'lost-host' ? [] : [point]), ...others.map((url) => ({ url }))])
      mistake = chosen
    },
    check: () => check(pointUrl),
    /** Takes the requests to the broken point while the proxy does not have it. */
    before: (site: RequestListener): RequestListener => {
      return (incoming, outgoing) => {
        const isHere = incoming.headers.host?.toLowerCase() === host && incoming.url?.startsWith(pathname)
        const listener = mistake === 'lost-host' && isHere ? careless : site
        listener(incoming, outgoing)
      }
    },
  }
}

/** A front end with a common mistake: it sets both fields of a continuation point but forwards the browser's Host. */
function carelessFrontEnd(serviceUrl: string, widgetKey: string, pointUrl: string): RequestListener {
  const { hostname, port } = new URL(serviceUrl)
  const { origin } = new URL(pointUrl)
  return (incoming, outgoing) => {
    const fields = { ...incoming.headers, 'x-widget-key': widgetKey, 'x-continuation-origin': origin }
    const upstream = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: fields, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(outgoing)
      },
    )
    upstream.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    outgoing.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  }
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

type Mistake = keyof typeof MISTAKES

const MISTAKES = {
  'wrong-key': {
    button: 'Send a wrong widget key',
    text: 'The proxy now sends a widget key that the service does not know.',
  },
  'lost-host': {
    button: 'Lose the service’s Host',
    text: 'A careless front end now forwards in place of the proxy: it leaves Host as the browser sent it.',
  },
} as const
