/** One histogram: how many observations fell into each bucket of `BOUNDS_SECONDS`, not cumulative. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly buckets: readonly number[]
  readonly sumSeconds: number
  readonly count: number
}

/** A histogram that can be added to. */
export interface OpenSeries extends Series {
  readonly buckets: number[]
  sumSeconds: number
  count: number
}

export function emptySeries(labels: Series['labels']): OpenSeries {
  return { labels, buckets: BOUNDS_SECONDS.map(() => 0), sumSeconds: 0, count: 0 }
}

/** Adds one observation. */
export function observe(series: OpenSeries, seconds: number): void {
  const bucket = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
  if (bucket !== -1) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
  series.sumSeconds += seconds
  series.count += 1
}

/** The buckets that OpenTelemetry's semantic conventions recommend for http.server.request.duration. */
export const BOUNDS_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]
