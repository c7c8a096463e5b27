import type { Config, ServiceConfig } from '../config/config.ts'
import type { Secret } from '../config/secret.ts'
import { compilePoints, type ServedPoint } from '../points/compile.ts'
import type { ExchangeSettings } from './exchange.ts'
import { toForwardRules } from './forward-rules.ts'
import { compilePeers } from './peer.ts'
import { openUpstream } from './upstream.ts'

/** A config that can be served: it names a service, its points are parsed and every secret is resolved. */
export interface ServableConfig {
  readonly config: Config
  readonly service: ServiceConfig & { readonly url: string }
  readonly points: readonly ServedPoint[]
  /** PEM text of `service.ca`. */
  readonly serviceCa: Secret | undefined
}

/** Compiles a config into what exchanges read, and opens the connections to the service. */
export function compileSettings(servable: ServableConfig): ExchangeSettings {
  const { config, service, points, serviceCa } = servable
  const { timeouts, limits } = config
  return {
    points: compilePoints(points, service.prefix),
    rules: toForwardRules(config, service.url),
    upstream: openUpstream({
      origin: new URL(service.url).origin,
      extraCa: serviceCa?.reveal(),
      connectTimeoutMs: timeouts.connectMs,
      connections: limits.upstreamConnections,
    }),
    peerOf: compilePeers(config.listen.trustedProxies),
    connectTimeoutMs: timeouts.connectMs,
    headersTimeoutMs: timeouts.headersMs,
    idleTimeoutMs: timeouts.idleMs,
    bodyLimitBytes: limits.bodyBytes,
    concurrencyLimit: limits.concurrentRequests,
  }
}
