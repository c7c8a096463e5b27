import { compileForwardRules } from '../forward/request.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { compilePoints } from '../points/match.ts'
import type { UpstreamSettings } from './dial.ts'
import { compilePeers } from './trusted-peers.ts'

/** Everything that exchanges share; replaced as a whole when the config is reloaded. */
export type ExchangeSettings = ReturnType<typeof compileSettings>

/** Limit of exchanges in flight if neither the config nor the memory sets a lower one. */
export const MOST_EXCHANGES = 1024

/** Compiles a config into the settings of exchanges. */
export function compileSettings(resolved: ResolvedConfig) {
  const { config, service, points, serviceCa } = resolved
  const { timeouts, limits } = config
  const upstream: UpstreamSettings = {
    origin: new URL(service.url).origin,
    extraCa: serviceCa?.reveal(),
    connectTimeoutMs: timeouts.connectMs,
    connectionAgeMs: timeouts.connectionAgeMs,
  }
  return {
    points: compilePoints(points, service.prefix),
    rules: compileForwardRules(config, service.url),
    upstream,
    leases: limits.upstreamConnections,
    peerOf: compilePeers(config.listen.trustedProxies),
    connectTimeoutMs: timeouts.connectMs,
    headersTimeoutMs: timeouts.headersMs,
    idleTimeoutMs: timeouts.idleMs,
    bodyLimitBytes: limits.bodyBytes,
    concurrencyLimit: limits.concurrentRequests === 'auto' ? MOST_EXCHANGES : limits.concurrentRequests,
  }
}
