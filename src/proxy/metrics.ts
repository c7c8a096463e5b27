import type { ExchangeRecord, Traffic } from './exchange.ts'
import { sourceOf } from './exchange.ts'

/** What the metrics endpoint shows, and how it is fed. */
export interface Metrics {
  observe(record: ExchangeRecord): void
  /** The Prometheus text exposition format, version 0.0.4. */
  render(traffic: Traffic): string
}

/**
 * Request rate, errors and durations by point, with the names of OpenTelemetry's HTTP metrics as its Prometheus
 * exporter writes them. Labels come from the config, from the methods that Node's parser knows and from the failure
 * table, so no client can make their number grow.
 */
export function startMetrics(version: string): Metrics {
  const server = histogram()
  const client = histogram()
  const refused = new Map<string, number>()
  return {
    observe: (record) => {
      const point = record.point?.url ?? ''
      const labels = {
        http_request_method: record.method,
        http_response_status_code: String(record.status ?? ''),
        point,
        error_type: record.outcome === 'ok' || record.outcome === 'redirect' ? '' : record.outcome,
      }
      observe(server, labels, record.durationMs / 1000)
      if (record.upstreamMs !== undefined) {
        const { http_request_method, http_response_status_code } = labels
        observe(client, { http_request_method, http_response_status_code, point }, record.upstreamMs / 1000)
      }
      const source = sourceOf(record.outcome)
      if (source === 'downstream' || source === 'proxy') increment(refused, record.outcome)
    },
    render: (traffic) =>
      [
        ...renderHistogram(
          'http_server_request_duration_seconds',
          'Duration of exchanges with clients.',
          server,
        ),
        ...renderHistogram(
          'http_client_request_duration_seconds',
          'Time to the head of the service’s answer.',
          client,
        ),
        '# HELP http_server_active_requests Exchanges under way.',
        '# TYPE http_server_active_requests gauge',
        `http_server_active_requests ${traffic.inFlight}`,
        '# HELP continuation_point_refused_requests_total Requests answered without the service, by reason.',
        '# TYPE continuation_point_refused_requests_total counter',
        ...[...refused].map(
          ([reason, count]) => `continuation_point_refused_requests_total${labelled({ reason })} ${count}`,
        ),
        '# HELP continuation_point_build_info The running version.',
        '# TYPE continuation_point_build_info gauge',
        `continuation_point_build_info${labelled({ version })} 1`,
        '',
      ].join('\n'),
  }
}

type Labels = Readonly<Record<string, string>>

interface Series {
  readonly labels: Labels
  readonly buckets: number[]
  sum: number
  count: number
}

type Histogram = Map<string, Series>

function histogram(): Histogram {
  return new Map()
}

function observe(series: Histogram, labels: Labels, seconds: number): void {
  const key = Object.values(labels).join('\u0000')
  let entry = series.get(key)
  if (entry === undefined) {
    entry = { labels, buckets: BOUNDS_SECONDS.map(() => 0), sum: 0, count: 0 }
    series.set(key, entry)
  }
  const bucket = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
  if (bucket !== -1) entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + 1
  entry.sum += seconds
  entry.count += 1
}

function increment(counters: Map<string, number>, key: string): void {
  counters.set(key, (counters.get(key) ?? 0) + 1)
}

function renderHistogram(name: string, help: string, series: Histogram): string[] {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
  for (const { labels, buckets, sum, count } of series.values()) {
    let cumulative = 0
    for (const [i, bound] of BOUNDS_SECONDS.entries()) {
      cumulative += buckets[i] ?? 0
      lines.push(`${name}_bucket${labelled({ ...labels, le: String(bound) })} ${cumulative}`)
    }
    lines.push(`${name}_bucket${labelled({ ...labels, le: '+Inf' })} ${count}`)
    lines.push(`${name}_sum${labelled(labels)} ${sum}`, `${name}_count${labelled(labels)} ${count}`)
  }
  return lines
}

/** Empty labels are left out: to Prometheus they are the same as absent ones. */
function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '')
  return `{${pairs.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
}

/** The advice of OpenTelemetry's semantic conventions for http.server.request.duration. */
const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
