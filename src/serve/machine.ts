import { readdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { MemoryBudget } from './capacity.ts'
import { flagsOf, type NodeStart } from './own-process.ts'

/** What this process may use. */
export interface Machine extends MemoryBudget {
  /** Where the limit comes from. */
  readonly memoryFrom: 'cgroup' | 'machine'
}

/** Reads the limits of the machine, the control group and V8. */
export function readMachine(start: NodeStart): Machine {
  // Without a limit it is 0 or more than any machine has, depending on the release of Node and the version of the cgroups.
  const granted = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const memoryBytes = Math.min(granted, totalmem())
  return {
    memoryBytes,
    memoryFrom: memoryBytes === granted ? 'cgroup' : 'machine',
    heapBytes: Math.min(readHeapLimit(start), memoryBytes),
  }
}

/**
 * V8 adds room for new objects to the limit that it is given: 48 MiB in Node 20, 192 MiB in Node 24. What stays has to fit within the limit.
 */
function readHeapLimit(start: NodeStart): number {
  const given = flagsOf(start).flatMap(
    (flag) => /^--max[-_]old[-_]space[-_]size=(\d+)$/.exec(flag)?.[1] ?? [],
  )
  const limitBytes = getHeapStatistics().heap_size_limit
  return Math.min(limitBytes, Number(given.at(-1) ?? 0) * MEBIBYTE || limitBytes)
}

/** What this process uses now. Node and this read files for it, which fails when no file descriptor is left: then 0. */
export function readUse() {
  const { user, system } = process.cpuUsage()
  return {
    cpuSeconds: (user + system) / 1e6,
    heapBytes: getHeapStatistics().used_heap_size,
    residentBytes: orNothing(() => process.memoryUsage.rss()) ?? 0,
    // One of the files is open only to read the directory.
    openFiles: orNothing(() => readdirSync('/proc/self/fd').length - 1) ?? 0,
  }
}

/** How many files the process may have open; `undefined` where the system has no /proc. */
export function readFileLimit(): number | undefined {
  const limits = orNothing(() => readFileSync('/proc/self/limits', 'utf8')) ?? ''
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return limit === undefined ? undefined : Number(limit)
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const MEBIBYTE = 1_048_576
