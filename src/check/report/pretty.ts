import { type Finding, toSubjectText } from '../finding.ts'
import { type Suggestion, toPromise } from '../suggest-points.ts'
import { summarize } from '../summary.ts'
import { toColumns } from './columns.ts'
import { toCountsText } from './counts.ts'
import type { Paint, Style } from './paint.ts'
import { toPlainText } from './plain-text.ts'
import {
  type OpenCause,
  type Report,
  toConsequenceTexts,
  toOpenCauses,
  toPlaceText,
  toWeight,
  type Weight,
} from './report.ts'

/** For a person at a terminal: the worst first, why it matters, the fix to paste, and what to do next as the last line. */
export function renderPretty(report: Report, paint: Paint): string {
  const { findings, cookies, suggestion } = report.result
  const open = toOpenCauses(findings)
  const explained = new Set<string>()
  const blocks = open.map((cause) => {
    const { finding } = cause
    const why = explained.has(finding.id) ? undefined : toWhy(finding, report)
    explained.add(finding.id)
    return toBlock(cause, why, paint)
  })
  return [
    ...blocks,
    ...(cookies.length === 0 ? [] : [toCookieLine(report, paint)]),
    ...(suggestion === undefined ? [] : [toSuggestionBlock(suggestion, paint)]),
    `${toHeadline(report, paint)}\n${toNextStep(open)}\n`,
  ].join('\n')
}

function toBlock({ finding, consequences }: OpenCause, why: string | undefined, paint: Paint): string {
  const [style, mark, word] = looks[toWeight(finding)]
  const place = toPlainText(toPlaceText(finding))
  const lines = [
    `${paint(style, `${mark} ${word}`)} ${paint('bold', finding.id)}  ${paint('dim', place)}`.trimEnd(),
    `  ${toPlainText(toSubjectText(finding.subject))}`,
    `  ${toPlainText(finding.message)}`,
    ...toColumns(finding).map(({ side, lines }) => `  ${side.padEnd(9)} ${toPlainText(lines.join(', '))}`),
    ...(why === undefined ? [] : [`  ${paint('dim', `why  ${why}`)}`]),
    ...(finding.fix === undefined ? [] : [`  ${paint('green', 'fix')}  ${toPlainText(finding.fix)}`]),
    ...toConsequenceTexts(consequences).map(
      (text) => `  ${paint('dim', 'ends with it')}  ${toPlainText(text)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

// The first sentence; `explain` has the rest.
function toWhy({ id }: Finding, { rules }: Report): string | undefined {
  const why = rules.find((rule) => rule.id === id)?.why
  return why?.match(/^.+?[.](?= [A-Z]|$)/s)?.[0]
}

function toCookieLine({ result: { cookies } }: Report, paint: Paint): string {
  const count = (verdict: string) => cookies.filter((cookie) => cookie.verdict === verdict).length
  const parts = [
    `${count('sent')} sent`,
    ...(count('not-sent') === 0 ? [] : [paint('red', `${count('not-sent')} not sent`)]),
    ...(count('depends') === 0 ? [] : [paint('yellow', `${count('depends')} not to be told`)]),
  ]
  return `${paint('bold', 'Cookies')}  ${parts.join(', ')}\n`
}

function toSuggestionBlock(suggestion: Suggestion, paint: Paint): string {
  const { urls } = suggestion
  const shown = urls.slice(0, mostUrls).map((url) => `    ${JSON.stringify(toPlainText(url))}`)
  const more = urls.length > mostUrls ? `\n    (and ${urls.length - mostUrls} more: see --format json)` : ''
  const promise = toPlainText(toPromise(suggestion))
  return `${paint('bold', 'Suggested points')}  ${promise}\n  "points": [\n${shown.join(',\n')}${more}\n  ]\n`
}

function toHeadline({ result }: Report, paint: Paint): string {
  const summary = summarize(result.findings)
  const style = summary.error > 0 ? 'red' : summary.warning + summary.inconclusive > 0 ? 'yellow' : 'green'
  return paint(style, toCountsText(result.findings))
}

function toNextStep([first]: readonly OpenCause[]): string {
  const worst = first?.finding
  if (worst === undefined) return 'Next: nothing to do.'
  const explain = `continuation-point explain ${worst.id}`
  if (toWeight(worst) === 'inconclusive') return `Next: ${explain} says what would settle it.`
  if (toWeight(worst) === 'info') return `Next: nothing has to be done; ${explain} tells more.`
  return `Next: apply the fixes from the top and check again; ${explain} tells more.`
}

const mostUrls = 20

const looks: Readonly<Record<Weight, readonly [style: Style, mark: string, word: string]>> = {
  error: ['red', '✖', 'error'],
  warning: ['yellow', '▲', 'warning'],
  inconclusive: ['yellow', '?', 'inconclusive'],
  info: ['blue', '●', 'note'],
  suppressed: ['dim', '○', 'suppressed'],
  skipped: ['dim', '–', 'skipped'],
  pass: ['green', '✔', 'passed'],
}
