import { escapeControls, toPlainText } from '../../text/escape.ts'
import { shorten } from '../../text/prose.ts'
import type { Cause } from '../causes.ts'
import { describeSubject } from '../finding.ts'
import { printWholeFix } from '../fix.ts'
import { weigh } from '../summary.ts'
import { countFindings } from './conclusion.ts'
import { describeEvidence } from './evidence.ts'
import { describeInconclusive, isInconclusive, listConsequences, type Report } from './report.ts'
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

/** The subjects of a cause, what is wrong and what to change, in one line. */
function describeCause(cause: Cause): string {
  if (isInconclusive(cause)) return describeInconclusive(cause)
  const said = groupVariants(cause).map(({ findings, message, fix }) => {
    const subjects = findings.map(({ subject }) => describeSubject(subject))
    const evidence = describeEvidence(findings).map(({ label, text }) => `${label} ${text}`)
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

const MOST_SUBJECTS = 5
const MOST_VARIANTS = 4

const COMMANDS: Readonly<Record<string, string>> = {
  error: 'error',
  warning: 'warning',
  inconclusive: 'warning',
}
