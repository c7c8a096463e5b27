import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { FEWEST_EXCHANGES } from './capacity.ts'
import { thatFit } from './log.ts'
import type { Machine } from './machine.ts'
import { judgeNode, type Runtime } from './node-release.ts'
import { type ProcessShare, planProcessShare } from './process-share.ts'

/** Logs what is served, by which Node, with a warning if that lacks security fixes, and how many requests it can hold. */
export function logStart(
  resolved: ResolvedConfig,
  workers: number,
  machine: Machine,
  { node, openssl }: Runtime,
  log: Logger,
): void {
  const points = thatFit(resolved.points.slice(0, MOST_POINTS_LOGGED).map(({ url }) => url))
  log.info({ count: resolved.points.length, points }, 'serving')
  const { advice } = judgeNode(node, Date.now())
  if (advice === undefined) log.info({ node, openssl }, 'node')
  else log.warn({ node, openssl }, advice)
  logCapacity(resolved.config, planProcessShare(resolved, workers, machine), workers, machine, log)
}

/** Logs how many concurrent requests one process accepts, and why. */
function logCapacity(
  { limits: { concurrentRequests } }: Config,
  { resolved, fittingRequests, budget }: ProcessShare,
  workers: number,
  { memoryBytes, memoryFrom }: Machine,
  log: Logger,
): void {
  const facts = {
    workers,
    concurrentRequests: resolved.config.limits.concurrentRequests,
    memoryBytes,
    memoryFrom,
    heapBytes: budget.heapBytes,
  }
  if (concurrentRequests !== 'auto' && concurrentRequests > fittingRequests) {
    log.warn(
      { ...facts, fittingRequests },
      'limits.concurrentRequests is more than the memory holds in the worst case',
    )
  } else if (concurrentRequests === 'auto' && fittingRequests <= FEWEST_EXCHANGES) {
    log.warn(
      facts,
      workers === 1
        ? 'memory is too small: it holds hardly any requests. Give it more'
        : 'memory is too small for so many workers: each holds hardly any requests. Give it more, or start fewer workers',
    )
  } else log.info(facts, 'capacity')
}

const MOST_POINTS_LOGGED = 100
