import type { ReadFile } from '../config/file-fault.ts'

/** Limits of a process's control groups; `undefined` if they set none. */
export interface CgroupLimits {
  readonly memoryBytes: number | undefined
  /** May be a fraction: a quota of 150 ms per 100 ms is 1.5. */
  readonly processors: number | undefined
}

/**
 * Reads the limits of this process's control groups, version 1 and 2. The limits of parent groups apply too, so the
 * smallest counts. A missing file means no limit: only Linux has these files, and inside a container only the container's
 * own group may be visible.
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

/** The folders of each group and of its parents. Lines are `ID:CONTROLLERS:PATH`; version 2 names no controllers. */
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

/** Above `memory.high` a group is throttled until it barely runs, so it is a limit too. */
function memoryFiles({ controller, path }: Folder): readonly string[] {
  if (controller === 'all') return [`${path}/memory.max`, `${path}/memory.high`]
  return controller === 'memory' ? [`${path}/memory.limit_in_bytes`] : []
}

/** Files whose joined texts are `QUOTA PERIOD`. */
function quotaFiles({ controller, path }: Folder): readonly (readonly string[])[] {
  if (controller === 'all') return [[`${path}/cpu.max`]]
  return controller === 'cpu' ? [[`${path}/cpu.cfs_quota_us`, `${path}/cpu.cfs_period_us`]] : []
}

/** `max` means no limit. So does version 1's largest number, but every machine has less memory than that anyway. */
function parseMemoryLimit(text: string): number | undefined {
  return /^\d+\s*$/.test(text) ? Number(text) : undefined
}

/** `max` and -1 mean no quota. */
function parseQuota(text: string): number | undefined {
  const [, quota, period] = /^(\d+)\s+(\d+)\s*$/.exec(text) ?? []
  return Number(quota) > 0 && Number(period) > 0 ? Number(quota) / Number(period) : undefined
}

function smallest(limits: readonly (number | undefined)[]): number | undefined {
  const set = limits.filter((limit) => limit !== undefined)
  return set.length === 0 ? undefined : Math.min(...set)
}

const ROOT = '/sys/fs/cgroup'
