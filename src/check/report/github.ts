import { escapeControls, toPlainText } from '../../text/escape.ts'
import type { Cause } from '../causes.ts'
import { weigh } from '../summary.ts'
import { describeCause, listLines } from './compact.ts'
import { countFindings } from './conclusion.ts'
import type { Report } from './report.ts'

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

/** The job summary as Markdown, with an item for each line of the compact report. */
export function renderJobSummary(report: Report): string {
  const items = listLines(report).map((line) => `- ${escapeMarkdown(line)}\n`)
  return `### Continuation points\n\n${countFindings(report.result)}.\n\n${items.join('')}`
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

const COMMANDS: Readonly<Record<string, string>> = {
  error: 'error',
  warning: 'warning',
  inconclusive: 'warning',
}
