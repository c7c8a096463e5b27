import { type Levels, type MetricsSnapshot, type Series, seriesKey } from './metrics.ts'

/** Adds snapshots up: series that have the same labels, refusals that have the same reason. */
export function sumOf(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const refused: Record<string, number> = {}
  for (const [reason, count] of snapshots.flatMap((snapshot) => Object.entries(snapshot.refused))) {
    refused[reason] = (refused[reason] ?? 0) + count
  }
  return {
    levels: snapshots.map(({ levels }) => levels).reduce(addLevels, NO_LEVELS),
    server: mergeSeries(snapshots.flatMap(({ server }) => server)),
    client: mergeSeries(snapshots.flatMap(({ client }) => client)),
    refused,
  }
}

function addLevels(a: Levels, b: Levels): Levels {
  return {
    activeRequests: a.activeRequests + b.activeRequests,
    requestLimit: a.requestLimit + b.requestLimit,
    shortOfMemory: a.shortOfMemory + b.shortOfMemory,
    waitingRequests: a.waitingRequests + b.waitingRequests,
    oldestWaitSeconds: Math.max(a.oldestWaitSeconds, b.oldestWaitSeconds),
  }
}

function mergeSeries(series: readonly Series[]): readonly Series[] {
  const merged = new Map<string, Series>()
  for (const next of series) {
    const key = seriesKey(next.labels)
    const known = merged.get(key)
    merged.set(key, known === undefined ? next : plus(known, next))
  }
  return [...merged.values()]
}

function plus(a: Series, b: Series): Series {
  return {
    labels: a.labels,
    buckets: a.buckets.map((count, i) => count + (b.buckets[i] ?? 0)),
    sumSeconds: a.sumSeconds + b.sumSeconds,
    count: a.count + b.count,
  }
}

/** The levels of a process that is gone. */
export const NO_LEVELS: Levels = {
  activeRequests: 0,
  requestLimit: 0,
  shortOfMemory: 0,
  waitingRequests: 0,
  oldestWaitSeconds: 0,
}

/** The snapshot of a process that has not counted anything. */
export const NOTHING: MetricsSnapshot = { levels: NO_LEVELS, server: [], client: [], refused: {} }
