import { toPlainText } from '../../text/escape.ts'
import type { Cause } from '../causes.ts'
import { printWholeFix } from '../fix.ts'
import { weigh } from '../summary.ts'
import { countFindings } from './conclusion.ts'
import { listEvidence } from './evidence.ts'
import {
  describeAlsoFixed,
  describeInconclusive,
  describeLocation,
  isInconclusive,
  listSubjects,
  type Report,
  shorten,
} from './report.ts'
import { groupVariants } from './variants.ts'

/** One line for each cause, the worst first, then one with the counts. For grep and small screens. */
export function renderCompact({ result }: Report): string {
  const lines = [
    ...result.causes.map(printCause),
    ...result.notJudged.map(({ what, why }) => `not judged: ${what}: ${why}`),
  ]
  return `${[...lines.map(toPlainText), countFindings(result)].join('\n')}\n`
}

function printCause(cause: Cause): string {
  const [first] = cause.findings
  if (isInconclusive(cause))
    return `inconclusive: ${first.because ?? first.id}: ${describeInconclusive(cause)}`
  const said = groupVariants(cause).map(({ findings, message, fix }) => {
    const evidence = listEvidence(findings[0])
    const rest = evidence.length === 0 ? '' : ` [${evidence.join('; ')}]`
    return `${listSubjects(findings)}: ${message}${rest}.${fix === undefined ? '' : ` Fix: ${printWholeFix(fix)}`}`
  })
  const where = describeLocation(first)
  return `${where === '' ? '' : `${where}: `}${weigh(first)}: ${first.id} ${shorten(said, MOST_VARIANTS).join(' | ')}${describeAlsoFixed(cause)}`
}

const MOST_VARIANTS = 4
