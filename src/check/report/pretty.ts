import { toPlainText } from '../../text/escape.ts'
import type { Paint, Style } from '../../text/paint.ts'
import { wrap } from '../../text/prose.ts'
import type { Program } from '../../text/typed-command.ts'
import { type Cause, isOfAccount } from '../causes.ts'
import { describeSubject, type Finding, type Severity } from '../finding.ts'
import { describeFix, type FindingFix } from '../fix.ts'
import { addressOf } from '../help.ts'
import { describeCoverage, type Suggestion } from '../suggest-points.ts'
import { summarize } from '../summary.ts'
import { areCookiesSent, chooseNextStep, countFindings, isNote } from './conclusion.ts'
import { describeEvidence } from './evidence.ts'
import {
  describeInconclusive,
  describeLocation,
  isInconclusive,
  listConsequences,
  MARKS,
  type Report,
} from './report.ts'
import { groupVariants, type Variant } from './variants.ts'

/** For a person at a terminal: a block for each cause, the worst first. Without `columns`, for a pipe, no line is wrapped. */
export function renderPretty(report: Report, paint: Paint, columns = Number.POSITIVE_INFINITY): string {
  const { causes, suggestion } = report.result
  const { program } = report
  const look: Look = { paint, columns: Math.max(columns, FEWEST_COLUMNS), program }
  const failures = causes.filter((cause) => !isInconclusive(cause))
  const [notes, serious] = [failures.filter(isNote), failures.filter((cause) => !isNote(cause))]
  const isWorse = failures.length < causes.length || serious.length > 0
  const nextStep = wrap('Next: ', `${chooseNextStep(report.result, program)}.`, look.columns)
  return [
    ...printCauses(serious, report, look),
    ...(suggestion === undefined ? [] : [printSuggestion(suggestion, look)]),
    ...printNotJudged(report, look),
    // If there is something worse, notes are only named.
    ...(isWorse ? notes.map((cause) => `${printHead(cause, look)}\n`) : printCauses(notes, report, look)),
    `${printHeadline(report, look)}\n${nextStep.join('\n')}\n`,
  ].join('\n')
}

interface Look {
  readonly paint: Paint
  readonly columns: number
  readonly program: Program
}

/** With the reason of each rule, once: its first sentence; `--explain` has the rest. */
function printCauses(causes: readonly Cause[], { rules }: Report, look: Look): readonly string[] {
  const whys = new Map(rules.map(({ id, why }) => [id, why.match(/^.+?[.](?= [A-Z]|$)/s)?.[0]]))
  return causes.map((cause) => {
    const { id } = cause.findings[0]
    const why = whys.get(id)
    whys.delete(id)
    return printCause(cause, why, look)
  })
}

function printCause(cause: Cause, why: string | undefined, look: Look): string {
  const variants = groupVariants(cause)
  const [variant, ...others] = variants
  const isOne = others.length === 0
  // The labels are as wide as the widest.
  const labels = isOne ? describeEvidence(cause.findings).map(({ label }) => label.length) : []
  const width = Math.max(3, ...labels)
  const lines = [
    printHead(cause, look),
    ...(isOne ? printVariant(variant, look, width) : printVariants(variants, look)),
    ...labelled('why', why, look, width, 'dim'),
    ...(isOne ? printFix(variant.fix, look, width) : []),
    ...listConsequences(cause.consequences).flatMap((text) =>
      labelled('also fixes', text, look, width, 'dim'),
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** The first line of a failure; the rule links to its help. */
function printHead({ findings }: Cause, { paint }: Look): string {
  const [first, ...others] = findings
  const [style, word] = LOOKS[first.severity]
  const places = isOfAccount(first) ? '' : `at ${findings.length} places`
  const place = others.length === 0 ? toPlainText(describeLocation(first)) : places
  const head = `${paint(style, `${MARKS[first.severity]} ${word}`)} ${paint('bold', first.id, addressOf(first.id))}`
  return place === '' ? head : `${head}  ${paint('cyan', place)}`
}

/** One message for all subjects. */
function printVariant({ findings, message }: Variant, look: Look, width: number): readonly string[] {
  const [first, ...others] = findings
  const subjects =
    others.length === 0
      ? [`  ${look.paint('cyan', toPlainText(describeSubject(first.subject)))}`]
      : printPlacedSubjects(findings, look)
  return [
    // The changes of an account name them.
    ...(others.length > 0 && isOfAccount(first) ? [] : subjects),
    ...wrap('  ', toPlainText(message), look.columns),
    ...describeEvidence(findings).flatMap(({ label, text }) => labelled(label, text, look, width, 'magenta')),
  ]
}

/** A message or a fix for each subject; a shared message is printed once. */
function printVariants(variants: readonly [Variant, ...Variant[]], look: Look): readonly string[] {
  const [{ message }] = variants
  const isShared = variants.every((each) => each.message === message)
  const shown = variants.slice(0, MOST_VARIANTS)
  const left = variants.slice(MOST_VARIANTS).flatMap(({ findings }) => findings)
  return [
    ...(isShared ? wrap('  ', toPlainText(message), look.columns) : []),
    ...shown.flatMap((each) => [
      ...printPlacedSubjects(each.findings, look),
      ...(isShared ? [] : wrap('    ', toPlainText(each.message), look.columns)),
      ...printFix(each.fix, look, 3).map((line) => `  ${line}`),
    ]),
    ...(left.length === 0 ? [] : [`  and ${left.length} more like these (--format json has them all)`]),
  ]
}

function printPlacedSubjects(findings: readonly Finding[], look: Look): readonly string[] {
  const placed = findings.slice(0, MOST_SUBJECTS).map((finding) => printPlacedSubject(finding, look))
  const left = findings.length - placed.length
  return [...placed, ...(left === 0 ? [] : [`  and ${left} more`])]
}

function printPlacedSubject(finding: Finding, { paint, columns }: Look): string {
  const subject = toPlainText(describeSubject(finding.subject))
  const where = toPlainText(describeLocation(finding))
  if (where === '') return `  ${paint('cyan', subject)}`
  const isFitting = subject.length + where.length + 4 <= columns
  return `  ${paint('cyan', subject)}${isFitting ? '  ' : '\n    '}${paint('cyan', where)}`
}

/** A line of one kind, which has its own style. */
function labelled(
  label: string,
  text: string | undefined,
  { paint, columns }: Look,
  width: number,
  style: Style,
): readonly string[] {
  if (text === undefined) return []
  return wrap(`  ${label.padEnd(width)}  `, toPlainText(text), columns).map((line) =>
    line.replace(/\S.*/, (words) => paint(style, words)),
  )
}

function printFix(fix: FindingFix | undefined, look: Look, width: number): readonly string[] {
  if (fix === undefined) return []
  return [
    ...labelled('fix', describeFix(fix, look.program), look, width, 'green'),
    ...fix.lines.flatMap(([name, line]) => labelled('', `• ${name}: ${line}`, look, width, 'green')),
  ]
}

/** Cookies are sent only to points that answer; else this says what a browser would do. */
function countCookies(report: Report, paint: Paint): string {
  const { cookies, routes } = report.result
  const count = (verdict: string) => cookies.filter((cookie) => cookie.verdict === verdict).length
  const lost = cookies.filter(({ verdict }, at) => verdict === 'sent' && routes.cookies[at]?.state !== 'good')
  const parts = [
    areCookiesSent(report) ? `${count('sent')} sent` : `a browser would send ${count('sent')}`,
    ...(lost.length === 0 ? [] : [paint('red', `${lost.length} of them only to failing points`)]),
    ...(count('not-sent') === 0 ? [] : [paint('red', `${count('not-sent')} not sent to any point`)]),
    ...(count('depends') === 0 ? [] : [paint('yellow', `${count('depends')} uncertain`)]),
  ]
  return `Cookies: ${parts.join(', ')}`
}

function printSuggestion(suggestion: Suggestion, { paint, columns }: Look): string {
  const { urls } = suggestion
  const shown = urls.slice(0, MOST_URLS).map((url) => `    ${JSON.stringify(toPlainText(url))}`)
  const more = urls.length > MOST_URLS ? `\n    (and ${urls.length - MOST_URLS} more: see --format json)` : ''
  const title = 'Suggested points'
  const [first = '', ...others] = wrap(`${title}  `, toPlainText(describeCoverage(suggestion)), columns)
  const head = [`${paint('bold', title)}${first.slice(title.length)}`, ...others].join('\n')
  return `${head}\n  "points": [\n${shown.join(',\n')}${more}\n  ]\n`
}

/** One line for each reason, before the counts, which may look reassuring. */
function printNotJudged({ result: { causes, notJudged } }: Report, look: Look): readonly string[] {
  const { paint, columns } = look
  const unclear = causes
    .filter(isInconclusive)
    .map((cause) => ['?', toPlainText(describeInconclusive(cause))] as const)
  const missing = notJudged.map(({ what, why }) => ['–', `${what}: ${why}`] as const)
  const lines = [...unclear, ...missing].flatMap(([mark, text]) => {
    const [first = '', ...others] = wrap(`  ${mark} `, text, columns)
    return [`  ${paint('yellow', mark)} ${first.slice(4)}`, ...others]
  })
  return lines.length === 0 ? [] : [`${[paint('bold', 'Not judged'), ...lines].join('\n')}\n`]
}

function printHeadline(report: Report, { paint, columns }: Look): string {
  const { findings, cookies } = report.result
  const summary = summarize(findings)
  const style = summary.error > 0 ? 'red' : summary.warning + summary.inconclusive > 0 ? 'yellow' : 'green'
  const counts = wrap('', countFindings(report.result), columns).map((line) => paint(style, line))
  return [...(cookies.length === 0 ? [] : [countCookies(report, paint)]), ...counts].join('\n')
}

const FEWEST_COLUMNS = 40
const MOST_URLS = 20
const MOST_SUBJECTS = 5
const MOST_VARIANTS = 4

const LOOKS: Readonly<Record<Severity, readonly [style: Style, word: string]>> = {
  error: ['red', 'error'],
  warning: ['yellow', 'warning'],
  info: ['blue', 'note'],
}
