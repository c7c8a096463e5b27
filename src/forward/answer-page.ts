import type { Point } from '../points/point.ts'
import { toMarkup } from '../text/escape.ts'
import { PAGE_STYLE } from './answer-page-style.ts'
import type { Failure, FailureKind } from './failure.ts'

/** Content of the page; every part but `arrived` is our own text. */
export interface AnswerPage extends Pick<Failure, 'status' | 'title' | 'detail' | 'next'> {
  readonly kind: FailureKind
  /** Where the documentation explains it. */
  readonly help: string
  /** The exchange's id in the log. */
  readonly id: string
  /** What the request was addressed to, as far as it could be parsed. */
  readonly arrived: { readonly authority: string; readonly scheme: 'http' | 'https' | 'unknown' } | undefined
  /** The point whose root was requested: the page then has the first box of the service's verification page. */
  readonly pointRoot: Point | undefined
}

/**
 * The page that a browser gets instead of a problem document, styled like the verification page: what happened, the
 * received address, and the next step. No script, no external resources.
 */
export function renderAnswerPage(page: AnswerPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.status} ${toMarkup(page.title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><span class="mark" aria-hidden="true"></span> <strong>continuation-point</strong></header>
<main>
<p class="kicker">Status ${page.status}</p>
${page.pointRoot === undefined ? renderTitledBox(page) : renderCheckBox(page)}
<dl>
${renderArrived(page.arrived)}<div><dt>More about this</dt><dd>${renderHelp(toMarkup(page.help))}</dd></div>
<div><dt>In the log</dt><dd><code>${toMarkup(page.kind)}</code> <code>${toMarkup(page.id)}</code></dd></div>
</dl>
</main>
</body>
</html>
`
}

function renderHelp(help: string): string {
  return help.startsWith('http') ? `<a href="${help}">${help}</a>` : `<code>${help}</code>`
}

function renderTitledBox({ title, detail, next }: AnswerPage): string {
  return `<h1>${toMarkup(title)}</h1>
<section class="box">
<p>${toMarkup(detail)}</p>
${toNextStep(next)}
</section>`
}

function renderCheckBox({ title, detail, next }: AnswerPage): string {
  return `<h1>This continuation point does not reach the service</h1>
<section class="box" data-check="forwarded" data-outcome="fail">
<h2><span class="sign" aria-hidden="true">×</span> Forwarded <span class="outcome">Failed</span></h2>
<p><strong>${toMarkup(title)}.</strong> ${toMarkup(detail)}</p>
${toNextStep(next)}
</section>
<p class="soft">The other checks need a response from the service. Reload this page once this one is fixed.</p>`
}

function toNextStep(next: string): string {
  return `<p class="next"><strong>Next step</strong> ${toMarkup(next)}</p>`
}

function renderArrived(arrived: AnswerPage['arrived']): string {
  if (arrived === undefined) return ''
  const scheme = arrived.scheme === 'unknown' ? 'not known here' : `<code>${arrived.scheme}</code>`
  return `<div><dt>Host that arrived</dt><dd><code>${toMarkup(arrived.authority)}</code></dd></div>
<div><dt>Scheme</dt><dd>${scheme}</dd></div>
`
}
