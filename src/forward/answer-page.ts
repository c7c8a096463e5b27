import type { Point } from '../points/point.ts'
import { toMarkup } from '../text/escape.ts'
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

/** The look of the verification page, as far as a page with one box needs it. */
const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f4f6f5;--surface:#fff;--ink:#14201d;--soft:#52625d;--line:#d8e0dd;--accent:#0f766e;--fail:#b3261e;--wash:#fdeceb;--edge:#eea9a4}
@media (prefers-color-scheme:dark){:root{--ground:#0e1513;--surface:#16201d;--ink:#e8efec;--soft:#9db0aa;--line:#2a3833;--accent:#5ccfc0;--fail:#ff9c94;--wash:#331816;--edge:#7a322d}}
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--ink);min-height:100vh;font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header,main{width:min(100% - 2.5rem,46rem);margin-inline:auto}
header{display:flex;align-items:center;gap:.625rem;padding-block:1.25rem}
main{display:grid;gap:1rem;padding-block:clamp(1rem,5vw,3rem)}
.mark{position:relative;width:1.5rem;height:1.5rem}
.mark::before,.mark::after{content:"";position:absolute;width:1rem;height:1rem;border-radius:.3rem;background:var(--accent)}
.mark::after{right:0;bottom:0;opacity:.55}
.kicker{color:var(--accent);font-size:.8125rem;font-weight:650;letter-spacing:.06em;text-transform:uppercase}
h1{color:var(--fail);font-size:clamp(1.7rem,1.3rem + 2vw,2.5rem);line-height:1.15;letter-spacing:-.025em;text-wrap:balance;margin-bottom:.5rem}
h2{display:flex;align-items:center;gap:.75rem;font-size:1.125rem;line-height:1.3}
code{font:.875em/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
.box{background:var(--wash);border:2px solid var(--edge);border-radius:.875rem;padding:1.125rem 1.25rem;display:grid;gap:.75rem}
.sign{flex:none;display:grid;place-items:center;width:1.625rem;height:1.625rem;border-radius:50%;background:var(--fail);color:var(--wash)}
.outcome{margin-inline-start:auto;color:var(--fail);font-size:.875rem}
.next,dl{background:var(--surface);border-radius:.625rem;padding:.875rem 1rem}
.next strong{display:block}
.soft,dt{color:var(--soft)}
dl{border:1px solid var(--line);border-radius:.875rem;padding:1.125rem 1.25rem;display:grid;gap:.75rem 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr))}
dt{font-size:.875rem}
dd{margin:0}
dd code+code{display:block}
@media (forced-colors:active){.box,.sign{border:2px solid}}
`
