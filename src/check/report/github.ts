import { toSubjectText } from '../finding.ts'
import { toCountsText } from './counts.ts'
import { escapeControls, toPlainText } from './plain-text.ts'
import {
  type OpenCause,
  type Report,
  toConsequenceTexts,
  toOpenCauses,
  toPlaceText,
  toWeight,
} from './report.ts'

/** Workflow commands, errors first: GitHub shows only the first ten annotations of each kind of a step. */
export function renderGithub({ result }: Report): string {
  const lines = toOpenCauses(result.findings).map(toAnnotation)
  return `${[...lines, `continuation-point: ${toCountsText(result.findings)}`].join('\n')}\n`
}

/** The job summary, as Markdown: what is open, as a table. */
export function renderJobSummary({ result }: Report): string {
  const rows = toOpenCauses(result.findings).map(
    ({ finding, consequences }) =>
      `| ${[
        toWeight(finding),
        finding.id,
        toSubjectText(finding.subject),
        finding.message,
        toFixText({ finding, consequences }),
        toPlaceText(finding),
      ]
        .map(toCell)
        .join(' | ')} |`,
  )
  const table =
    rows.length === 0
      ? []
      : ['| | rule | subject | what | fix | place |', '| - | - | - | - | - | - |', ...rows, '']
  return ['### Continuation points', '', `${toCountsText(result.findings)}.`, '', ...table].join('\n')
}

function toAnnotation(cause: OpenCause): string {
  const { finding } = cause
  const { location } = finding
  const properties = [
    ...(location?.line === undefined
      ? []
      : [`file=${location.file}`, `line=${location.line}`, `col=${location.column ?? 1}`]),
    `title=${finding.id}`,
  ].map(toProperty)
  const fix = toFixText(cause)
  const text = `${toSubjectText(finding.subject)}: ${finding.message}${fix === '' ? '' : `. Fix: ${fix}`}`
  return `::${commands[toWeight(finding)] ?? 'notice'} ${properties.join(',')}::${toData(toPlainText(text))}`
}

function toFixText({ finding: { fix = '' }, consequences }: OpenCause): string {
  return consequences.length === 0
    ? fix
    : `${fix}. With it end: ${toConsequenceTexts(consequences).join(', ')}`
}

// The toolkit's own escapes; control characters, line feeds included, are visible escapes already.
function toData(text: string): string {
  return text.replaceAll('%', '%25')
}

function toProperty(property: string): string {
  const [name = '', ...value] = property.split('=')
  return `${name}=${toData(escapeControls(value.join('=')))
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C')}`
}

// Every ASCII punctuation character may be escaped in Markdown; references keep `<` and `&` from being HTML.
function toCell(text: string): string {
  return toPlainText(text)
    .replace(/[\\`*_{}[\]()#+!|~@$^"'=:-]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

const commands: Readonly<Record<string, string>> = {
  error: 'error',
  warning: 'warning',
  inconclusive: 'warning',
}
