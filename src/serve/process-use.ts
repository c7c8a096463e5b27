import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks'
import { emptySeries, type OpenSeries, observe, type Series } from './series.ts'

/** What this process has used since it started. */
export interface ProcessUse {
  readonly cpuSeconds: number
  /** Time in which the event loop was active, and idle. */
  readonly loopActiveSeconds: number
  readonly loopIdleSeconds: number
  /** Garbage collections, by kind. */
  readonly collections: readonly Series[]
}

export function watchProcess(readCpuSeconds: () => number) {
  const byKind = new Map<string, OpenSeries>()
  const collections = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = KINDS[kindOf(entry)] ?? 'other'
      const series = byKind.get(kind) ?? emptySeries({ v8js_gc_type: kind })
      byKind.set(kind, series)
      observe(series, entry.duration / 1_000)
    }
  })
  collections.observe({ entryTypes: ['gc'] })
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return {
    use: (): ProcessUse => {
      const { active, idle } = performance.eventLoopUtilization()
      return {
        cpuSeconds: readCpuSeconds(),
        loopActiveSeconds: active / 1_000,
        loopIdleSeconds: idle / 1_000,
        collections: [...byKind.values()],
      }
    },
    /** The longest delay of a due timer since the last call. */
    takeLoopDelaySeconds: (): number => {
      // The histogram holds the time between two ticks of its timer.
      const longestMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
      delay.reset()
      return longestMs / 1_000
    },
    stop: (): void => {
      collections.disconnect()
      delay.disable()
    },
  }
}

function kindOf(entry: PerformanceEntry): number {
  const detail = 'detail' in entry ? entry.detail : undefined
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? Number(detail.kind) : 0
}

const KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}
const RESOLUTION_MS = 20
