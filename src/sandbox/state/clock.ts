import { boolean, integer, optional, timestamp, type ValuesOf } from '../schema/schema.ts'

/** A change of the time, in milliseconds. */
export const clockMembers = {
  now: optional(timestamp),
  advanceMs: optional(integer(0, 100 * 366 * 86_400_000)),
  frozen: optional(boolean),
} as const

/** The stand-in's time, which a test may change. All life cycles use it. */
export function startClock(realMs: () => number) {
  let offsetMs = 0
  let frozenAtMs: number | undefined
  const nowMs = () => frozenAtMs ?? realMs() + offsetMs
  return {
    nowMs,
    isFrozen: () => frozenAtMs !== undefined,
    /** Applies in this order: `now`, `advanceMs`, `frozen`. */
    set(change: ValuesOf<typeof clockMembers>): void {
      const isFrozen = change.frozen ?? frozenAtMs !== undefined
      const targetMs = (change.now ?? nowMs()) + (change.advanceMs ?? 0)
      offsetMs = targetMs - realMs()
      frozenAtMs = isFrozen ? targetMs : undefined
    },
  }
}
