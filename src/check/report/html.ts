import { createHash } from 'node:crypto'
import type { CookieVerdict } from '../check.ts'
import { type Finding, toSubjectText } from '../finding.ts'
import type { Rule } from '../rule.ts'
import { type Suggestion, toPromise } from '../suggest-points.ts'
import { summarize } from '../summary.ts'
import { toColumns } from './columns.ts'
import { toCountsText } from './counts.ts'
import { htmlStyle } from './html-style.ts'
import { toMarkup } from './markup.ts'
import {
  type OpenCause,
  type Report,
  toOpenCauses,
  toPlaceText,
  toWeight,
  type Weight,
  worstFirst,
} from './report.ts'

/**
 * One self-contained page in the manner of the service's verification page: a box for each check, red ones first, each
 * with a description and help. No script, nothing fetched; its policy allows this one style sheet only.
 */
export function renderHtml({ tool, mode, result, rules }: Report): string {
  const { findings, cookies, suggestion } = result
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]))
  const causes = toOpenCauses(findings)
  const headline = toHeadline(causes)
  const quiet = worstFirst(findings).filter(isQuiet)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${toMarkup(headline)} · continuation points</title>
<style>${htmlStyle}</style>
</head>
<body>
<header>
<p class="kicker">Continuation points</p>
<h1>${toMarkup(headline)}</h1>
<p class="counts">${toMarkup(toCountsText(findings))}</p>
</header>
<main>
${section('To look at', causes.map((cause) => toOpenBox(cause, rulesById)).join('\n'), 'boxes')}
${suggestion === undefined ? '' : section('Suggested points', toSuggestion(suggestion), 'panel')}
${cookies.length === 0 ? '' : section('Cookies', toCookieTable(cookies), 'panel scroll')}
${section('All the rest', quiet.map((finding) => toQuietBox(finding, '')).join('\n'), 'boxes quiet')}
</main>
<footer><p>${toMarkup(`${tool.name} ${tool.version}`)} · ${mode} check · a checker without a browser can't prove that cookies are sent; it tells when they can't be.</p></footer>
</body>
</html>
`
}

function section(title: string, body: string, className: string): string {
  return body === ''
    ? ''
    : `<section><h2>${title}</h2>\n<div class="${className}">\n${body}\n</div></section>`
}

function toHeadline(causes: readonly OpenCause[]): string {
  const { error, warning, inconclusive } = summarize(causes.map(({ finding }) => finding))
  if (error > 0) return error === 1 ? 'One error to fix' : `${error} errors to fix`
  if (warning > 0) return warning === 1 ? 'One warning' : `${warning} warnings`
  return inconclusive > 0 ? 'Not everything could be told' : 'All checks passed'
}

function toOpenBox({ finding, consequences }: OpenCause, rules: ReadonlyMap<string, Rule>): string {
  const fix =
    finding.fix === undefined ? '' : `<p class="label">Fix</p><p class="fix">${toMarkup(finding.fix)}</p>`
  return `${openTag(finding)}
<h3><span class="mark" aria-hidden="true">${marks[toWeight(finding)]}</span> <span class="word">${words[toWeight(finding)]}</span> <code>${toMarkup(finding.id)}</code><span class="place">${toMarkup(toPlaceText(finding))}</span></h3>
<p class="subject">${toMarkup(toSubjectText(finding.subject))}</p>
<p class="message">${toMarkup(finding.message)}</p>
${toColumnTable(finding)}${fix}
${toHelp(rules.get(finding.id))}${toConsequences(consequences, rules)}
</article>`
}

// Each with its help and without its fix: the one above is enough.
function toConsequences(consequences: readonly Finding[], rules: ReadonlyMap<string, Rule>): string {
  const boxes = consequences.map((finding) => toQuietBox(finding, `\n${toHelp(rules.get(finding.id))}`))
  return boxes.length === 0
    ? ''
    : `\n<p class="label">Ends with it</p>\n<div class="boxes quiet">\n${boxes.join('\n')}\n</div>`
}

function toColumnTable(finding: Finding): string {
  const columns = toColumns(finding)
  if (columns.length === 0) return ''
  const heads = columns.map(({ side }) => `<th>${columnWords[side]}</th>`)
  const cells = columns.map(({ lines }) => `<td>${lines.map(toMarkup).join('<br>')}</td>`)
  return `<table><thead><tr>${heads.join('')}</tr></thead><tbody><tr>${cells.join('')}</tr></tbody></table>\n`
}

function toQuietBox(finding: Finding, help: string): string {
  const reason =
    finding.suppressed === undefined ? finding.message : `${finding.message}: ${finding.suppressed.reason}`
  return `${openTag(finding)}
<h3><span class="mark" aria-hidden="true">${marks[toWeight(finding)]}</span> <span class="word">${words[toWeight(finding)]}</span> <code>${toMarkup(finding.id)}</code></h3>
<p class="subject">${toMarkup(toSubjectText(finding.subject))}</p>
<p class="message">${toMarkup(reason)}</p>${help}
</article>`
}

function openTag(finding: Finding): string {
  return `<article class="${toWeight(finding)}" data-check="${toMarkup(finding.id)}" data-outcome="${finding.outcome}" data-severity="${finding.severity}">`
}

function toHelp(rule: Rule | undefined): string {
  if (rule === undefined) return ''
  const { title, why, wrong, right, fix, reference } = rule
  const link =
    reference === undefined
      ? ''
      : `<p><a href="${toMarkup(reference.url)}" rel="noreferrer">${toMarkup(reference.text)}</a></p>`
  return `<details><summary><span class="help" aria-hidden="true">?</span> Why, and how to fix it</summary>
<p><strong>${toMarkup(title)}.</strong> ${toMarkup(why)}</p>
<dl><dt>Wrong</dt><dd>${toMarkup(wrong)}</dd><dt>Right</dt><dd>${toMarkup(right)}</dd></dl>
<p>${toMarkup(fix)}</p>
${link}</details>`
}

function toSuggestion(suggestion: Suggestion): string {
  const { urls } = suggestion
  return `<p>${toMarkup(toPromise(suggestion).replace(/^they/, 'These'))}:</p>
<pre>${toMarkup(`"points": [`)}
${urls.map((url, index) => toMarkup(`  "${url}"${index + 1 < urls.length ? ',' : ''}`)).join('\n')}
${toMarkup(']')}</pre>`
}

function toCookieTable(cookies: readonly CookieVerdict[]): string {
  const rows = cookies.map(
    ({ name, domain, path, verdict, sentTo }) =>
      `<tr class="${verdict}"><td>${toMarkup(name)}</td><td>${toMarkup(domain)}</td><td>${toMarkup(path)}</td><td class="verdict">${verdictWords[verdict]}</td><td>${toSentTo(sentTo)}</td></tr>`,
  )
  return `<table>
<thead><tr><th>Name</th><th>Domain</th><th>Path</th><th>Sent?</th><th>To</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`
}

// A page with a million cells helps nobody.
function toSentTo(urls: readonly string[]): string {
  const more = urls.length > mostUrls ? [`and ${urls.length - mostUrls} more`] : []
  return [...urls.slice(0, mostUrls).map(toMarkup), ...more].join('<br>')
}

function isQuiet(finding: Finding): boolean {
  const weight = toWeight(finding)
  return weight === 'pass' || weight === 'skipped' || weight === 'suppressed'
}

const mostUrls = 10

const styleHash = createHash('sha256').update(htmlStyle).digest('base64')

const verdictWords: Readonly<Record<CookieVerdict['verdict'], string>> = {
  sent: '✔ sent',
  'not-sent': '✖ not sent',
  depends: '● depends',
}

const marks: Readonly<Record<Weight, string>> = {
  error: '✖',
  warning: '▲',
  inconclusive: '?',
  info: '●',
  suppressed: '○',
  skipped: '–',
  pass: '✔',
}

const words: Readonly<Record<Weight, string>> = {
  error: 'Failed',
  warning: 'Warning',
  inconclusive: 'Not to be told',
  info: 'Note',
  suppressed: 'Suppressed',
  skipped: 'Skipped',
  pass: 'Passed',
}

const columnWords = { config: 'The config wants', account: 'The account says', observed: 'Observed' } as const
