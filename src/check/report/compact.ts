import { toPlainText } from '../../text/escape.ts'
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
  shorten,
} from './report.ts'
import { groupVariants } from './variants.ts'

/** One line for each cause, the worst first, then one with the counts. For grep and small screens. */
export function renderCompact(report: Report): string {
  return `${[...listLines(report), countFindings(report.result)].join('\n')}\n`
}

/** A line for each cause, and for each thing that was not judged. */
export function listLines({ result }: Report): readonly string[] {
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
export function describeCause(cause: Cause): string {
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

const MOST_SUBJECTS = 5
const MOST_VARIANTS = 4
