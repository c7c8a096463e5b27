import { toMarkup } from '../../text/escape.ts'
import { shorten } from '../../text/prose.ts'
import type { CookieVerdict } from '../check.ts'
import { describeCoverage, type Suggestion } from '../suggest-points.ts'
import { summarize } from '../summary.ts'
import { areCookiesSent, chooseNextStep, countFindings, describeProof } from './conclusion.ts'
import { renderCause, renderInconclusive, renderNotJudged, renderQuietSections } from './html-causes.ts'
import { renderMap } from './html-map.ts'
import { renderPage } from './html-page.ts'
import { isInconclusive, type Report } from './report.ts'

/**
 * One self-contained page: failures by cause, what was not judged, and every check as a box, those that passed folded by
 * subject. It has no script and fetches nothing; its policy allows only its own style sheet.
 */
export function renderHtml(report: Report): string {
  const { tool, mode, atMs, result, rules } = report
  const { findings, causes, cookies, notJudged, routes, suggestion } = result
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]))
  const failures = causes.filter((cause) => !isInconclusive(cause))
  const placed = new Set(causes.flatMap((cause) => cause.findings))
  const open = [...causes.filter(isInconclusive).map(renderInconclusive), ...notJudged.map(renderNotJudged)]
  const suffixList = tool.suffixList === undefined ? '' : ` · Public Suffix List of ${tool.suffixList}`
  return renderPage({
    kicker: 'Continuation points',
    headline: renderHeadline(result),
    counts: [countFindings(result), describeProof(findings)].filter(Boolean).join('. '),
    atMs,
    sections: [
      [
        'How the cookies travel',
        routes.points.length + routes.cookies.length === 0 ? '' : renderMap(routes),
        'panel',
      ],
      ['To fix', failures.map((cause) => renderCause(cause, rulesById)).join('\n'), 'causes'],
      ['Not judged', open.length === 0 ? '' : `<ul>\n${open.join('\n')}\n</ul>`, 'panel'],
      ['Suggested points', suggestion === undefined ? '' : renderSuggestion(suggestion), 'panel'],
      ['Cookies', cookies.length === 0 ? '' : renderCookieTable(report), 'panel scroll'],
      ['Every other check', renderQuietSections(findings.filter((each) => !placed.has(each))), 'panel'],
    ],
    footer: `<p>Next: ${toMarkup(chooseNextStep(result))}.</p>
<p>${toMarkup(`${tool.name} ${tool.version}${suffixList}`)} · ${mode} check · a checker without a browser can't prove that cookies are sent, only find reasons why they can't be.</p>`,
  })
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

const VERDICT_WORDS: Readonly<Record<CookieVerdict['verdict'], string>> = {
  sent: '✔ sent',
  'not-sent': '✖ not sent',
  depends: '● depends',
}
