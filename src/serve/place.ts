import type { MetricsSnapshot } from './metrics.ts'
import { NO_LEVELS, NOTHING, sumOf } from './metrics-sum.ts'

/** Where workers serve one after another, each taking over from the one that died, with what they counted. */
export interface Place {
  /** Counters of the dead. */
  readonly past: MetricsSnapshot
  /** What the one that serves here said last; none serves here when it is `undefined`. */
  readonly latest: MetricsSnapshot | undefined
}

/** A place nobody served in so far. */
export function emptyPlace(): Place {
  return { past: NOTHING, latest: undefined }
}

/** A new worker serves here; it has not counted anything yet. */
export function occupy(place: Place): Place {
  return { ...place, latest: NOTHING }
}

/** Keeps the counters of a worker that is gone; what it had under way is gone with it. */
export function vacate({ past, latest }: Place): Place {
  return latest === undefined
    ? { past, latest }
    : { past: { ...sumOf([past, latest]), levels: NO_LEVELS }, latest: undefined }
}

/**
 * What all of them counted. It never falls when a worker dies: Prometheus takes a smaller counter for a restart from
 * zero. That needs the same order of addition at any time, or the last bit of a sum may fall; so the first snapshot
 * carries everything.
 *
 * @returns one snapshot for each worker that serves
 */
export function toSnapshots(places: readonly Place[]): readonly MetricsSnapshot[] {
  const serving = places.filter(({ latest }) => latest !== undefined)
  const total = sumOf(places.map((place) => sumOf([place.past, place.latest ?? NOTHING])))
  return serving.map((_, i) => (i === 0 ? total : NOTHING))
}
