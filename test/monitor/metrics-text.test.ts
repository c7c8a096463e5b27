import { describe, expect, it } from 'vitest'
import { renderMonitorMetrics } from '../../src/monitor/metrics-text.ts'
import type { MonitorState } from '../../src/monitor/monitor.ts'
import { advance } from '../../src/monitor/verdicts.ts'
import { aFinding } from '../check/a-finding.ts'

const never = { count: 0, lastAtMs: 0 }

function aState(state: Partial<MonitorState> = {}): MonitorState {
  return {
    verdicts: new Map(),
    runs: { pass: never, fail: never, inconclusive: never, crashed: never },
    lastTookMs: undefined,
    calls: { delivered: 0, failed: 0 },
    everyMs: 300_000,
    ...state,
  }
}

/** The whole page. */
const render = (...given: Parameters<typeof renderMonitorMetrics>) =>
  [...renderMonitorMetrics(...given)].join('\n')
const samples = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('the metrics', () => {
  it('show a monitor that has not run yet as never run', () => {
    expect(samples(render(aState(), '1.2.3'))).toEqual([
      'continuation_point_check_left_out 0',
      'continuation_point_monitor_runs_total{result="pass"} 0',
      'continuation_point_monitor_runs_total{result="fail"} 0',
      'continuation_point_monitor_runs_total{result="inconclusive"} 0',
      'continuation_point_monitor_runs_total{result="crashed"} 0',
      'continuation_point_monitor_last_run_timestamp_seconds{result="pass"} 0',
      'continuation_point_monitor_last_run_timestamp_seconds{result="fail"} 0',
      'continuation_point_monitor_last_run_timestamp_seconds{result="inconclusive"} 0',
      'continuation_point_monitor_last_run_timestamp_seconds{result="crashed"} 0',
      'continuation_point_monitor_interval_seconds 300',
      'continuation_point_monitor_webhook_calls_total{result="delivered"} 0',
      'continuation_point_monitor_webhook_calls_total{result="failed"} 0',
      'continuation_point_monitor_build_info{version="1.2.3"} 1',
    ])
  })

  it('have a gauge for each rule and subject that was judged, and when', () => {
    const point = { point: 'https://www.example.com/service_cookie_transfer/' }
    const cookie = { name: 'sid', domain: '.example.com', path: '/' }
    const { verdicts } = advance(
      new Map(),
      [
        aFinding({ subject: point }),
        aFinding({ id: 'live/dns', subject: point, outcome: 'pass' }),
        aFinding({ id: 'live/tls', subject: point, outcome: 'skipped' }),
        aFinding({ id: 'cookie/depends', subject: { cookie }, severity: 'info' }),
        aFinding({ id: 'account/url-stale', subject: { setting: 'cookie_transfer_urls' }, outcome: 'pass' }),
        aFinding({ id: 'page/csp', subject: { page: 'https://www.example.com/' }, severity: 'warning' }),
      ],
      1_500,
    )
    const text = render(aState({ verdicts, lastTookMs: 250 }), '1')
    expect(samples(text).filter((line) => line.startsWith('continuation_point_check_failed'))).toEqual([
      `continuation_point_check_failed{rule="live/connect",point="${point.point}",severity="error"} 1`,
      'continuation_point_check_failed{rule="cookie/depends",cookie="sid (.example.com /)",severity="info"} 1',
      'continuation_point_check_failed{rule="page/csp",page="https://www.example.com/",severity="warning"} 1',
      `continuation_point_check_failed{rule="live/dns",point="${point.point}",severity="error"} 0`,
      'continuation_point_check_failed{rule="account/url-stale",setting="cookie_transfer_urls",severity="error"} 0',
    ])
    expect(text).toContain(
      `continuation_point_check_judged_timestamp_seconds{rule="live/dns",point="${point.point}"} 1.5\n`,
    )
    expect(text).toContain('continuation_point_monitor_last_run_duration_seconds 0.25\n')
  })

  it.each([
    ['quotes and backslashes', 'a"b\\c', 'point="a\\"b\\\\c"'],
    ['line feeds', 'a\nb', 'point="a\\nb"'],
  ])('escape %s in labels', (_what, point, expected) => {
    const { verdicts } = advance(new Map(), [aFinding({ subject: { point } })], 1)
    expect(render(aState({ verdicts }), '1')).toContain(
      `{rule="live/connect",${expected},severity="error"} 1\n`,
    )
  })

  it('never have the same series twice', () => {
    const twice = [aFinding(), aFinding({ outcome: 'pass', location: { file: 'c', pointer: '/points/1' } })]
    const { verdicts } = advance(new Map(), twice, 1)
    const names = samples(render(aState({ verdicts }), '1')).map((line) => line.replace(/ \S+$/, ''))
    expect(new Set(names).size).toBe(names.length)
  })

  it('show at most 10,000 verdicts, those that fail first, and count the rest', () => {
    const findings = Array.from({ length: 10_050 }, (_, i) =>
      aFinding({ subject: { point: `p${i}` }, outcome: i === 10_049 ? 'fail' : 'pass' }),
    )
    const { verdicts } = advance(new Map(), findings, 1)
    const lines = samples(render(aState({ verdicts }), '1'))
    const gauges = lines.filter((line) => line.startsWith('continuation_point_check_failed'))
    expect([gauges.length, gauges[0]]).toEqual([
      10_000,
      'continuation_point_check_failed{rule="live/connect",point="p10049",severity="error"} 1',
    ])
    expect(lines).toContain('continuation_point_check_left_out 50')
  })

  it('have a HELP and a TYPE for each name, in lines of their own', () => {
    const { verdicts } = advance(new Map(), [aFinding()], 1)
    const text = render(aState({ verdicts, lastTookMs: 1 }), '1')
    const names = new Set(samples(text).map((line) => line.replace(/[{ ].*$/, '')))
    for (const name of names) {
      expect(text.split(`# TYPE ${name} `)).toHaveLength(2)
      expect(text.split(`# HELP ${name} `)).toHaveLength(2)
    }
    for (const line of renderMonitorMetrics(aState({ verdicts }), '1')) expect(line).toMatch(/^[^\n]+$/)
  })
})
