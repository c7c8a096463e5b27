import { type ExchangeRecord, sourceOf } from '../proxy/exchange-record.ts'
import type { ProcessUse } from './process-use.ts'
import { emptySeries, type OpenSeries, observe, type Series } from './series.ts'

/** Request rate, errors and durations of one process, updated once for each exchange. */
export interface Metrics {
  observe(record: ExchangeRecord): void
  snapshot(levels: Levels, process: ProcessUse): MetricsSnapshot
}

/** Plain data, so that it can be sent to another process. */
export interface MetricsSnapshot {
  readonly levels: Levels
  readonly process: ProcessUse
  /** From the first octet of a request to the last of its response, by point, method, status and error. */
  readonly server: readonly Series[]
  /** From the start of a request on a connection to the head of the service's response. */
  readonly client: readonly Series[]
  /** Requests answered without the service, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** Current values, which end with the process, unlike counters. */
export interface Levels {
  readonly activeRequests: number
  /** Requests in flight at which the next one is refused. */
  readonly requestLimit: number
  /** 1 while there is not enough memory for another request. */
  readonly shortOfMemory: number
  /** Requests that wait for a connection to the service. */
  readonly waitingRequests: number
  /** How long the first of them has waited. */
  readonly oldestWaitSeconds: number
  readonly residentBytes: number
  readonly heapBytes: number
  /** Connections and other files; 0 if the system does not say. */
  readonly openFiles: number
  /** How many it may have; 0 if the system does not say. */
  readonly fileLimit: number
  /** The longest delay of a due timer since the last snapshot. */
  readonly loopDelaySeconds: number
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
    snapshot: (levels, process) => ({
      levels,
      process,
      server: [...series.values()].map(({ server }) => server),
      client: [...series.values()].map(({ client }) => client).filter(({ count }) => count > 0),
      refused,
    }),
  }
}

interface SeriesPair {
  readonly server: OpenSeries
  readonly client: OpenSeries
}

function toLabels({ method, status, outcome, point }: ExchangeRecord): Series['labels'] {
  return {
    http_request_method: method,
    http_response_status_code: String(status ?? ''),
    point: point?.url ?? '',
    error_type: outcome === 'ok' || outcome === 'redirect' ? '' : outcome,
  }
}
