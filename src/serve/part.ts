import type { Config } from '../config/config.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { type Room, toConcurrency, toRoom } from './capacity.ts'
import type { Machine } from './machine.ts'

/** The number of processes that `workers` stands for; `auto` is one for each usable processor. */
export function toWorkerCount(workers: Config['workers'], { processors }: Machine): number {
  return workers === 'auto' ? processors : workers
}

/** The config of one of several processes, and its memory. */
export interface Part {
  readonly resolved: ResolvedConfig
  readonly room: Room
  /** The value of `limits.concurrentRequests: "auto"`. */
  readonly fittingRequests: number
}

/**
 * The part of one of `count` processes: the same config, except that `limits.upstreamConnections` is divided between them
 * (each gets at least one), and that `limits.concurrentRequests: "auto"` becomes what fits into its memory.
 */
export function toPart(resolved: ResolvedConfig, count: number, machine: Machine): Part {
  const { config } = resolved
  const { limits } = config
  const room = toRoom(machine, count)
  const fittingRequests = toConcurrency(room, limits.headerBytes)
  const ownLimits = {
    ...limits,
    concurrentRequests: limits.concurrentRequests === 'auto' ? fittingRequests : limits.concurrentRequests,
    upstreamConnections: Math.max(1, Math.floor(limits.upstreamConnections / count)),
  }
  return { resolved: { ...resolved, config: { ...config, limits: ownLimits } }, room, fittingRequests }
}
