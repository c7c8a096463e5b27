import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { ReadFile } from '../config/file-fault.ts'
import type { MemoryBudget } from './capacity.ts'
import { readCgroupLimits } from './cgroup.ts'
import { flagsOf, type NodeStart } from './own-process.ts'

/** The memory that this process may use. */
export interface Machine extends MemoryBudget {
  /** Where the limit comes from. */
  readonly memoryFrom: 'cgroup' | 'machine'
}

/** Reads the limits of the kernel, the cgroup and V8. */
export async function readMachine(readFile: ReadFile, start: NodeStart): Promise<Machine> {
  const limits = await readCgroupLimits(readFile)
  const memoryBytes = Math.min(limits.memoryBytes ?? Number.POSITIVE_INFINITY, totalmem())
  return {
    memoryBytes,
    memoryFrom: memoryBytes === limits.memoryBytes ? 'cgroup' : 'machine',
    heapBytes: Math.min(readHeapLimit(start), memoryBytes),
  }
}

/**
 * V8 adds room for new objects to the limit that it is given: 48 MiB in Node 20, 192 MiB in Node 24. What stays has to fit
 * within the limit alone.
 */
function readHeapLimit(start: NodeStart): number {
  const given = flagsOf(start).flatMap(
    (flag) => /^--max[-_]old[-_]space[-_]size=(\d+)$/.exec(flag)?.[1] ?? [],
  )
  const limitBytes = getHeapStatistics().heap_size_limit
  return Math.min(limitBytes, Number(given.at(-1) ?? 0) * MEBIBYTE || limitBytes)
}

/** The heap that objects take, garbage included, and the heap that V8 has reserved beyond that. */
export function readHeapUse(): { readonly heapBytes: number; readonly freeHeapBytes: number } {
  const { used_heap_size: heapBytes, total_physical_size: heldBytes } = getHeapStatistics()
  return { heapBytes, freeHeapBytes: Math.max(0, heldBytes - heapBytes) }
}

const MEBIBYTE = 1_048_576
