import { escapeControls, toPlainText } from '../../text/escape.ts'
import type { Cause } from '../causes.ts'
import { toFixText } from '../fix.ts'
import { toCountsText } from './conclusion.ts'
import { toEvidenceTexts } from './evidence.ts'
import {
  isInconclusive,
  type Report,
  toAlsoFixedText,
  toExtentText,
  toInconclusiveText,
  toLocationText,
  toShortList,
  toSubjectsText,
  toWeight,
} from './report.ts'
import { groupVariants } from './variants.ts'

/**
 * Workflow commands, one for each cause at its first location, errors first: GitHub shows only the first ten annotations
 * of each kind in a step.
 */
export function renderGithub({ result }: Report): string {
  const lines = [
    ...result.causes.map(toAnnotation),
    ...result.notJudged.map(
      ({ what, why }) => `::notice title=not judged::${toData(toPlainText(`${what}: ${why}`))}`,
    ),
  ]
  return `${[...lines, `continuation-point: ${toCountsText(result)}`].join('\n')}\n`
}

/** The job summary as Markdown, with a row for each cause. */
export function renderJobSummary({ result }: Report): string {
  const { causes, notJudged } = result
  const rows = causes.map((cause) => {
    const [first] = cause.findings
    const cells = isInconclusive(cause)
      ? ['inconclusive', first.because ?? first.id, toExtentText(cause), first.message, '', '']
      : [
          toWeight(first),
          first.id,
          toSubjectsText(cause.findings),
          toSaidText(cause),
          toWholeFix(cause),
          toLocationText(first),
        ]
    return `| ${cells.map(toCell).join(' | ')} |`
  })
  const table =
    rows.length === 0
      ? []
      : ['| | rule | subject | what | fix | place |', '| - | - | - | - | - | - |', ...rows, '']
  const missing = notJudged.map(({ what, why }) => `- Not judged: ${toCell(`${what}: ${why}`)}`)
  return [
    '### Continuation points',
    '',
    `${toCountsText(result)}.`,
    '',
    ...table,
    ...(missing.length === 0 ? [] : [...missing, '']),
  ].join('\n')
}

function toAnnotation(cause: Cause): string {
  const [first] = cause.findings
  const { location } = first
  const properties = [
    ...(location?.line === undefined
      ? []
      : [`file=${location.file}`, `line=${location.line}`, `col=${location.column ?? 1}`]),
    `title=${first.because ?? first.id}`,
  ].map(toProperty)
  const fix = toWholeFix(cause)
  const text = isInconclusive(cause)
    ? toInconclusiveText(cause)
    : `${toSubjectsText(cause.findings)}: ${toSaidText(cause)}${fix === '' ? '' : `. Fix: ${fix}`}`
  return `::${COMMANDS[toWeight(first)] ?? 'notice'} ${properties.join(',')}::${toData(toPlainText(text))}`
}

function toSaidText(cause: Cause): string {
  const messages = [...new Set(groupVariants(cause).map(({ message }) => message))]
  return [...toShortList(messages, MOST_VARIANTS), ...toEvidenceTexts(cause.findings[0])].join('; ')
}

function toWholeFix(cause: Cause): string {
  const fixes = [
    ...new Set(
      groupVariants(cause)
        .flatMap(({ fix }) => fix ?? [])
        .map(toFixText),
    ),
  ]
  return `${toShortList(fixes, MOST_VARIANTS).join(' | ')}${toAlsoFixedText(cause)}`
}

// The escapes of GitHub's toolkit. Control characters, line feeds included, are escaped already.
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

const MOST_VARIANTS = 4

const COMMANDS: Readonly<Record<string, string>> = {
  error: 'error',
  warning: 'warning',
  inconclusive: 'warning',
}
