/** What decides when the next run starts. */
export interface Timing {
  /** From the start of one run to the start of the next. */
  readonly everyMs: number
  /** How long the last run took. */
  readonly tookMs: number
  /** From 0 to 1. */
  readonly random: number
}

/**
 * How long to wait for the next run. Starts are `everyMs` apart, give or take a tenth: monitors that were started
 * together must not go on asking together. A run that took longer than that delays the next, and after each there is a
 * pause of at least a tenth of the interval.
 */
export function toWaitMs({ everyMs, tookMs, random }: Timing): number {
  const apartMs = everyMs * (1 + SPREAD * (2 * random - 1))
  return Math.round(Math.max(apartMs - tookMs, everyMs * SHORTEST_PAUSE))
}

const SPREAD = 0.1
const SHORTEST_PAUSE = 0.1
