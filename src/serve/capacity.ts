import type { Config } from '../config/config.ts'
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
 * three quarters of the client connections, so that the others can be idle, and are closed for new ones.
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

/** How many exchanges fit in the worst case, 16 to 1024: the largest request head, an upload, a service that reads none. */
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

/**
 * The most client connections that a process keeps open, and what allows no more: as many as there may be exchanges, and others that take at most an
 * eighth of its memory, each with an unfinished head of the largest size. It never runs out of file descriptors: with none
 * left, it can't connect to the service.
 *
 * The service gets as many as its limit, but at most half: no exchange has one without a connection to a client.
 *
 * @param fileLimit how many files the process may have open; `undefined` if there is no limit, or it is unknown
 */
export function planClientConnections(
  budget: MemoryBudget,
  scheme: 'http' | 'https',
  fileLimit: number | undefined,
  { upstreamConnections, headerBytes }: Pick<Config['limits'], 'upstreamConnections' | 'headerBytes'>,
) {
  const inHeap = budget.heapBytes / 8 / (HEAP_BYTES + headerBytes)
  // Node's parser may keep another head that came in several reads.
  const inAll = budget.memoryBytes / 8 / (MEMORY_BYTES[scheme] + 2 * headerBytes)
  const inMemory = planConcurrency(budget, headerBytes) + Math.floor(Math.min(inHeap, inAll))
  const free = (fileLimit ?? Number.POSITIVE_INFINITY) - OTHER_FILES
  const inFiles = Math.max(1, free - Math.min(upstreamConnections, Math.floor(free / 2)))
  return inFiles < inMemory
    ? { clientConnections: inFiles, limitedBy: 'files' as const }
    : { clientConnections: Math.max(1, inMemory), limitedBy: 'memory' as const }
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
/** Probes and scrapers open few, for a moment each. */
export const MOST_ADMIN_CONNECTIONS = 16

/**
 * A process has some 25 files open before the first connection. The rest is for name lookups, files that are read, the
 * admin listener, and connections that are closed at once because there are too many.
 */
const OTHER_FILES = 40 + MOST_ADMIN_CONNECTIONS
/**
 * What an idle connection takes of the heap, and of the memory of the process with it, on Node 20 to 26. With TLS it is 48
 * KiB, and up to 95 KiB while its handshake is under way.
 */
const HEAP_BYTES = 6 * KIBIBYTE
const MEMORY_BYTES = { http: 16 * KIBIBYTE, https: 100 * KIBIBYTE } as const
