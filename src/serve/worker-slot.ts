import type { MetricsSnapshot } from './metrics.ts'
import { NO_LEVELS, NOTHING, sumOf } from './metrics-sum.ts'

/** One of the `workers` processes, through all its restarts, with its counters. */
export interface WorkerSlot {
  /** Counters of the workers that ended. */
  readonly past: MetricsSnapshot
  /** Last snapshot of the running worker; `undefined` if none runs. */
  readonly latest: MetricsSnapshot | undefined
}

export function emptySlot(): WorkerSlot {
  return { past: NOTHING, latest: undefined }
}

/** A new worker starts; its counters are zero. */
export function occupy(slot: WorkerSlot): WorkerSlot {
  return { ...slot, latest: NOTHING }
}

/** The worker has ended: keeps its counters and drops its current values. */
export function vacate({ past, latest }: WorkerSlot): WorkerSlot {
  return latest === undefined
    ? { past, latest }
    : { past: { ...sumOf([past, latest]), levels: NO_LEVELS }, latest: undefined }
}

/**
 * The sum of all counters. It must not decrease when a worker dies, since Prometheus takes a smaller counter for a
 * reset. Rounding depends on the order of addition, so the order stays the same: the first snapshot holds the whole
 * sum.
 *
 * @returns one snapshot for each running worker
 */
export function addUp(slots: readonly WorkerSlot[]): readonly MetricsSnapshot[] {
  const running = slots.filter(({ latest }) => latest !== undefined)
  const total = sumOf(slots.map((slot) => sumOf([slot.past, slot.latest ?? NOTHING])))
  return running.map((_, i) => (i === 0 ? total : NOTHING))
}
