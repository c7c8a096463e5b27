import { escapeControls, toPlainText } from '../../text/escape.ts'
import { shorten } from '../../text/prose.ts'
import type { Cause } from '../causes.ts'
import { describeSubject } from '../finding.ts'
import { printWholeFix } from '../fix.ts'
import { weigh } from '../summary.ts'
import { countFindings } from './conclusion.ts'
import { describeEvidence } from './evidence.ts'
import {
  describeInconclusive,
  describeLocation,
  isInconclusive,
  listConsequences,
  type Report,
} from './report.ts'
import { groupVariants } from './variants.ts'

/** Workflow commands, one for each cause at its first location, errors first: GitHub shows the first ten of a kind in a step. */
export function renderGithub({ result }: Report): string {
  const lines = [
    ...result.causes.map(renderAnnotation),
    ...result.notJudged.map(
      ({ what, why }) => `::notice title=not judged::${escapeData(toPlainText(`${what}: ${why}`))}`,
    ),
  ]
  return `${[...lines, `continuation-point: ${countFindings(result)}`].join('\n')}\n`
}

/** The job summary as Markdown. */
export function renderJobSummary(report: Report): string {
  const items = listLines(report).map((line) => `- ${escapeMarkdown(line)}\n`)
  return `### Continuation points\n\n${countFindings(report.result)}.\n\n${items.join('')}`
}

/** A line for each cause, and for each thing that was not judged. */
function listLines({ result }: Report): readonly string[] {
  const lines = [
    ...result.causes.map(printCause),
    ...result.notJudged.map(({ what, why }) => `not judged: ${what}: ${why}`),
  ]
  return lines.map(toPlainText)
}

function printCause(cause: Cause): string {
  const [first] = cause.findings
  if (isInconclusive(cause)) return `inconclusive: ${first.because ?? first.id}: ${describeCause(cause)}`
  const where = describeLocation(first)
  return `${where === '' ? '' : `${where}: `}${weigh(first)}: ${first.id} ${describeCause(cause)}`
}

/** The subjects of a cause, what is wrong and what to change, in one line. */
function describeCause(cause: Cause): string {
  if (isInconclusive(cause)) return describeInconclusive(cause)
  const said = groupVariants(cause).map(({ findings, message, fix }) => {
    const subjects = findings.map(({ subject }) => describeSubject(subject))
    const evidence = describeEvidence(findings[0]).map(({ label, text }) => `${label} ${text}`)
    const rest = evidence.length === 0 ? '' : ` [${evidence.join('; ')}]`
    return `${shorten(subjects, MOST_SUBJECTS).join(', ')}: ${message}${rest}.${fix === undefined ? '' : ` Fix: ${printWholeFix(fix)}`}`
  })
  const others = listConsequences(cause.consequences).join(', ')
  return `${shorten(said, MOST_VARIANTS).join(' | ')}${others === '' ? '' : `. This also fixes: ${others}`}`
}

function renderAnnotation(cause: Cause): string {
  const [first] = cause.findings
  const { location } = first
  const properties = [
    ...(location?.line === undefined
      ? []
      : [`file=${location.file}`, `line=${location.line}`, `col=${location.column ?? 1}`]),
    `title=${first.because ?? first.id}`,
  ].map(escapeProperty)
  return `::${COMMANDS[weigh(first)] ?? 'notice'} ${properties.join(',')}::${escapeData(toPlainText(describeCause(cause)))}`
}

// The escapes of GitHub's toolkit. Control characters, line feeds included, are escaped already.
function escapeData(text: string): string {
  return text.replaceAll('%', '%25')
}

function escapeProperty(property: string): string {
  const [name = '', ...value] = property.split('=')
  return `${name}=${escapeData(escapeControls(value.join('=')))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C')}`
}

// Every ASCII punctuation character may be escaped in Markdown; references keep `<` and `&` from being HTML.
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+.!|~@$^"'=:-]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

const MOST_SUBJECTS = 5
const MOST_VARIANTS = 4

const COMMANDS: Readonly<Record<string, string>> = {
  error: 'error',
  warning: 'warning',
  inconclusive: 'warning',
}
