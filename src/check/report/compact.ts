import { toPlainText } from '../../text/escape.ts'
import type { Cause } from '../causes.ts'
import { toSubjectText } from '../finding.ts'
import { toCountsText } from './conclusion.ts'
import { toEvidenceLines } from './evidence.ts'
import {
  isInconclusive,
  type Report,
  toConsequenceTexts,
  toExtentText,
  toLocationText,
  toShortList,
  toWeight,
} from './report.ts'
import { toFixText, toVariants } from './variants.ts'

/** One line for each cause, the worst first, then one with the counts. For grep and small screens. */
export function renderCompact({ result }: Report): string {
  const lines = [
    ...result.causes.map((cause) => (isInconclusive(cause) ? toInconclusiveLine(cause) : toLine(cause))),
    ...result.notJudged.map(({ what, why }) => `not judged: ${what}: ${why}`),
  ]
  return `${[...lines.map(toPlainText), toCountsText(result)].join('\n')}\n`
}

function toLine(cause: Cause): string {
  const [first] = cause.findings
  const { consequences } = cause
  const said = toVariants(cause).map((variant) => {
    const { findings, message } = variant
    const fix = toFixText(variant)
    const subjects = toShortList(
      findings.map(({ subject }) => toSubjectText(subject)),
      mostSubjects,
    )
    const evidence = toEvidenceLines(findings[0]).map(({ label, text }) => `${label} ${text}`)
    const rest = evidence.length === 0 ? '' : ` [${evidence.join('; ')}]`
    return `${subjects.join(', ')}: ${message}${rest}.${fix === undefined ? '' : ` Fix: ${fix}`}`
  })
  const too =
    consequences.length === 0 ? '' : `. This also fixes: ${toConsequenceTexts(consequences).join(', ')}`
  return `${toLead(cause)}${toWeight(first)}: ${first.id} ${toShortList(said, mostVariants).join(' | ')}${too}`
}

function toInconclusiveLine(cause: Cause): string {
  const [first] = cause.findings
  return `inconclusive: ${first.because ?? first.id}: ${first.message} (${toExtentText(cause)})`
}

function toLead({ findings: [first] }: Cause): string {
  const where = toLocationText(first)
  return where === '' ? '' : `${where}: `
}

const mostSubjects = 5
const mostVariants = 4
