import type { Point } from '../points/point.ts'
import type { FailureKind } from './failure.ts'

/** What the page says; every part but `arrived` is our own text. */
export interface AnswerPage {
  readonly kind: FailureKind
  readonly status: number
  readonly title: string
  readonly detail: string
  /** The exchange's id in the log. */
  readonly id: string
  /** What the request was addressed to, where no point owns it. */
  readonly arrived: { readonly authority: string; readonly scheme: 'http' | 'https' | 'unknown' } | undefined
  /** The point whose root was asked: the page then has the form of the service's verification page. */
  readonly pointRoot: Point | undefined
}

/** The page that a person sees instead of a problem document. No script, nothing from elsewhere. */
export function renderAnswerPage(page: AnswerPage): string {
  const heading =
    page.pointRoot === undefined ? page.title : 'This continuation point does not reach the service'
  const box =
    page.pointRoot === undefined
      ? `<p>${escapeHtml(page.detail)}</p>`
      : `<section class="box" data-check="forwarded" data-outcome="fail">
  <h2><span aria-hidden="true">✕</span> Forwarded to the service <span class="outcome">failed</span></h2>
  <p><strong>${escapeHtml(page.title)}.</strong> ${escapeHtml(page.detail)}</p>
</section>
<p>The other checks need an answer of the service. Reload this page when the cause is mended.</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.status} ${escapeHtml(page.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="status">${page.status}</p>
<h1>${escapeHtml(heading)}</h1>
${box}
${toArrivedText(page.arrived)}<p class="instance">For the log: <code>${escapeHtml(page.kind)}</code> <code>${escapeHtml(page.id)}</code></p>
</main>
</body>
</html>
`
}

function toArrivedText(arrived: AnswerPage['arrived']): string {
  if (arrived === undefined) return ''
  const scheme = arrived.scheme === 'unknown' ? 'nothing says which scheme' : `scheme ${arrived.scheme}`
  return `<p>Arrived here: Host <code>${escapeHtml(arrived.authority)}</code>, ${scheme}.</p>\n`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2430;--soft:#5b6675;--red:#b3261e;--red-paper:#fdecea;--line:#d9dee5}
@media (prefers-color-scheme:dark){:root{--paper:#14181f;--ink:#e8ecf2;--soft:#9aa6b5;--red:#ff8a80;--red-paper:#35191a;--line:#2c3440}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{max-width:40rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.25rem}
h1{font-size:1.6rem;line-height:1.25;margin:.25rem 0 1.25rem}
h2{font-size:1.05rem;margin:0 0 .5rem;color:var(--red)}
.status,.instance{color:var(--soft);font-size:.9rem;margin:0}
.instance{margin-top:2rem;overflow-wrap:anywhere}
.box{border:1px solid var(--red);border-left-width:.35rem;border-radius:.5rem;background:var(--red-paper);padding:1rem 1.25rem;margin:0 0 1.25rem}
.box p{margin:0}
.outcome{float:right;font-weight:600;font-size:.85rem}
`
