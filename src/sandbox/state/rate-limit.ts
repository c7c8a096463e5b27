/** Counts calls per address and minute. The minute of an address starts with its first call. */
export function openRateLimit(callsPerMinute: number) {
  const windows = new Map<string, { readonly startMs: number; readonly calls: number }>()
  return {
    /** Counts a call. Returns the seconds to wait if it exceeds the limit. */
    count(address: string, nowMs: number): number | undefined {
      for (const [each, { startMs }] of windows) {
        if (nowMs >= startMs + MINUTE_MS || nowMs < startMs) windows.delete(each)
      }
      const { startMs, calls } = windows.get(address) ?? { startMs: nowMs, calls: 0 }
      if (calls >= callsPerMinute) return Math.ceil((startMs + MINUTE_MS - nowMs) / 1000)
      windows.set(address, { startMs, calls: calls + 1 })
      return undefined
    },
  }
}

const MINUTE_MS = 60_000
