import { STATUS_CODES } from 'node:http'
import { type ExchangeRecord, sourceOf } from '../proxy/exchange-record.ts'

/** What has been counted and measured. */
export interface MetricsSnapshot {
  readonly levels: Levels
  /** From the first octet of a request to the last of its response, by method, status and error. */
  readonly server: readonly Series[]
  /** From the start of a request on a connection to the head of the service's response. */
  readonly client: readonly Series[]
  /** Requests answered without the service, by reason. */
  readonly refused: Readonly<Record<string, number>>
  /** Requests by point and result, as `URL RESULT`: the class of the status, or the side that made them fail. */
  readonly points: Readonly<Record<string, number>>
  /** Log lines that were dropped or could not be written. */
  readonly lostLogLines: number
}

/** One histogram: how many observations fell into each bucket of `BOUNDS_SECONDS`, not cumulative. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly buckets: readonly number[]
  readonly sumSeconds: number
  readonly count: number
}

/** Current values of the whole process. */
export type Levels = Readonly<Record<keyof typeof LEVELS, number>>

/**
 * Starts counting requests, errors and durations. Clients choose methods and the service statuses, so few of them are
 * labels of their own, and beyond a number of label sets the others count as one, as OpenTelemetry has it.
 */
export function startMetrics() {
  const series = new Map<string, SeriesPair>()
  const refused = new Map<string, number>()
  const points = new Map<string, Map<string, number>>()

  function pairOf({ method, status, outcome }: ExchangeRecord): SeriesPair {
    const http_request_method = METHODS.has(method) ? method : '_OTHER'
    const http_response_status_code = labelStatus(status)
    const error_type = outcome === 'ok' || outcome === 'redirect' ? '' : outcome
    const key = `${http_request_method} ${http_response_status_code} ${error_type}`
    const known = series.get(key)
    if (known !== undefined) return known
    return series.size < MOST_SERIES
      ? add(key, { http_request_method, http_response_status_code, error_type })
      : (series.get('') ?? add('', OVERFLOW))
  }

  function add(key: string, labels: Series['labels']): SeriesPair {
    const pair = { server: emptySeries(labels), client: emptySeries(labels) }
    series.set(key, pair)
    return pair
  }

  return {
    /** Counts an exchange that has ended. */
    observe: (record: ExchangeRecord): void => {
      const { outcome, point, status = 0 } = record
      const pair = pairOf(record)
      observe(pair.server, record.durationMs / 1000)
      if (record.upstreamMs !== undefined) observe(pair.client, record.upstreamMs / 1000)
      const source = sourceOf(outcome)
      if (outcome !== 'client-abort' && (source === 'downstream' || source === 'proxy'))
        count(refused, outcome)
      if (point === undefined) return
      const results = points.get(point.url) ?? new Map<string, number>()
      if (!points.has(point.url)) points.set(point.url, results)
      count(results, source === 'none' ? classOf(status) : source)
    },
    snapshot: (levels: Levels, lostLogLines: number): MetricsSnapshot => ({
      levels,
      server: [...series.values()].map(({ server }) => server),
      client: [...series.values()].map(({ client }) => client).filter(({ count }) => count > 0),
      refused: Object.fromEntries(refused),
      points: Object.fromEntries(
        [...points].flatMap(([url, results]) =>
          [...results].map(([result, total]) => [`${url} ${result}`, total]),
        ),
      ),
      lostLogLines,
    }),
  }
}

/** A histogram that can be added to. */
interface OpenSeries extends Series {
  readonly buckets: number[]
  sumSeconds: number
  count: number
}

function emptySeries(labels: Series['labels']): OpenSeries {
  return { labels, buckets: BOUNDS_SECONDS.map(() => 0), sumSeconds: 0, count: 0 }
}

/** Adds one observation. */
function observe(series: OpenSeries, seconds: number): void {
  const bucket = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
  if (bucket !== -1) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
  series.sumSeconds += seconds
  series.count += 1
}

interface SeriesPair {
  readonly server: OpenSeries
  readonly client: OpenSeries
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function labelStatus(status: number | undefined): string {
  if (status === undefined) return ''
  return status in STATUS_CODES ? `${status}` : classOf(status)
}

function classOf(status: number): string {
  return CLASSES[Math.floor(status / 100)] ?? ''
}

const CLASSES = Array.from({ length: 10 }, (_, hundreds) => `${hundreds}xx`)

/** The methods that the service documents; OpenTelemetry calls all others `_OTHER`. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const OVERFLOW = { otel_metric_overflow: 'true' }
const MOST_SERIES = 250

export const LEVELS = {
  activeRequests: ['http_server_active_requests', 'Exchanges in progress.'],
  requestLimit: ['continuation_point_request_limit', 'Exchanges in progress at which the next is refused.'],
  waitingRequests: ['continuation_point_waiting_requests', 'Requests that wait for a connection.'],
  oldestWaitSeconds: ['continuation_point_oldest_wait_seconds', 'How long the oldest of them has waited.'],
  residentBytes: ['process_resident_memory_bytes', 'Resident memory of this process.'],
  heapBytes: ['v8js_memory_heap_used_bytes', 'JavaScript objects, garbage included.'],
  // 0 if the system does not say.
  openFiles: ['process_open_fds', 'Open files of this process, connections included.'],
  fileLimit: ['process_max_fds', 'How many files this process may have open.'],
  cpuSeconds: ['process_cpu_seconds_total', 'CPU time of this process.'],
} as const

/** The buckets that OpenTelemetry's semantic conventions recommend for http.server.request.duration. */
export const BOUNDS_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
