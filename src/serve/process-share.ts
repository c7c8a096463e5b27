import type { Config } from '../config/config.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { type MemoryBudget, planConcurrency, planMemory } from './capacity.ts'
import type { Machine } from './machine.ts'

/** The number of processes that `workers` stands for; `auto` is one for each usable processor. */
export function countWorkers(workers: Config['workers'], { processors }: Machine): number {
  return workers === 'auto' ? processors : workers
}

/** The config of one of several processes, and its memory. */
export interface ProcessShare {
  readonly resolved: ResolvedConfig
  readonly budget: MemoryBudget
  /** The value of `limits.concurrentRequests: "auto"`. */
  readonly fittingRequests: number
}

/**
 * The share of one of `count` processes: the same config, except that `limits.upstreamConnections` is divided between them
 * (each gets at least one), and that `limits.concurrentRequests: "auto"` becomes what fits into its memory.
 */
export function planProcessShare(resolved: ResolvedConfig, count: number, machine: Machine): ProcessShare {
  const { config } = resolved
  const { limits } = config
  const budget = planMemory(machine, count)
  const fittingRequests = planConcurrency(budget, limits.headerBytes)
  const ownLimits = {
    ...limits,
    concurrentRequests: limits.concurrentRequests === 'auto' ? fittingRequests : limits.concurrentRequests,
    upstreamConnections: Math.max(1, Math.floor(limits.upstreamConnections / count)),
  }
  return { resolved: { ...resolved, config: { ...config, limits: ownLimits } }, budget, fittingRequests }
}
