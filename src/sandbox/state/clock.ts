export interface ClockChange {
  /** Milliseconds since the epoch. */
  readonly nowMs?: number | undefined
  readonly advanceMs?: number | undefined
  readonly frozen?: boolean | undefined
}

/** The stand-in's time, which a test may change. All life cycles use it. */
export type Clock = ReturnType<typeof startClock>

/** @param realMs the real time, in milliseconds since the epoch */
export function startClock(realMs: () => number) {
  let offsetMs = 0
  let frozenAtMs: number | undefined
  const nowMs = () => frozenAtMs ?? realMs() + offsetMs
  return {
    nowMs,
    isFrozen: () => frozenAtMs !== undefined,
    /** Applies in this order: `nowMs`, `advanceMs`, `frozen`. */
    set(change: ClockChange): void {
      const isFrozen = change.frozen ?? frozenAtMs !== undefined
      const targetMs = (change.nowMs ?? nowMs()) + (change.advanceMs ?? 0)
      offsetMs = targetMs - realMs()
      frozenAtMs = isFrozen ? targetMs : undefined
    },
  }
}
