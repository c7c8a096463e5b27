import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { FEWEST_EXCHANGES, planConcurrency } from './capacity.ts'
import type { Machine } from './machine.ts'
import type { OwnProcess } from './own-process.ts'

/** Logs what is served, by which Node, and how many requests it can hold. */
export function logStart(
  resolved: ResolvedConfig,
  machine: Machine,
  { node, openssl }: OwnProcess['versions'],
  log: Logger,
): void {
  const points = resolved.points.slice(0, MOST_POINTS_LOGGED).map(({ url }) => url)
  log.info({ count: resolved.points.length, points }, 'serving')
  log.info({ node, openssl }, 'node')
  logCapacity(resolved.config, machine, log)
}

/** Logs how many concurrent requests are accepted, and why. */
function logCapacity({ limits }: Config, machine: Machine, log: Logger): void {
  const fittingRequests = planConcurrency(machine, limits.headerBytes)
  const isChosen = limits.concurrentRequests !== 'auto'
  const concurrentRequests = isChosen ? limits.concurrentRequests : fittingRequests
  const facts = { concurrentRequests, ...machine }
  if (concurrentRequests > fittingRequests) {
    log.warn(
      { ...facts, fittingRequests },
      'limits.concurrentRequests is more than the memory holds in the worst case',
    )
  } else if (!isChosen && fittingRequests <= FEWEST_EXCHANGES)
    log.warn(facts, 'memory is too small: it holds hardly any requests. Give it more')
  else log.info(facts, 'capacity')
}

const MOST_POINTS_LOGGED = 100
