import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A control group of the kernel's, which enforces a limit of memory on the programs in it. */
export interface MemoryGroup {
  /** A program whose id is written here is in the group. */
  readonly procs: string
  /** The most memory that its programs had at once; `undefined` where the kernel does not say. */
  peakBytes(): number | undefined
  /** Removes it, once its programs have ended. */
  remove(): void
}

/**
 * Opens a group inside the one that this process is in, so that whatever holds for that one holds here too.
 *
 * @returns the reason if the machine does not permit it
 */
export function openMemoryGroup(limitBytes: number): MemoryGroup | { readonly reason: string } {
  let path: string | undefined
  try {
    const parent = findParent()
    if (parent === undefined) return { reason: 'no control group of this process governs memory' }
    removeLeftOver(parent.path)
    path = join(parent.path, `${NAME}${process.pid}-${randomUUID()}`)
    mkdirSync(path)
    writeFileSync(join(path, parent.files.limit), String(limitBytes))
    if (existsSync(join(path, parent.files.swap)))
      writeFileSync(join(path, parent.files.swap), parent.files.noSwap(limitBytes))
    return toGroup(path, parent.files)
  } catch (error) {
    if (path !== undefined && existsSync(path)) rmdirSync(path)
    return {
      reason: `control groups can't be made here: ${error instanceof Error && 'code' in error ? error.code : error}`,
    }
  }
}

const NAME = 'continuation-point-test-'

/** A run that was killed could not remove its groups. */
function removeLeftOver(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [pid = ''] = name.startsWith(NAME) ? name.slice(NAME.length).split('-') : []
    if (pid === '' || existsSync(join('/proc', pid))) continue
    try {
      rmdirSync(join(parent, name))
    } catch {
      // A program of that run is still in it, or another run was faster.
    }
  }
}

interface Files {
  readonly limit: string
  readonly swap: string
  readonly noSwap: (limitBytes: number) => string
  readonly peak: string
}

const V1: Files = {
  limit: 'memory.limit_in_bytes',
  // Memory and swap together.
  swap: 'memory.memsw.limit_in_bytes',
  noSwap: String,
  peak: 'memory.max_usage_in_bytes',
}
const V2: Files = { limit: 'memory.max', swap: 'memory.swap.max', noSwap: () => '0', peak: 'memory.peak' }

/** A group in which another one can be made. In version 2 a group with processes can't have any, so it may be one above. */
function findParent(): { readonly path: string; readonly files: Files } | undefined {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
  const own = (wanted: string) =>
    lines
      .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
      .find((match) => match?.[1]?.split(',').includes(wanted))?.[2]
  const first = own('memory')
  if (first !== undefined) return { path: join('/sys/fs/cgroup/memory', first), files: V1 }
  const steps = (own('') ?? '/').split('/').filter((step) => step !== '')
  for (let depth = steps.length; depth >= 0; depth -= 1) {
    const path = join('/sys/fs/cgroup', ...steps.slice(0, depth))
    const control = join(path, 'cgroup.subtree_control')
    if (existsSync(control) && readFileSync(control, 'utf8').split(/\s+/).includes('memory'))
      return { path, files: V2 }
  }
  return undefined
}

function toGroup(path: string, files: Files): MemoryGroup {
  return {
    procs: join(path, 'cgroup.procs'),
    peakBytes: () => {
      const peak = join(path, files.peak)
      return existsSync(peak) ? Number(readFileSync(peak, 'utf8')) : undefined
    },
    remove: () => rmdirSync(path),
  }
}
