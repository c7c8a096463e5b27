import type { Traffic } from '../proxy/exchange.ts'
import { exchangeBytes, exchangeHeapBytes, FEWEST_EXCHANGES, KERNEL_BYTES, type Room } from './capacity.ts'

/** What a process takes of its memory. */
export interface MemoryUse {
  /** All of it, as the kernel counts. */
  readonly residentBytes: number
  /** Objects, with those that nobody has collected yet. */
  readonly heapBytes: number
  /** What V8 holds for objects to come. */
  readonly freeHeapBytes: number
}

export type MemoryState = 'enough' | 'short'

/** Who watches the memory of a process. */
export interface MemoryWatch {
  readonly state: MemoryState
  /** Heads of another size take other room. */
  setHeaderBytes(headerBytes: number): void
  stop(): void
}

/**
 * Looks at the memory of this process ten times a second, and says up to how many exchanges in flight it lasts. Until
 * the next look nothing else needs to be known, however many requests arrive in between.
 *
 * @param tell is called when it becomes short, and when it is enough again
 */
export function watchMemory(
  room: Room,
  headerBytes: number,
  read: () => MemoryUse,
  traffic: Traffic,
  tell: (state: MemoryState, use: MemoryUse) => void,
): MemoryWatch {
  let state: MemoryState = 'enough'
  let headBytes = headerBytes
  const look = () => {
    const use = read()
    const left = exchangesLeft(use, traffic.inFlight, room, headBytes)
    traffic.ceiling = Math.max(FEWEST_EXCHANGES, traffic.inFlight + left)
    const next = judgeMemory(state, left)
    if (next === state) return
    state = next
    tell(state, use)
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    get state() {
      return state
    },
    setHeaderBytes: (bytes) => {
      headBytes = bytes
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * How many more exchanges there is room for, at their worst; negative when there are too many already. 15 % stay free.
 * Garbage alone does not fill the heap that far: V8 collects at the latest halfway between what was alive and its limit.
 */
export function exchangesLeft(use: MemoryUse, inFlight: number, room: Room, headerBytes: number): number {
  const takenBytes = use.residentBytes - use.freeHeapBytes + inFlight * KERNEL_BYTES
  const memoryBytes = room.memoryBytes * USABLE - takenBytes
  const heapBytes = room.heapBytes * USABLE - use.heapBytes
  return Math.floor(
    Math.min(memoryBytes / exchangeBytes(headerBytes), heapBytes / exchangeHeapBytes(headerBytes)),
  )
}

/** Short means that there is room for nobody; it is over when there is room for several. */
export function judgeMemory(state: MemoryState, left: number): MemoryState {
  return left >= (state === 'short' ? ENOUGH_FROM : 1) ? 'enough' : 'short'
}

const USABLE = 0.85
const ENOUGH_FROM = 32
const LOOK_EVERY_MS = 100
