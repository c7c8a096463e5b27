import { startMetrics } from '../../src/serve/metrics.ts'
import { renderMetrics } from '../../src/serve/metrics-text.ts'
import { aRecord, FACTS, NO_LEVELS } from '../serve/a-record.ts'

/** What `/metrics` says after one exchange that failed and one that was refused. */
export function expose(): Iterable<string> {
  const metrics = startMetrics()
  const record = aRecord({ status: 502, outcome: 'upstream-refused' })
  metrics.observe(record)
  metrics.observe({ ...record, outcome: 'overloaded' })
  const snapshot = metrics.snapshot({ ...NO_LEVELS, fileLimit: 1 }, 0)
  return renderMetrics(snapshot, {
    ...FACTS,
    points: ['https://www.example.com/service_cookie_transfer/'],
  })
}
