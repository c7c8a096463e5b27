import { availableParallelism, totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { ReadFile } from '../config/read-fault.ts'
import { readCgroupLimits } from './cgroup.ts'

/** What this process and its workers may use together. */
export interface Machine {
  readonly memoryBytes: number
  /** Who says so. */
  readonly memoryFrom: 'cgroup' | 'machine'
  /** V8's own limit, which holds for each process. */
  readonly heapBytes: number
  /** At least 1. */
  readonly processors: number
}

/** Asks the kernel, the cgroup and V8. */
export async function readMachine(readFile: ReadFile): Promise<Machine> {
  const limits = await readCgroupLimits(readFile)
  const memoryBytes = Math.min(limits.memoryBytes ?? Number.POSITIVE_INFINITY, totalmem())
  return {
    memoryBytes,
    memoryFrom: memoryBytes === limits.memoryBytes ? 'cgroup' : 'machine',
    heapBytes: getHeapStatistics().heap_size_limit,
    processors: toProcessors(availableParallelism(), limits.processors),
  }
}

/** JavaScript's objects, with those that nobody has collected yet, and the room that V8 holds for more. */
export function readHeapUse(): { readonly heapBytes: number; readonly freeHeapBytes: number } {
  const { used_heap_size: heapBytes, total_physical_size: heldBytes } = getHeapStatistics()
  return { heapBytes, freeHeapBytes: Math.max(0, heldBytes - heapBytes) }
}

/** A quota of one and a half keeps one process busy, and would make two wait for each other. */
export function toProcessors(parallelism: number, quota: number | undefined): number {
  return Math.max(1, Math.min(parallelism, Math.floor(quota ?? parallelism)))
}
