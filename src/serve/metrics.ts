import { type ExchangeRecord, sourceOf } from '../proxy/exchange-record.ts'

/** Request rate, errors and durations of one process, fed once an exchange. */
export interface Metrics {
  observe(record: ExchangeRecord): void
  snapshot(levels: Levels): MetricsSnapshot
}

/** Plain data, so that a process can hand it to another. */
export interface MetricsSnapshot {
  readonly levels: Levels
  /** From the first octet of a request to the last of its answer, by point, method, status and error. */
  readonly server: readonly Series[]
  /** From the start of a request on a connection to the head of the service's answer. */
  readonly client: readonly Series[]
  /** Requests answered without the service, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** What stands at a moment, and is gone with the process. */
export interface Levels {
  readonly activeRequests: number
  /** Most requests in flight before the next one is refused. */
  readonly requestLimit: number
  /** 1 while there is no memory for another request. */
  readonly shortOfMemory: number
  /** Requests that wait for a connection to the service. */
  readonly waitingRequests: number
  /** How long the first of them has waited. */
  readonly oldestWaitSeconds: number
}

/** One histogram: how many observations fell into each bucket of `BOUNDS_SECONDS`, not cumulative. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly buckets: readonly number[]
  readonly sumSeconds: number
  readonly count: number
}

/**
 * Starts counting. Labels come from the config, from the methods that Node's parser knows and from the failure table,
 * so no client can make their number grow.
 */
export function startMetrics(): Metrics {
  const series = new Map<string, SeriesPair>()
  const refused: Record<string, number> = {}
  return {
    observe: (record) => {
      const { outcome } = record
      const key = `${record.method} ${record.status} ${outcome} ${record.point?.url}`
      let pair = series.get(key)
      if (pair === undefined) {
        const labels = toLabels(record)
        pair = { server: emptySeries(labels), client: emptySeries(labels) }
        series.set(key, pair)
      }
      observe(pair.server, record.durationMs / 1000)
      if (record.upstreamMs !== undefined) observe(pair.client, record.upstreamMs / 1000)
      const source = sourceOf(outcome)
      if (outcome !== 'client-abort' && (source === 'downstream' || source === 'proxy')) {
        refused[outcome] = (refused[outcome] ?? 0) + 1
      }
    },
    snapshot: (levels) => ({
      levels,
      server: [...series.values()].map(({ server }) => server),
      client: [...series.values()].map(({ client }) => client).filter(({ count }) => count > 0),
      refused,
    }),
  }
}

/** The advice of OpenTelemetry's semantic conventions for http.server.request.duration. */
export const BOUNDS_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/** What identifies a series. */
export function seriesKey(labels: Series['labels']): string {
  return Object.values(labels).join('\u0000')
}

interface OpenSeries extends Series {
  readonly buckets: number[]
  sumSeconds: number
  count: number
}

interface SeriesPair {
  readonly server: OpenSeries
  readonly client: OpenSeries
}

function emptySeries(labels: Series['labels']): OpenSeries {
  return { labels, buckets: BOUNDS_SECONDS.map(() => 0), sumSeconds: 0, count: 0 }
}

function observe(series: OpenSeries, seconds: number): void {
  const bucket = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
  if (bucket !== -1) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
  series.sumSeconds += seconds
  series.count += 1
}

function toLabels({ method, status, outcome, point }: ExchangeRecord): Series['labels'] {
  return {
    http_request_method: method,
    http_response_status_code: String(status ?? ''),
    point: point?.url ?? '',
    error_type: outcome === 'ok' || outcome === 'redirect' ? '' : outcome,
  }
}
