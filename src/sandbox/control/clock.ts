/** The stand-in's time, which a test may change. All life cycles use it. */
export interface Clock {
  nowMs(): number
  isFrozen(): boolean
  /** Applies in this order: `nowMs`, `advanceMs`, `frozen`. */
  set(change: ClockChange): void
  /** Back to the real time. */
  reset(): void
}

export interface ClockChange {
  /** Milliseconds since the epoch. */
  readonly nowMs?: number | undefined
  readonly advanceMs?: number | undefined
  readonly frozen?: boolean | undefined
}

/** @param realMs the real time, in milliseconds since the epoch */
export function startClock(realMs: () => number): Clock {
  let offsetMs = 0
  let frozenAtMs: number | undefined
  const nowMs = () => frozenAtMs ?? realMs() + offsetMs
  return {
    nowMs,
    isFrozen: () => frozenAtMs !== undefined,
    set(change) {
      const isFrozen = change.frozen ?? frozenAtMs !== undefined
      const targetMs = (change.nowMs ?? nowMs()) + (change.advanceMs ?? 0)
      offsetMs = targetMs - realMs()
      frozenAtMs = isFrozen ? targetMs : undefined
    },
    reset() {
      offsetMs = 0
      frozenAtMs = undefined
    },
  }
}
