import { compileForwardRules } from '../forward/request.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { compilePoints } from '../points/compile.ts'
import { compilePeers } from './trusted-peers.ts'
import { openUpstream, type Upstream } from './upstream.ts'

/** Everything that exchanges share; replaced as a whole when the config is reloaded. */
export type ExchangeSettings = ReturnType<typeof compileSettings>

/** Limit of exchanges in flight if neither the config nor the memory sets a lower one. */
export const MOST_EXCHANGES = 1024

/** Compiles a config into the settings of exchanges. At a reload, `current` is the upstream in use so far. */
export function compileSettings(resolved: ResolvedConfig, current?: Upstream) {
  const { config, service, points, serviceCa } = resolved
  const { timeouts, limits } = config
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
    // A request that would wait longer is refused at once. It is twice the time that one may wait: a service that has been
    // slow may become faster.
    hopelessWaitMs: 2 * (timeouts.connectMs + timeouts.headersMs),
    bodyLimitBytes: limits.bodyBytes,
    concurrencyLimit: limits.concurrentRequests === 'auto' ? MOST_EXCHANGES : limits.concurrentRequests,
  }
}
