import { toPlainText } from '../../text/escape.ts'
import type { Cause } from '../causes.ts'
import { toFixText } from '../fix.ts'
import { toCountsText } from './conclusion.ts'
import { toEvidenceTexts } from './evidence.ts'
import {
  isInconclusive,
  type Report,
  toAlsoFixedText,
  toInconclusiveText,
  toLocationText,
  toShortList,
  toSubjectsText,
  toWeight,
} from './report.ts'
import { groupVariants } from './variants.ts'

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
  const said = groupVariants(cause).map(({ findings, message, fix }) => {
    const evidence = toEvidenceTexts(findings[0])
    const rest = evidence.length === 0 ? '' : ` [${evidence.join('; ')}]`
    return `${toSubjectsText(findings)}: ${message}${rest}.${fix === undefined ? '' : ` Fix: ${toFixText(fix)}`}`
  })
  return `${toLead(cause)}${toWeight(first)}: ${first.id} ${toShortList(said, MOST_VARIANTS).join(' | ')}${toAlsoFixedText(cause)}`
}

function toInconclusiveLine(cause: Cause): string {
  const [first] = cause.findings
  return `inconclusive: ${first.because ?? first.id}: ${toInconclusiveText(cause)}`
}

function toLead({ findings: [first] }: Cause): string {
  const where = toLocationText(first)
  return where === '' ? '' : `${where}: `
}

const MOST_VARIANTS = 4
