import { createHash } from 'node:crypto'
import { toMarkup } from '../../text/escape.ts'
import { shorten } from '../../text/prose.ts'
import type { CookieVerdict } from '../check.ts'
import { describeCoverage, type Suggestion } from '../suggest-points.ts'
import { summarize } from '../summary.ts'
import { areCookiesSent, chooseNextStep, countFindings, describeProof } from './conclusion.ts'
import { renderCause, renderInconclusive, renderNotJudged, renderQuietSections } from './html-causes.ts'
import { renderMap } from './html-map.ts'
import { HTML_STYLE } from './html-style.ts'
import { isInconclusive, type Report } from './report.ts'

/**
 * One self-contained page: failures by cause, what was not judged, and every check as a box, those that passed folded by
 * subject. It has no script and fetches nothing; its policy allows only its own style sheet.
 */
export function renderHtml(report: Report): string {
  const { tool, mode, atMs, result, rules } = report
  const { findings, causes, cookies, notJudged, routes, suggestion } = result
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]))
  const headline = renderHeadline(result)
  const failures = causes.filter((cause) => !isInconclusive(cause))
  const placed = new Set(causes.flatMap((cause) => cause.findings))
  const open = [...causes.filter(isInconclusive).map(renderInconclusive), ...notJudged.map(renderNotJudged)]
  const at = new Date(atMs).toISOString()
  const suffixList = tool.suffixList === undefined ? '' : ` · Public Suffix List of ${tool.suffixList}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${toMarkup(headline)} · continuation points</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<header>
<p class="kicker">Continuation points</p>
<h1>${toMarkup(headline)}</h1>
<p class="counts">${toMarkup([countFindings(result), describeProof(findings)].filter(Boolean).join('. '))}</p>
<p class="run"><time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time></p>
</header>
<main>
${section('How the cookies travel', routes.points.length + routes.cookies.length === 0 ? '' : renderMap(routes), 'panel')}
${section('To fix', failures.map((cause) => renderCause(cause, rulesById)).join('\n'), 'causes')}
${section('Not judged', open.length === 0 ? '' : `<ul>\n${open.join('\n')}\n</ul>`, 'panel')}
${section('Suggested points', suggestion === undefined ? '' : renderSuggestion(suggestion), 'panel')}
${section('Cookies', cookies.length === 0 ? '' : renderCookieTable(report), 'panel scroll')}
${section('Every other check', renderQuietSections(findings.filter((each) => !placed.has(each))), 'panel')}
</main>
<footer><p>Next: ${toMarkup(chooseNextStep(result))}.</p>
<p>${toMarkup(`${tool.name} ${tool.version}${suffixList}`)} · ${mode} check · a checker without a browser can't prove that cookies are sent, only find reasons why they can't be.</p></footer>
</body>
</html>
`
}

function section(title: string, body: string, className: string): string {
  if (body === '') return ''
  // Keys scroll only what has the focus.
  const focusable = className.includes('scroll') ? ` tabindex="0" role="group" aria-label="${title}"` : ''
  return `<section class="part"><h2>${title}</h2>\n<div class="${className}"${focusable}>\n${body}\n</div></section>`
}

function renderHeadline({ findings, causes, notJudged }: Report['result']): string {
  const { error, warning } = summarize(findings)
  if (error > 0) return error === 1 ? 'One error to fix' : `${error} errors to fix`
  if (warning > 0) return warning === 1 ? 'One warning' : `${warning} warnings`
  if (causes.some(isInconclusive)) return 'No errors, but not everything could be judged'
  return notJudged.length > 0 ? 'No findings in what was judged' : 'All checks passed'
}

function renderSuggestion(suggestion: Suggestion): string {
  const { urls } = suggestion
  const promise = describeCoverage(suggestion)
  return `<p>${toMarkup(`${promise.slice(0, 1).toUpperCase()}${promise.slice(1)}`)}:</p>
<pre>${toMarkup(`"points": [`)}
${urls.map((url, index) => toMarkup(`  "${url}"${index + 1 < urls.length ? ',' : ''}`)).join('\n')}
${toMarkup(']')}</pre>`
}

function renderCookieTable(report: Report): string {
  const { cookies, routes } = report.result
  const failing = new Set(routes.points.flatMap(({ name, state }) => (state === 'bad' ? name : [])))
  const words = areCookiesSent(report)
    ? VERDICT_WORDS
    : { ...VERDICT_WORDS, sent: '✔ a browser would send it' }
  const rows = cookies.map(({ name, domain, path, verdict, sentTo }, at) => {
    const isLost = verdict === 'sent' && routes.cookies[at]?.state !== 'good'
    const urls = sentTo.map((url) => (failing.has(url) ? `✖ ${url}` : url))
    const cells = [name, domain, path].map((text) => `<td>${toMarkup(text)}</td>`).join('')
    return `<tr class="${isLost ? 'not-sent' : verdict}">${cells}<td class="verdict">${isLost ? '✖ sent only where something fails' : words[verdict]}</td><td>${shorten(urls).map(toMarkup).join('<br>')}</td></tr>`
  })
  return `<table>
<thead><tr><th scope="col">Name</th><th scope="col">Domain</th><th scope="col">Path</th><th scope="col">Sent?</th><th scope="col">To</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`
}

const STYLE_HASH = createHash('sha256').update(HTML_STYLE).digest('base64')

const VERDICT_WORDS: Readonly<Record<CookieVerdict['verdict'], string>> = {
  sent: '✔ sent',
  'not-sent': '✖ not sent',
  depends: '● depends',
}
