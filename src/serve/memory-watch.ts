import type { Traffic } from '../proxy/traffic.ts'
import {
  exchangeBytes,
  exchangeHeapBytes,
  FEWEST_EXCHANGES,
  KERNEL_BYTES,
  type MemoryBudget,
  planConcurrency,
} from './capacity.ts'

export interface MemoryUse {
  /** All of it, as counted by the kernel. */
  readonly residentBytes: number
  /** JavaScript objects, garbage included. */
  readonly heapBytes: number
  /** Heap that V8 has reserved and not used. */
  readonly freeHeapBytes: number
}

export type MemoryState = 'enough' | 'short'

/**
 * Measures the memory of this process ten times a second and sets `traffic.ceiling` to the number of exchanges that
 * there is memory for. The ceiling holds until the next measurement, however many requests arrive in between.
 *
 * @param tell is called when memory becomes short, and when it is enough again
 */
export function watchMemory(
  budget: MemoryBudget,
  headerBytes: number,
  read: () => MemoryUse,
  traffic: Traffic,
  tell: (state: MemoryState, use: MemoryUse) => void,
) {
  let state: MemoryState = 'enough'
  let headBytes = headerBytes
  const measure = () => {
    const use = read()
    const left = exchangesLeft(use, traffic.inFlight, budget, headBytes)
    traffic.ceiling = Math.max(FEWEST_EXCHANGES, traffic.inFlight + left)
    const next = judgeMemory(state, left, planConcurrency(budget, headBytes))
    if (next === state) return
    state = next
    tell(state, use)
  }
  measure()
  const timer = setInterval(measure, MEASURE_EVERY_MS).unref()
  return {
    get state(): MemoryState {
      return state
    },
    /** Applies a new `limits.headerBytes`, which changes how much an exchange takes. */
    setHeaderBytes: (bytes: number): void => {
      headBytes = bytes
    },
    stop: (): void => clearInterval(timer),
  }
}

/**
 * How many more exchanges fit in the worst case; negative if there are too many already. 15 % stay free. Garbage alone
 * does not fill the heap that far: V8 collects at the latest halfway between the live objects and its limit.
 */
export function exchangesLeft(
  use: MemoryUse,
  inFlight: number,
  budget: MemoryBudget,
  headerBytes: number,
): number {
  const takenBytes = use.residentBytes - use.freeHeapBytes + inFlight * KERNEL_BYTES
  const memoryBytes = budget.memoryBytes * USABLE - takenBytes
  const heapBytes = budget.heapBytes * USABLE - use.heapBytes
  return Math.floor(
    Math.min(memoryBytes / exchangeBytes(headerBytes), heapBytes / exchangeHeapBytes(headerBytes)),
  )
}

/**
 * Memory is short when not one more exchange fits, and enough again when several do: a quarter of those that fit at most,
 * or a process with little room would be called short long after the last exchange.
 */
export function judgeMemory(state: MemoryState, left: number, mostThatFit: number): MemoryState {
  const enoughFrom = Math.min(ENOUGH_FROM, Math.ceil(mostThatFit / 4))
  return left >= (state === 'short' ? enoughFrom : 1) ? 'enough' : 'short'
}

const USABLE = 0.85
const ENOUGH_FROM = 32
const MEASURE_EVERY_MS = 100
