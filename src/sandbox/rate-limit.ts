/** Counts calls per address and minute. The minute of an address starts with its first call. */
export interface RateLimit {
  /** Counts a call. Returns the seconds to wait if it exceeds the limit. */
  count(address: string, nowMs: number): number | undefined
  reset(): void
}

export function openRateLimit(callsPerMinute: number): RateLimit {
  const windows = new Map<string, { readonly startMs: number; readonly calls: number }>()
  return {
    count(address, nowMs) {
      for (const [each, { startMs }] of windows) {
        if (nowMs >= startMs + MINUTE_MS || nowMs < startMs) windows.delete(each)
      }
      const { startMs, calls } = windows.get(address) ?? { startMs: nowMs, calls: 0 }
      if (calls >= callsPerMinute) return Math.ceil((startMs + MINUTE_MS - nowMs) / 1000)
      windows.set(address, { startMs, calls: calls + 1 })
      return undefined
    },
    reset: () => windows.clear(),
  }
}

const MINUTE_MS = 60_000
