import { braced, renderFamily, renderHead } from './exposition.ts'
import type { MetricsSnapshot } from './metrics.ts'
import { sumOf } from './metrics-sum.ts'
import { BOUNDS_SECONDS, type Series } from './series.ts'

/**
 * The Prometheus text exposition format, version 0.0.4, of one or several processes added up. Names are those of
 * OpenTelemetry's HTTP metrics as its Prometheus exporter writes them.
 */
export function renderMetrics(snapshots: readonly MetricsSnapshot[], versions: readonly string[]): string {
  const { server, client, levels, refused, process: use } = sumOf(snapshots)
  return [
    ...renderHistogram('http_server_request_duration_seconds', 'Duration of exchanges with clients.', server),
    ...renderHistogram(
      'http_client_request_duration_seconds',
      'Wait for the head of the service’s response.',
      client,
    ),
    ...renderGauge('http_server_active_requests', 'Exchanges in progress.', levels.activeRequests),
    ...renderGauge(
      'continuation_point_request_limit',
      'Exchanges in progress at which the next request is refused.',
      levels.requestLimit,
    ),
    ...renderGauge(
      'continuation_point_memory_short',
      'Processes whose memory has no room for another request.',
      levels.shortOfMemory,
    ),
    ...renderGauge(
      'continuation_point_waiting_requests',
      'Requests that wait for a connection to the service.',
      levels.waitingRequests,
    ),
    ...renderGauge(
      'continuation_point_oldest_wait_seconds',
      'How long the oldest waiting request has waited.',
      levels.oldestWaitSeconds,
    ),
    ...renderHead(
      'continuation_point_refused_requests_total',
      'counter',
      'Requests answered without the service.',
    ),
    ...Object.entries(refused).map(
      ([reason, count]) => `continuation_point_refused_requests_total${braced({ reason })} ${count}`,
    ),
    ...renderGauge('continuation_point_workers', 'Processes that forward requests.', snapshots.length),
    ...renderFamily(
      'process_cpu_seconds_total',
      'counter',
      'CPU time of the processes that forward requests.',
      [{ labels: {}, value: use.cpuSeconds }],
    ),
    ...renderGauge(
      'process_resident_memory_bytes',
      'Resident memory of the processes that forward requests.',
      levels.residentBytes,
    ),
    ...renderFamily(
      'process_open_fds',
      'gauge',
      'Open files of these processes, connections included.',
      levels.fileLimit === 0 ? [] : [{ labels: {}, value: levels.openFiles }],
    ),
    ...renderFamily(
      'process_max_fds',
      'gauge',
      'How many files these processes may have open.',
      levels.fileLimit === 0 ? [] : [{ labels: {}, value: levels.fileLimit }],
    ),
    ...renderGauge('v8js_memory_heap_used_bytes', 'JavaScript objects, garbage included.', levels.heapBytes),
    ...renderHistogram('v8js_gc_duration_seconds', 'Duration of garbage collections.', use.collections),
    ...renderFamily(
      'nodejs_eventloop_time_seconds_total',
      'counter',
      'Time in which the event loops were active or idle.',
      [
        { labels: { nodejs_eventloop_state: 'active' }, value: use.loopActiveSeconds },
        { labels: { nodejs_eventloop_state: 'idle' }, value: use.loopIdleSeconds },
      ],
    ),
    ...renderGauge(
      'nodejs_eventloop_delay_max_seconds',
      'The longest that a due timer had to wait since the last scrape.',
      levels.loopDelaySeconds,
    ),
    ...renderFamily(
      'continuation_point_build_info',
      'gauge',
      'The running version, and the next while workers are replaced.',
      versions.map((version) => ({ labels: { version }, value: 1 })),
    ),
    '',
  ].join('\n')
}

/** How many workers had to be restarted, since they died or did not answer. */
export function renderRestarts(restarts: Readonly<Record<'died' | 'unresponsive', number>>): string {
  const lines = renderFamily(
    'continuation_point_worker_restarts_total',
    'counter',
    'Workers that died, or were killed because they did not answer.',
    Object.entries(restarts).map(([reason, value]) => ({ labels: { reason }, value })),
  )
  return `${lines.join('\n')}\n`
}

function renderGauge(name: string, help: string, value: number): readonly string[] {
  return renderFamily(name, 'gauge', help, [{ labels: {}, value }])
}

function renderHistogram(name: string, help: string, series: readonly Series[]): string[] {
  const lines = renderHead(name, 'histogram', help)
  for (const { labels, buckets, sumSeconds, count } of series) {
    let cumulative = 0
    for (const [i, bound] of BOUNDS_SECONDS.entries()) {
      cumulative += buckets[i] ?? 0
      lines.push(`${name}_bucket${braced({ ...labels, le: String(bound) })} ${cumulative}`)
    }
    lines.push(`${name}_bucket${braced({ ...labels, le: '+Inf' })} ${count}`)
    lines.push(`${name}_sum${braced(labels)} ${sumSeconds}`, `${name}_count${braced(labels)} ${count}`)
  }
  return lines
}
