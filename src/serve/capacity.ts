import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { MOST_EXCHANGES } from '../proxy/settings.ts'

/** The memory of a process that forwards requests. */
export interface MemoryBudget {
  /** All of it, as counted by the kernel. */
  readonly memoryBytes: number
  /** The part for JavaScript objects. */
  readonly heapBytes: number
}

/**
 * The config with the number of exchanges that may be in flight: what fits into the memory in place of `auto`, and at most
 * three quarters of the client connections, so that the others can be idle, and give way to new ones.
 */
export function fitExchanges(
  resolved: ResolvedConfig,
  budget: MemoryBudget,
  clientConnections: number,
): ResolvedConfig {
  const { config } = resolved
  const { limits } = config
  const chosen =
    limits.concurrentRequests === 'auto'
      ? planConcurrency(budget, limits.headerBytes)
      : limits.concurrentRequests
  const concurrentRequests = Math.min(chosen, Math.max(1, Math.floor((clientConnections * 3) / 4)))
  return { ...resolved, config: { ...config, limits: { ...limits, concurrentRequests } } }
}

/**
 * How many exchanges fit in the worst case: a request head of the largest size, an upload, and a service that reads none
 * of it. At least 16, at most 1024.
 */
export function planConcurrency({ memoryBytes, heapBytes }: MemoryBudget, headerBytes: number): number {
  const inHeap = (heapBytes * USABLE - IDLE_HEAP_BYTES) / exchangeHeapBytes(headerBytes)
  const inMemory = (memoryBytes * USABLE - IDLE_BYTES) / exchangeBytes(headerBytes)
  return Math.max(FEWEST_EXCHANGES, Math.min(MOST_EXCHANGES, Math.floor(Math.min(inHeap, inMemory))))
}

/** Memory of one exchange in the worst case, including kernel buffers. */
export function exchangeBytes(headerBytes: number): number {
  return exchangeHeapBytes(headerBytes) + PIECE_BYTES + KERNEL_BYTES
}

/** The part of it on the heap: a head exists as received and as sent. */
export function exchangeHeapBytes(headerBytes: number): number {
  return HEADS * headerBytes + OBJECT_BYTES
}

/** Always permitted, so that a process that is short of memory is still of some use. */
export const FEWEST_EXCHANGES = 16

const KIBIBYTE = 1024
/** What the kernel holds for a socket whose peer doesn't read. It counts for the container, not for the process. */
const KERNEL_BYTES = 128 * KIBIBYTE
const MEBIBYTE = 1024 * KIBIBYTE
/** The rest is for garbage that is not collected yet, and for idle connections. */
const USABLE = 0.8
/** Memory of a process that has just started, on Node 20 to 26. */
const IDLE_BYTES = 80 * MEBIBYTE
const IDLE_HEAP_BYTES = 16 * MEBIBYTE
const HEADS = 3
const OBJECT_BYTES = 16 * KIBIBYTE
/** Buffered pieces of a body, on both sides. */
const PIECE_BYTES = 48 * KIBIBYTE
