import { FAILURES } from '../forward/failure.ts'
import { renderFamily, renderHead, renderLabels, type Sample } from '../text/exposition.ts'
import { BOUNDS_SECONDS, LEVELS, type Levels, type MetricsSnapshot, type Series } from './metrics.ts'
import type { ConfigLoads } from './reloading.ts'

/** What the page of metrics says beside the counters. */
export interface Facts {
  /** The version of the package. */
  readonly version: string
  /** The URLs of the points in force. */
  readonly points: readonly string[]
  readonly loads: ConfigLoads
  /** The release of Node. */
  readonly node: string
}

/**
 * The Prometheus text exposition format, version 0.0.4, in lines. Names are those of OpenTelemetry's HTTP metrics.
 */
export function* renderMetrics(
  snapshot: MetricsSnapshot,
  { version, points: urls, loads, node }: Facts,
): Iterable<string> {
  const { server, client, levels, refused, points } = snapshot
  yield* renderHistogram(
    'http_server_request_duration_seconds',
    'Duration of exchanges with clients.',
    server,
  )
  yield* renderHistogram('http_client_request_duration_seconds', 'Wait for the head of a response.', client)
  for (const [level, [name, help]] of Object.entries(LEVELS)) {
    if (levels.fileLimit > 0 || !name.endsWith('_fds'))
      yield* renderFamily(name, help, levels[level as keyof Levels])
  }
  yield* renderFamily(
    'continuation_point_requests_total',
    'Requests of each point by the class of their status, or by the side that made them fail.',
    Object.entries({ ...nothingAt(urls), ...points }).map(toPointSample),
  )
  yield* renderFamily(
    'continuation_point_refused_requests_total',
    'Requests answered without the service.',
    Object.entries({ ...NONE_REFUSED, ...refused }).map(([reason, value]) => ({ labels: { reason }, value })),
  )
  yield* renderFamily(
    'continuation_point_log_lines_lost_total',
    'Log lines that could not be written, or were dropped because their reader stalled.',
    snapshot.lostLogLines,
  )
  yield* renderFamily('continuation_point_build_info', 'The running version, and that of Node.', [
    { labels: { version, node }, value: 1 },
  ])
  yield* renderConfigLoads(loads)
}

/** Metrics with the names that Prometheus uses for its own config. */
function* renderConfigLoads({ last, loadedAtMs, refusals }: ConfigLoads): Iterable<string> {
  yield* renderFamily(
    'continuation_point_config_last_reload_successful',
    'Whether the last attempt to load the config succeeded.',
    last === 'loaded' ? 1 : 0,
  )
  yield* renderFamily(
    'continuation_point_config_last_reload_success_timestamp_seconds',
    'When the config in force was loaded.',
    loadedAtMs / 1000,
  )
  yield* renderFamily(
    'continuation_point_config_reload_failures_total',
    'Reloads that were refused; the old config stayed in force.',
    refusals,
  )
}

function* renderHistogram(name: string, help: string, series: readonly Series[]): Iterable<string> {
  yield* renderHead(name, 'histogram', help)
  for (const { labels, buckets, sumSeconds, count } of series) {
    const pairs = renderLabels(labels)
    let cumulative = 0
    const lines = BOUNDS_SECONDS.map((bound, i) => {
      cumulative += buckets[i] ?? 0
      return `${name}_bucket{${pairs},le="${bound}"} ${cumulative}`
    })
    // All at once: the counts go on while the page is sent.
    lines.push(`${name}_bucket{${pairs},le="+Inf"} ${count}`)
    lines.push(`${name}_sum{${pairs}} ${sumSeconds}`, `${name}_count{${pairs}} ${count}`)
    yield lines.join('\n')
  }
}

function toPointSample([key, value]: readonly [string, number]): Sample {
  const [point = '', result = ''] = key.split(' ')
  return { labels: { point, result }, value }
}

/** All results of each point at 0: a counter that appears with its first request hides that request from `rate`. */
function nothingAt(urls: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(urls.flatMap((url) => RESULTS.map((result) => [`${url} ${result}`, 0])))
}

const RESULTS = ['2xx', '3xx', '4xx', '5xx', 'upstream', 'downstream', 'proxy'] as const

/** Every reason of a refusal at 0, likewise. */
const NONE_REFUSED: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(FAILURES).flatMap(([kind, { source }]) => (source === 'upstream' ? [] : [[kind, 0]])),
)
