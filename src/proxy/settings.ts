import type { Socket } from 'node:net'
import type { Peer } from '../forward/downstream.ts'
import { compileForwardRules, type ForwardRules } from '../forward/forward-rules.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { compilePoints, type PointTable } from '../points/compile.ts'
import { compilePeers } from './trusted-peers.ts'
import { openUpstream, type Upstream } from './upstream.ts'

/** Everything that exchanges share; replaced as a whole when the config is reloaded. */
export interface ExchangeSettings {
  readonly points: PointTable
  readonly rules: ForwardRules
  readonly upstream: Upstream
  readonly peerOf: (socket: Socket) => Peer
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly idleTimeoutMs: number
  /** A request that would wait longer than this for a connection is refused at once. */
  readonly hopelessWaitMs: number
  readonly bodyLimitBytes: number | undefined
  readonly concurrencyLimit: number
}

/** Limit of exchanges in flight if neither the config nor the memory sets a lower one. */
export const MOST_EXCHANGES = 1024

/** Compiles a config into the settings of exchanges. At a reload, `current` is the upstream in use so far. */
export function compileSettings(resolved: ResolvedConfig, current?: Upstream): ExchangeSettings {
  const { config, service, points, serviceCa } = resolved
  const { timeouts, limits } = config
  const concurrencyLimit = limits.concurrentRequests === 'auto' ? MOST_EXCHANGES : limits.concurrentRequests
  const address = {
    origin: new URL(service.url).origin,
    extraCa: serviceCa?.reveal(),
    connectTimeoutMs: timeouts.connectMs,
    connections: limits.upstreamConnections,
    connectionAgeMs: timeouts.connectionAgeMs,
  }
  return {
    points: compilePoints(points, service.prefix),
    rules: compileForwardRules(config, service.url),
    upstream: current === undefined ? openUpstream(address) : current.replace(address),
    peerOf: compilePeers(config.listen.trustedProxies),
    connectTimeoutMs: timeouts.connectMs,
    headersTimeoutMs: timeouts.headersMs,
    idleTimeoutMs: timeouts.idleMs,
    // Twice the time that a request may wait: a service that has been slow may become faster.
    hopelessWaitMs: 2 * (timeouts.connectMs + timeouts.headersMs),
    bodyLimitBytes: limits.bodyBytes,
    concurrencyLimit,
  }
}
