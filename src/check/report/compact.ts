import { toSubjectText } from '../finding.ts'
import { toCountsText } from './counts.ts'
import { toPlainText } from './plain-text.ts'
import {
  type OpenCause,
  type Report,
  toConsequenceTexts,
  toOpenCauses,
  toPlaceText,
  toWeight,
} from './report.ts'

/** One line a finding, the worst first, then one line that counts. For grep and for small screens. */
export function renderCompact({ result }: Report): string {
  const lines = toOpenCauses(result.findings).map(toLine)
  return `${[...lines, toCountsText(result.findings)].join('\n')}\n`
}

function toLine({ finding, consequences }: OpenCause): string {
  const place = toPlaceText(finding)
  const fix = finding.fix === undefined ? '' : ` Fix: ${finding.fix}`
  const too = consequences.length === 0 ? '' : `. With it end: ${toConsequenceTexts(consequences).join(', ')}`
  const text = `${finding.id} ${toSubjectText(finding.subject)}: ${finding.message}.${fix}${too}`
  return toPlainText(`${place === '' ? '' : `${place}: `}${toWeight(finding)}: ${text}`)
}
