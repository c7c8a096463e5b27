import type { ReadFile } from '../config/read-fault.ts'

/** What the control groups of a process allow it; absent where they set no limit. */
export interface CgroupLimits {
  readonly memoryBytes: number | undefined
  /** May be a fraction: a quota of 150 ms in every 100 ms is one and a half. */
  readonly processors: number | undefined
}

/**
 * Reads the limits of the control groups that this process is in, of version 1 and 2. A group is bound by the groups
 * above it too, so the smallest limit counts. A file that is missing sets none: other systems than Linux have no such
 * files, and inside a container only the container's own group may be visible.
 */
export async function readCgroupLimits(readFile: ReadFile): Promise<CgroupLimits> {
  const read = (path: string) => readFile(path).catch(() => '')
  const folders = parseMembership(await read('/proc/self/cgroup'))
  const memory = await Promise.all(
    folders.flatMap(memoryFiles).map(async (path) => parseMemoryLimit(await read(path))),
  )
  const processors = await Promise.all(
    folders
      .flatMap(quotaFiles)
      .map(async (paths) => parseQuota((await Promise.all(paths.map(read))).join(' '))),
  )
  return { memoryBytes: smallest(memory), processors: smallest(processors) }
}

/** A folder that holds a group's limits. */
interface Folder {
  readonly controller: 'all' | 'memory' | 'cpu'
  readonly path: string
}

/** The folders of each group and of those above it. Lines are `ID:CONTROLLERS:PATH`; version 2 names no controllers. */
function parseMembership(text: string): readonly Folder[] {
  return text.split('\n').flatMap((line): readonly Folder[] => {
    const [id, controllers = '', ...rest] = line.split(':')
    const steps = rest
      .join(':')
      .split('/')
      .filter((step) => step !== '' && step !== '..')
    const groups = Array.from({ length: steps.length + 1 }, (_, depth) =>
      ['', ...steps.slice(0, depth)].join('/'),
    )
    if (id === '0' && controllers === '')
      return groups.map((group) => ({ controller: 'all' as const, path: `${ROOT}${group}` }))
    return (['memory', 'cpu'] as const)
      .filter((controller) => controllers.split(',').includes(controller))
      .flatMap((controller) => groups.map((group) => ({ controller, path: `${ROOT}/${controller}${group}` })))
  })
}

/** Above `memory.high` a group is slowed down until it hardly runs, so that is a limit too. */
function memoryFiles({ controller, path }: Folder): readonly string[] {
  if (controller === 'all') return [`${path}/memory.max`, `${path}/memory.high`]
  return controller === 'memory' ? [`${path}/memory.limit_in_bytes`] : []
}

/** Files whose texts in a row are `QUOTA PERIOD`. */
function quotaFiles({ controller, path }: Folder): readonly (readonly string[])[] {
  if (controller === 'all') return [[`${path}/cpu.max`]]
  return controller === 'cpu' ? [[`${path}/cpu.cfs_quota_us`, `${path}/cpu.cfs_period_us`]] : []
}

/** `max` is no limit; neither is version 1's largest number, but every machine has less than that anyway. */
function parseMemoryLimit(text: string): number | undefined {
  return /^\d+\s*$/.test(text) ? Number(text) : undefined
}

/** `max` and -1 are no quota. */
function parseQuota(text: string): number | undefined {
  const [, quota, period] = /^(\d+)\s+(\d+)\s*$/.exec(text) ?? []
  return Number(quota) > 0 && Number(period) > 0 ? Number(quota) / Number(period) : undefined
}

function smallest(limits: readonly (number | undefined)[]): number | undefined {
  const set = limits.filter((limit) => limit !== undefined)
  return set.length === 0 ? undefined : Math.min(...set)
}

const ROOT = '/sys/fs/cgroup'
