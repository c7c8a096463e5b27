import { renderFamily } from '../../text/exposition.ts'
import { summarize, weigh } from '../summary.ts'
import type { Report } from './report.ts'

/** For a textfile collector. Labels are words of ours and rule ids, so neither a config nor an answer can add series. */
export function renderPrometheus({ result: { findings }, exitCode, atMs }: Report): string {
  const failures = new Map<string, { readonly labels: { rule: string; severity: string }; value: number }>()
  for (const finding of findings) {
    if (finding.outcome !== 'fail' || finding.suppressed !== undefined) continue
    const { id: rule } = finding
    const severity = weigh(finding)
    const { value = 0 } = failures.get(rule) ?? {}
    failures.set(rule, { labels: { rule, severity }, value: value + 1 })
  }
  const outcomes = Object.entries(summarize(findings)).map(([outcome, value]) => ({
    labels: { outcome },
    value,
  }))
  const lines = [
    ...renderFamily('continuation_point_check_findings', 'Findings, by outcome.', outcomes),
    ...renderFamily('continuation_point_check_failures', 'Failures, by rule.', [...failures.values()]),
    ...renderFamily('continuation_point_check_exit_code', 'Exit code of the check.', exitCode),
    ...renderFamily('continuation_point_check_timestamp_seconds', 'When the check ran.', atMs / 1000),
  ]
  return `${lines.join('\n')}\n`
}
