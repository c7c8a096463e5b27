import { renderFamily } from '../../text/exposition.ts'
import { summarize } from '../summary.ts'
import type { Report } from './report.ts'

/** For a textfile collector. Labels are words of ours and rule ids, so neither a config nor an answer can add series. */
export function renderPrometheus({ result: { findings }, exitCode, atMs }: Report): string {
  const failed = findings.filter(({ outcome, suppressed }) => outcome === 'fail' && suppressed === undefined)
  const severities = new Map(failed.map(({ id, severity }) => [id, severity]))
  const failures = [...severities].map(([rule, severity]) => ({
    labels: { rule, severity },
    value: failed.filter(({ id }) => id === rule).length,
  }))
  const summary = Object.entries(summarize(findings))
  const outcomes = summary.map(([outcome, value]) => ({ labels: { outcome }, value }))
  const lines = [
    ...renderFamily('continuation_point_check_findings', 'Findings, by outcome.', outcomes),
    ...renderFamily('continuation_point_check_failures', 'Failures, by rule.', failures),
    ...renderFamily('continuation_point_check_exit_code', 'Exit code of the check.', exitCode),
    ...renderFamily('continuation_point_check_timestamp_seconds', 'When the check ran.', atMs / 1000),
  ]
  return `${lines.join('\n')}\n`
}
