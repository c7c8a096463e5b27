import { describeSubject } from '../check/finding.ts'
import { renderFamily } from '../text/exposition.ts'
import type { MonitorState } from './monitor.ts'
import type { Verdict } from './verdicts.ts'

/**
 * The metrics of a monitor, as lines of the Prometheus text format. Labels come from rules and the config, so answers can't
 * add series. At most 10,000 verdicts are shown, failures first; the others are counted.
 */
export function* renderMonitorMetrics(state: MonitorState, version: string): Iterable<string> {
  const { verdicts, runs, lastTookMs, calls, everyMs } = state
  const all = [...verdicts.values()]
  const shown = [...all.filter(isFailure), ...all.filter((verdict) => !isFailure(verdict))]
  const leftOut = shown.splice(MOST_VERDICTS).length
  yield* renderFamily(
    'continuation_point_check_failed',
    'Whether a rule of check fails (1) or passes (0).',
    shown.map((verdict) => ({
      labels: { ...labelsOf(verdict), severity: verdict.severity },
      value: isFailure(verdict) ? 1 : 0,
    })),
  )
  yield* renderFamily(
    'continuation_point_check_judged_timestamp_seconds',
    'When a run last gave this verdict.',
    shown.map((verdict) => ({ labels: labelsOf(verdict), value: verdict.judgedAtMs / 1000 })),
  )
  yield* renderFamily(
    'continuation_point_check_left_out',
    'Verdicts beyond the 10,000 that are shown.',
    leftOut,
  )
  yield* renderFamily(
    'continuation_point_monitor_runs_total',
    'Runs by their result.',
    Object.entries(runs).map(([result, { count }]) => ({ labels: { result }, value: count })),
  )
  yield* renderFamily(
    'continuation_point_monitor_last_run_timestamp_seconds',
    'When a run last had this result; 0: never.',
    Object.entries(runs).map(([result, { lastAtMs }]) => ({ labels: { result }, value: lastAtMs / 1000 })),
  )
  yield* renderFamily(
    'continuation_point_monitor_last_run_duration_seconds',
    'Duration of the last run.',
    lastTookMs === undefined ? [] : lastTookMs / 1000,
  )
  yield* renderFamily(
    'continuation_point_monitor_interval_seconds',
    'From the start of one run to the start of the next.',
    everyMs / 1000,
  )
  yield* renderFamily(
    'continuation_point_monitor_webhook_calls_total',
    'Calls of the webhook; the attempts of one call count once.',
    Object.entries(calls).map(([result, value]) => ({ labels: { result }, value })),
  )
  yield* renderFamily('continuation_point_monitor_build_info', 'The running version.', [
    { labels: { version }, value: 1 },
  ])
}

/** The subject's label is its kind, such as `point`. */
function labelsOf({ rule, subject }: Verdict): Readonly<Record<string, string>> {
  const [kind = 'setting'] = Object.keys(subject)
  return { rule, [kind]: describeSubject(subject) }
}

function isFailure({ outcome }: Verdict): boolean {
  return outcome === 'fail'
}

const MOST_VERDICTS = 10_000
