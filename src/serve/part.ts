import type { Config } from '../config/config.ts'
import type { Servable } from '../forward/servable.ts'
import { type Room, toConcurrency, toRoom } from './capacity.ts'
import type { Machine } from './machine.ts'

/** How many processes `workers` means; `auto` is one for each processor that may be used. */
export function toWorkerCount(workers: Config['workers'], { processors }: Machine): number {
  return workers === 'auto' ? processors : workers
}

/** What one of several processes serves, and the memory it has for that. */
export interface Part {
  readonly servable: Servable
  readonly room: Room
  /** What `limits.concurrentRequests` would be if the config left it open. */
  readonly fittingRequests: number
}

/**
 * The part of one of `count` processes: the same config, with its part of the connections to the service, so that all
 * together stay within `limits.upstreamConnections` (each has one at least), and with as many requests in flight as fit
 * into its memory, if the config leaves that open.
 */
export function toPart(servable: Servable, count: number, machine: Machine): Part {
  const { config } = servable
  const { limits } = config
  const room = toRoom(machine, count)
  const fittingRequests = toConcurrency(room, limits.headerBytes)
  const ownLimits = {
    ...limits,
    concurrentRequests: limits.concurrentRequests === 'auto' ? fittingRequests : limits.concurrentRequests,
    upstreamConnections: Math.max(1, Math.floor(limits.upstreamConnections / count)),
  }
  return { servable: { ...servable, config: { ...config, limits: ownLimits } }, room, fittingRequests }
}
