import type { Config } from '../config/config.ts'
import { type MemoryBudget, planConcurrency } from './capacity.ts'

/** The most client connections that a process keeps open, and what allows no more. */
export interface ClientConnections {
  readonly clientConnections: number
  readonly limitedBy: 'files' | 'memory'
}

/**
 * The most client connections that a process keeps open: as many as there may be exchanges, and others that take at most an
 * eighth of its memory, each with an unfinished head of the largest size. It never runs out of file descriptors: with none
 * left, it can't connect to the service.
 *
 * The service gets as many as its limit, but at most half: no exchange has a connection to the service without one to a
 * client.
 *
 * @param fileLimit how many files the process may have open; `undefined` if there is no limit, or it is unknown
 */
export function planClientConnections(
  budget: MemoryBudget,
  scheme: 'http' | 'https',
  fileLimit: number | undefined,
  { upstreamConnections, headerBytes }: Pick<Config['limits'], 'upstreamConnections' | 'headerBytes'>,
): ClientConnections {
  const inHeap = budget.heapBytes / 8 / (HEAP_BYTES + headerBytes)
  // Node's parser may keep another head that came in several reads.
  const inAll = budget.memoryBytes / 8 / (MEMORY_BYTES[scheme] + 2 * headerBytes)
  const inMemory = planConcurrency(budget, headerBytes) + Math.floor(Math.min(inHeap, inAll))
  const free = (fileLimit ?? Number.POSITIVE_INFINITY) - OTHER_FILES
  const inFiles = Math.max(1, free - Math.min(upstreamConnections, Math.floor(free / 2)))
  return inFiles < inMemory
    ? { clientConnections: inFiles, limitedBy: 'files' }
    : { clientConnections: Math.max(1, inMemory), limitedBy: 'memory' }
}

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
const HEAP_BYTES = 6 * 1024
const MEMORY_BYTES = { http: 16 * 1024, https: 100 * 1024 } as const
