import { type Finding, toSubjectText } from '../finding.ts'
import { summarize } from '../summary.ts'
import { toCountsText } from './counts.ts'
import { escapeControls, toPlainText } from './plain-text.ts'
import { type Report, toOpenFindings, toPlaceText, toWeight } from './report.ts'

/** Workflow commands, errors first: GitHub shows only the first ten annotations of each kind of a step. */
export function renderGithub({ result }: Report): string {
  const lines = toOpenFindings(result.findings).map(toAnnotation)
  return `${[...lines, `continuation-point: ${toCountsText(summarize(result.findings))}`].join('\n')}\n`
}

/** The job summary, as Markdown: what is open, as a table. */
export function renderJobSummary({ result }: Report): string {
  const open = toOpenFindings(result.findings)
  const rows = open.map(
    (finding) =>
      `| ${[
        toWeight(finding),
        finding.id,
        toSubjectText(finding.subject),
        finding.message,
        finding.fix ?? '',
        toPlaceText(finding),
      ]
        .map(toCell)
        .join(' | ')} |`,
  )
  const table =
    rows.length === 0
      ? []
      : ['| | rule | subject | what | fix | place |', '| - | - | - | - | - | - |', ...rows, '']
  return ['### Continuation points', '', `${toCountsText(summarize(result.findings))}.`, '', ...table].join(
    '\n',
  )
}

function toAnnotation(finding: Finding): string {
  const { location, fix } = finding
  const properties = [
    ...(location?.line === undefined
      ? []
      : [`file=${location.file}`, `line=${location.line}`, `col=${location.column ?? 1}`]),
    `title=${finding.id}`,
  ].map(toProperty)
  const text = `${toSubjectText(finding.subject)}: ${finding.message}${fix === undefined ? '' : `. Fix: ${fix}`}`
  return `::${commands[toWeight(finding)] ?? 'notice'} ${properties.join(',')}::${toData(toPlainText(text))}`
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
