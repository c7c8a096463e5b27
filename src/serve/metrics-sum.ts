import { LEVELS, type Levels, type MetricsSnapshot } from './metrics.ts'
import type { ProcessUse } from './process-use.ts'
import { emptySeries, type Series } from './series.ts'

/** Adds snapshots up: series with the same labels, counts with the same key. */
export function sumOf(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  return {
    levels: snapshots.map(({ levels }) => levels).reduce(addLevels, NO_LEVELS),
    process: snapshots.map(({ process }) => process).reduce(addUses, NO_USE),
    server: mergeSeries(snapshots.flatMap(({ server }) => server)),
    client: mergeSeries(snapshots.flatMap(({ client }) => client)),
    refused: addCounts(snapshots.map(({ refused }) => refused)),
    points: addCounts(snapshots.map(({ points }) => points)),
    lostLogLines: snapshots.reduce((sum, { lostLogLines }) => sum + lostLogLines, 0),
  }
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const [key, count] of all.flatMap(Object.entries<number>)) sums[key] = (sums[key] ?? 0) + count
  return sums
}

function addLevels(a: Levels, b: Levels): Levels {
  const sum: Record<keyof Levels, number> = { ...a }
  for (const level of Object.keys(NO_LEVELS) as (keyof Levels)[]) {
    sum[level] = OF_THE_WORST.has(level) ? Math.max(a[level], b[level]) : a[level] + b[level]
  }
  return sum
}

function addUses(a: ProcessUse, b: ProcessUse): ProcessUse {
  return {
    cpuSeconds: addSeconds(a.cpuSeconds, b.cpuSeconds),
    loopActiveSeconds: addSeconds(a.loopActiveSeconds, b.loopActiveSeconds),
    loopIdleSeconds: addSeconds(a.loopIdleSeconds, b.loopIdleSeconds),
    collections: mergeSeries([...a.collections, ...b.collections]),
  }
}

function mergeSeries(series: readonly Series[]): readonly Series[] {
  const merged = new Map<string, Series>()
  for (const next of series) {
    const key = Object.values(next.labels).join('\u0000')
    merged.set(key, plus(merged.get(key) ?? emptySeries(next.labels), next))
  }
  return [...merged.values()]
}

function plus(a: Series, b: Series): Series {
  return {
    labels: a.labels,
    buckets: a.buckets.map((count, i) => count + (b.buckets[i] ?? 0)),
    sumSeconds: addSeconds(a.sumSeconds, b.sumSeconds),
    count: a.count + b.count,
  }
}

/**
 * In whole microseconds, so that a sum is the same in any order: Prometheus takes a counter that is smaller by one bit for a
 * reset.
 */
function addSeconds(a: number, b: number): number {
  return (Math.round(a * 1e6) + Math.round(b * 1e6)) / 1e6
}

/** For these the worst process counts, not the sum. */
const OF_THE_WORST: ReadonlySet<keyof Levels> = new Set(['oldestWaitSeconds', 'loopDelaySeconds'])

/** The levels of a process that has ended. */
export const NO_LEVELS = Object.fromEntries(Object.keys(LEVELS).map((level) => [level, 0])) as Levels

const NO_USE: ProcessUse = { cpuSeconds: 0, loopActiveSeconds: 0, loopIdleSeconds: 0, collections: [] }

/** The snapshot of a process that has counted nothing. */
export const NOTHING: MetricsSnapshot = {
  levels: NO_LEVELS,
  process: NO_USE,
  server: [],
  client: [],
  refused: {},
  points: {},
  lostLogLines: 0,
}
