import { type Finding, toSubjectText } from '../finding.ts'
import { summarize } from '../summary.ts'
import { toCountsText } from './counts.ts'
import { toPlainText } from './plain-text.ts'
import { type Report, toOpenFindings, toPlaceText, toWeight } from './report.ts'

/** One line a finding, the worst first, then one line that counts. For grep and for small screens. */
export function renderCompact({ result }: Report): string {
  const lines = toOpenFindings(result.findings).map(toLine)
  return `${[...lines, toCountsText(summarize(result.findings))].join('\n')}\n`
}

function toLine(finding: Finding): string {
  const place = toPlaceText(finding)
  const fix = finding.fix === undefined ? '' : ` Fix: ${finding.fix}`
  const text = `${finding.id} ${toSubjectText(finding.subject)}: ${finding.message}.${fix}`
  return toPlainText(`${place === '' ? '' : `${place}: `}${toWeight(finding)}: ${text}`)
}
