import { escapeControls, toPlainText } from '../../text/escape.ts'
import type { Cause } from '../causes.ts'
import { printWholeFix } from '../fix.ts'
import { weigh } from '../summary.ts'
import { countFindings } from './conclusion.ts'
import { listEvidence } from './evidence.ts'
import {
  describeAlsoFixed,
  describeExtent,
  describeInconclusive,
  describeLocation,
  isInconclusive,
  listSubjects,
  type Report,
  shorten,
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

/** The job summary as Markdown, with a row for each cause. */
export function renderJobSummary({ result }: Report): string {
  const { causes, notJudged } = result
  const rows = causes.map((cause) => {
    const [first] = cause.findings
    const cells = isInconclusive(cause)
      ? ['inconclusive', first.because ?? first.id, describeExtent(cause), first.message, '', '']
      : [
          weigh(first),
          first.id,
          listSubjects(cause.findings),
          describeCause(cause),
          describeFix(cause),
          describeLocation(first),
        ]
    return `| ${cells.map(escapeCell).join(' | ')} |`
  })
  const table =
    rows.length === 0
      ? []
      : ['| | rule | subject | what | fix | place |', '| - | - | - | - | - | - |', ...rows, '']
  const missing = notJudged.map(({ what, why }) => `- Not judged: ${escapeCell(`${what}: ${why}`)}`)
  return [
    '### Continuation points',
    '',
    `${countFindings(result)}.`,
    '',
    ...table,
    ...(missing.length === 0 ? [] : [...missing, '']),
  ].join('\n')
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
  const fix = describeFix(cause)
  const text = isInconclusive(cause)
    ? describeInconclusive(cause)
    : `${listSubjects(cause.findings)}: ${describeCause(cause)}${fix === '' ? '' : `. Fix: ${fix}`}`
  return `::${COMMANDS[weigh(first)] ?? 'notice'} ${properties.join(',')}::${escapeData(toPlainText(text))}`
}

function describeCause(cause: Cause): string {
  const messages = [...new Set(groupVariants(cause).map(({ message }) => message))]
  return [...shorten(messages, MOST_VARIANTS), ...listEvidence(cause.findings[0])].join('; ')
}

function describeFix(cause: Cause): string {
  const fixes = groupVariants(cause).flatMap(({ fix }) => (fix === undefined ? [] : printWholeFix(fix)))
  return `${shorten([...new Set(fixes)], MOST_VARIANTS).join(' | ')}${describeAlsoFixed(cause)}`
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
function escapeCell(text: string): string {
  return toPlainText(text)
    .replace(/[\\`*_{}[\]()#+!|~@$^"'=:-]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

const MOST_VARIANTS = 4

const COMMANDS: Readonly<Record<string, string>> = {
  error: 'error',
  warning: 'warning',
  inconclusive: 'warning',
}
