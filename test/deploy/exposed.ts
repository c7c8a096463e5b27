import { renderMonitorMetrics } from '../../src/monitor/metrics-text.ts'
import { advance } from '../../src/monitor/verdicts.ts'
import { startMetrics } from '../../src/serve/metrics.ts'
import { renderMetrics } from '../../src/serve/metrics-text.ts'
import { aFinding } from '../check/a-finding.ts'
import { aRecord, FACTS, NO_LEVELS } from '../serve/a-record.ts'

/** What `/metrics` says after one exchange that failed and one that was refused. */
export function expose(): Iterable<string> {
  const metrics = startMetrics('overall')
  const record = aRecord({ status: 502, outcome: 'upstream-refused' })
  metrics.observe(record)
  metrics.observe({ ...record, outcome: 'overloaded' })
  const snapshot = metrics.snapshot({ ...NO_LEVELS, fileLimit: 1 }, 0)
  return renderMetrics(snapshot, {
    ...FACTS,
    points: ['https://www.example.com/service_cookie_transfer/'],
  })
}

/** What `/metrics` of a monitor says that found something wrong with each kind of subject. */
export function exposeMonitor(): Iterable<string> {
  const subjects = [
    { point: 'p' },
    { page: 'p' },
    { setting: 's' },
    { cookie: { name: 'sid', domain: 'a.example', path: '/' } },
  ]
  const findings = subjects.map((subject) => aFinding({ subject }))
  const run = { count: 1, lastAtMs: 1 }
  return renderMonitorMetrics(
    {
      verdicts: advance(new Map(), findings, 1).verdicts,
      runs: { pass: run, fail: run, inconclusive: run, crashed: run },
      lastTookMs: 1,
      calls: { delivered: 1, failed: 1 },
      everyMs: 1,
    },
    '1.0.0',
  )
}
