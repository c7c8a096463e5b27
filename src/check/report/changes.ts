import { toPlainText } from '../../text/escape.ts'
import { toInlineJson } from '../../text/json-text.ts'
import type { Paint } from '../../text/paint.ts'
import type { CheckResult } from '../check.ts'
import { describeSubject } from '../finding.ts'
import { chooseExitCode, summarize } from '../summary.ts'
import { advance, dropGone, type Verdict, type Verdicts } from '../verdicts.ts'
import { countFindings } from './conclusion.ts'

/** What is known after a round of a check that runs again and again. */
export interface Standing {
  readonly verdicts: Verdicts
  readonly isInconclusive: boolean
}

export type Event =
  | ({ readonly event: 'start' } & CheckedResult)
  | { readonly event: 'failed' | 'passed' | 'gone'; readonly verdict: Verdict }
  | { readonly event: 'inconclusive'; readonly message: string }
  | { readonly event: 'conclusive' }

type CheckedResult = Pick<CheckResult, 'findings' | 'causes'>

/** What a round changes. One that could not check, for the reason given, leaves the verdicts as they are. */
export function judgeRound(
  before: Standing | undefined,
  round: CheckedResult | string,
): { readonly standing: Standing; readonly events: readonly Event[] } {
  const { findings, causes } = typeof round === 'string' ? { findings: [], causes: [] } : round
  const reason = typeof round === 'string' ? round : findInconclusiveReason(round)
  const isInconclusive = reason !== undefined
  const known = before?.verdicts ?? new Map()
  const { verdicts: left, gone } = isInconclusive ? { verdicts: known, gone: [] } : dropGone(known, findings)
  const { verdicts, changes } = advance(left, findings)
  const wasInconclusive = before?.isInconclusive ?? false
  const events: Event[] = [
    ...(before === undefined ? [{ event: 'start', findings, causes } as const] : []),
    ...gone.flatMap((verdict) => (verdict.outcome === 'fail' ? [{ event: 'gone', verdict } as const] : [])),
    ...changes.map(
      ({ is }) => ({ event: is.outcome === 'fail' ? 'failed' : 'passed', verdict: is }) as const,
    ),
    ...(isInconclusive && !wasInconclusive ? [{ event: 'inconclusive', message: reason } as const] : []),
    ...(!isInconclusive && wasInconclusive ? [{ event: 'conclusive' } as const] : []),
  ]
  return { standing: { verdicts, isInconclusive }, events }
}

/** Why a round could find nothing out, as far as one line tells. */
function findInconclusiveReason({ findings }: CheckedResult): string | undefined {
  if (chooseExitCode(findings, 'never') !== 3) return undefined
  const open = findings.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'crashed')
  return [...new Set(open.map(({ message }) => message))].slice(0, MOST_REASONS).join('; ')
}

export function toJsonLine(time: string, event: Event): string {
  return toInlineJson({ time, event: event.event, ...toMembers(event) })
}

function toMembers(event: Event): object {
  if (event.event === 'start') return { schemaVersion: 1, summary: summarize(event.findings) }
  if (!('verdict' in event)) return event
  const { rule, subject, severity, message, fix } = event.verdict
  return event.event === 'failed' ? { rule, subject, severity, message, fix } : { rule, subject }
}

/** One line for a person. */
export function toTextLine(event: Event, paint: Paint): string {
  if (event.event === 'start') return countFindings(event)
  if (event.event === 'conclusive') return paint('green', '✔ can be checked again')
  if (event.event === 'inconclusive')
    return paint('yellow', toPlainText(`– could not check  ${event.message}`))
  const { rule, subject, severity, message } = event.verdict
  const name = `${rule}  ${describeSubject(subject)}`
  if (event.event === 'failed') return paint('red', toPlainText(`✖ ${severity}  ${name}  ${message}`))
  return paint('green', toPlainText(`✔ ${event.event === 'gone' ? 'gone' : 'green'}  ${name}`))
}

const MOST_REASONS = 3
