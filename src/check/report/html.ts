import { toBreakable, toMarkup } from '../../text/escape.ts'
import { count } from '../../text/prose.ts'
import { describeCoverage, type Suggestion } from '../suggest-points.ts'
import { summarize, weigh } from '../summary.ts'
import { chooseNextStep, countFindings } from './conclusion.ts'
import { renderCause, renderInconclusive, renderNotJudged, renderQuietSections } from './html-causes.ts'
import { renderRoutes } from './html-map.ts'
import { renderPage } from './html-page.ts'
import { isInconclusive, type Report } from './report.ts'

/** One self-contained page with the causes, and every check. It has no script and fetches nothing. */
export function renderHtml(report: Report): string {
  const { tool, program, mode, atMs, result, rules } = report
  const { findings, causes, notJudged, routes, suggestion } = result
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]))
  const failures = causes.filter((cause) => !isInconclusive(cause))
  const placed = new Set(causes.flatMap((cause) => cause.findings))
  const open = causes.filter(isInconclusive).map(renderInconclusive)
  open.push(...notJudged.map((each) => renderNotJudged(each, program)))
  const isRouted = routes.cookies.length > 0 || (routes.points.length > 0 && routes.pages.length > 0)
  const suffixList = tool.suffixList === undefined ? '' : ` · Public Suffix List of ${tool.suffixList}`
  return renderPage({
    kicker: 'Continuation points',
    headline: renderHeadline(result),
    counts: countFindings(result),
    atMs,
    sections: [
      ['To fix', failures.map((cause) => renderCause(cause, rulesById, program)).join('\n'), 'causes'],
      ['Not judged', open.length === 0 ? '' : `<ul>\n${open.join('\n')}\n</ul>`, 'panel'],
      ['Suggested points', suggestion === undefined ? '' : renderSuggestion(suggestion), 'panel'],
      ['Which point carries which cookie', isRouted ? renderRoutes(report) : '', 'panel'],
      ['Every other check', renderQuietSections(findings.filter((each) => !placed.has(each))), 'panel'],
    ],
    footer: `<p>Next: ${toMarkup(chooseNextStep(result, program))}.</p>
<p>${toMarkup(`${tool.name} ${tool.version}${suffixList}`)} · ${mode} check · to see whether a browser sends the cookies, run <code>rehearse</code></p>`,
  })
}

function renderHeadline({ findings, causes, notJudged }: Report['result']): string {
  const { error, warning, inconclusive } = summarize(findings)
  const things = causes.filter(({ findings: [first] }) => weigh(first) === 'error').length
  if (things > 0 && things < error)
    return `${things === 1 ? 'One thing' : `${things} things`} to fix (${error} errors)`
  if (error > 0) return error === 1 ? 'One error to fix' : `${error} errors to fix`
  const open = inconclusive > 0 ? `; ${count(inconclusive, 'check')} open` : ''
  if (warning > 0) return `${warning === 1 ? 'One warning' : `${warning} warnings`}${open}`
  if (open !== '') return `No errors${open}`
  return notJudged.length > 0 ? 'No errors in what was checked' : 'All checks passed'
}

function renderSuggestion(suggestion: Suggestion): string {
  const promise = describeCoverage(suggestion)
  const lines = `"points": ${JSON.stringify(suggestion.urls, null, 2)}`.split('\n')
  return `<p>${toMarkup(`${promise.slice(0, 1).toUpperCase()}${promise.slice(1)}`)}:</p>
<pre>${lines.map(toBreakable).join('\n')}</pre>`
}
